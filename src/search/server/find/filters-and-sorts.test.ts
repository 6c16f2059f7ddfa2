import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../../demo/random.ts';
import { addPerson } from '../../../../tests/people.ts';
import { ODD_PAGES, addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { listIndustries, listThemes, type Named } from '../../../library/contract.ts';
import type { FileType } from '../../../library/file-types.ts';
import { seedTaxonomy } from '../../../library/server/labels.ts';
import { expectOk } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { searchDocuments } from '../../contract.ts';

/** The facts of a published deck. The test filters decks itself, so that the code under test does not decide the expected result. */
type Deck = {
  id: number;
  type: FileType;
  theme: string;
  industry: string;
  createdAt: number;
  pages: number;
  isFree: boolean;
  popularity: number;
  /** Yuan, 0 for none. */
  budget: number;
  people: number;
  days: number;
};
type Wanted = {
  filetype?: number;
  theme?: string;
  industry?: string;
  pubdate?: number;
  pages?: number;
  free?: number;
  budget?: number;
  people?: number;
  days?: number;
  sort?: string;
};

const DECKS = 40;
const DAY_MS = 86_400_000;
const THEMES = ['节日营销', '快闪路演'];
const INDUSTRIES = ['餐饮', '房地产', ''];
const BANDS = [
  [1, 20],
  [21, 50],
  [51, 100],
  [101, 1e9],
] as const;
const BUDGETS = [
  [1, 50_000],
  [50_001, 200_000],
  [200_001, 500_000],
  [500_001, 1_000_000],
  [1_000_001, 1e12],
] as const;
const DAYS = [
  [1, 1],
  [2, 3],
  [4, 7],
  [8, 30],
  [31, 1e9],
] as const;
const PEOPLE = [
  [1, 50],
  [51, 200],
  [201, 500],
  [501, 1_000],
  [1_001, 1e9],
] as const;
const RECENT_DAYS = [3, 7, 30];

describe.each([
  ['the database', false],
  ['the engine', true],
])('answered by %s', (_name, hasEngine) => {
  let app: TestApp;
  let member: string;
  let themes: Named[];
  let industries: Named[];
  const decks: Deck[] = [];
  const idOf = (names: Named[], name?: string) => names.find((each) => each.name === name)?.id ?? 0;

  const ask = (input: object, token?: string) => app.call(searchDocuments, input, token);
  const found = async (input: object, token = member) => expectOk(await ask(input, token));
  const inputOf = ({ theme, industry, ...rest }: Wanted) => ({
    themeid: idOf(themes, theme),
    industryid: idOf(industries, industry),
    ...rest,
  });

  beforeAll(async () => {
    app = await openTestApp({ hasEngine });
    await seedTaxonomy(app.ctx);
    themes = expectOk(await app.call(listThemes, {})).data;
    industries = expectOk(await app.call(listIndustries, {})).data;
    const random = createRandom(5);
    for (let index = 0; index < DECKS; index++) {
      const type = random.pick<FileType>(['pptx', 'ppt', 'pdf']);
      const [theme, industry] = [random.pick(THEMES), random.pick(INDUSTRIES)];
      // Whole seconds, some of them the same; never close to the border of a span.
      const createdAt = Math.floor(Date.now() / 1_000) * 1_000 - random.pick([1, 2, 5, 12, 20, 300, 700]) * DAY_MS;
      const [pages, price] = [random.pick([3, 20, 21, 50, 51, 100, 101, 180]), random.pick([0, 9])];
      const budget = random.pick([0, 0, 50_000, 50_001, 300_000, 1_000_000, 2_000_000]);
      const people = random.pick([0, 0, 50, 51, 500, 501, 1_001]);
      const days = random.pick([0, 0, 1, 2, 3, 7, 8, 30, 31]);
      const { id } = await addPublished(app, {
        name: `万悦中秋节活动方案${index}`,
        themes: [theme],
        industry,
        fileType: type,
        pageCount: pages,
        priceCoins: price,
        // Not downloadable, so not free either.
        flags: index % 9 === 0 ? ['macros'] : [],
        createdAt: new Date(createdAt),
        texts: [
          '封面',
          '龙鳞装置搭建说明',
          `${budget ? `总预算：${budget}元` : ''}\n${people ? `活动人数：${people}人` : ''}\n${days ? `为期${days}天` : ''}`,
        ],
      });
      const [heat, downloads] = [random.int(3), random.int(3)];
      await app.ctx.db.execute(
        sql`update documents set heat = ${heat}, download_count = ${downloads} where id = ${id}`,
      );
      const popularity = heat * 65_536 + downloads;
      const isFree = price === 0 && index % 9 > 0;
      decks.push({ id, type, theme, industry, createdAt, pages, popularity, isFree, budget, people, days });
    }
    const vip = await addPerson(app);
    member = vip.token;
    await app.ctx.db.execute(
      sql`insert into memberships (user_id, standard_end_at) values (${vip.id}, now() + interval '30 days')`,
    );
    await app.refreshSearch();
  });
  afterAll(() => app.close());

  const yearOf = ({ createdAt }: Deck) => new Date(createdAt + 8 * 3_600_000).getUTCFullYear();
  const kindOf = ({ type }: Deck) => (type === 'pdf' ? 2 : 1);
  const isWithin = ({ createdAt }: Deck, pubdate: number) =>
    createdAt >= Date.now() - (RECENT_DAYS[pubdate - 1] ?? 0) * DAY_MS;
  const isWithinBand = (bands: readonly (readonly [number, number])[], value: number, band: number) => {
    const [min, max] = bands[band - 1] ?? [0, 0];
    return value >= min && value <= max;
  };

  const expected = ({ filetype, theme, industry, pubdate, pages, free, budget, people, days }: Wanted) =>
    decks.filter(
      (deck) =>
        (!filetype || kindOf(deck) === filetype) &&
        (!theme || deck.theme === theme) &&
        (!industry || deck.industry === industry) &&
        (!pubdate || (pubdate < 4 ? isWithin(deck, pubdate) : yearOf(deck) === pubdate)) &&
        (!pages || isWithinBand(BANDS, deck.pages, pages)) &&
        (!budget || isWithinBand(BUDGETS, deck.budget, budget)) &&
        (!people || isWithinBand(PEOPLE, deck.people, people)) &&
        (!days || isWithinBand(DAYS, deck.days, days)) &&
        (!free || deck.isFree),
    );

  const YEARS = [new Date().getFullYear(), new Date().getFullYear() - 1];
  const CASES: Wanted[] = [
    {},
    { filetype: 1 },
    { filetype: 2, industry: '餐饮' },
    { theme: '快闪路演', pages: 2 },
    { industry: '房地产', free: 1 },
    { pubdate: 1 },
    { pubdate: 3, theme: '节日营销', filetype: 1 },
    { pubdate: YEARS[1] ?? 0, pages: 4 },
    { pubdate: YEARS[0] ?? 0, free: 1, filetype: 1 },
    { pages: 1, free: 1, industry: '餐饮' },
    { budget: 1 },
    { people: 3, filetype: 1 },
    { days: 2 },
    { days: 4, industry: '餐饮' },
    { budget: 5, people: 2, industry: '餐饮' },
    { pages: 3, pubdate: 2, theme: '快闪路演', filetype: 2, industry: '餐饮', free: 1 },
  ];

  // 中秋 is in every name; 龙鳞装置 is on a page of every deck and in no name.
  describe.each([['中秋'], ['龙鳞装置'], ['']])('for the keyword "%s"', (search_key) => {
    it.each(CASES)('lists what %j leaves, and counts what every other choice would', async (wanted) => {
      const answer = await found({ search_key, pageSize: 50, ...inputOf(wanted) });
      const ids = (list: { id: number }[]) => list.map(({ id }) => id).sort((a, b) => a - b);
      expect(ids(answer.item_list)).toEqual(ids(expected(wanted)));
      expect(answer.total_count).toBe(expected(wanted).length);

      const count = (change: Wanted) => expected({ ...wanted, ...change }).length;
      const isSome = ({ count: some }: { count: number }) => some > 0;
      const plain = ({ id, count: some }: { id: number; count: number }) => ({ id, count: some });
      const { facets } = answer;
      expect(facets.file_types.map(plain)).toEqual(
        [1, 2].map((id) => ({ id, count: count({ filetype: id }) })).filter(isSome),
      );
      expect(answer.themes.filter(isSome).map(({ name, count: some }) => ({ name, count: some }))).toEqual(
        themes.map(({ name }) => ({ name, count: count({ theme: name }) })).filter(isSome),
      );
      expect(Object.fromEntries(facets.industries.map((each) => [each.name, each.count]))).toEqual(
        Object.fromEntries(
          INDUSTRIES.filter(Boolean)
            .map((name) => [name, count({ industry: name })] as const)
            .filter(([name, some]) => some > 0 || name === wanted.industry),
        ),
      );
      const years = [...new Set(decks.map(yearOf))].sort((a, b) => b - a);
      expect(facets.years).toEqual(years.map((year) => ({ year, count: count({ pubdate: year }) })).filter(isSome));
      expect(facets.recent).toEqual([1, 2, 3].map((id) => ({ id, count: count({ pubdate: id }) })).filter(isSome));
      expect(facets.pages).toEqual([1, 2, 3, 4].map((id) => ({ id, count: count({ pages: id }) })).filter(isSome));
      const bands = (part: 'budget' | 'people' | 'days') =>
        [1, 2, 3, 4, 5].map((id) => ({ id, count: count({ [part]: id }) })).filter(isSome);
      expect(facets.budgets).toEqual(bands('budget'));
      expect(facets.people).toEqual(bands('people'));
      expect(facets.days).toEqual(bands('days'));
      expect(facets.free).toBe(count({ free: 1 }));
    });

    it.each([
      ['newest', (deck: Deck) => deck.createdAt],
      ['hottest', (deck: Deck) => deck.popularity],
      ['pages', (deck: Deck) => deck.pages],
      ['budget', (deck: Deck) => deck.budget],
      ['people', (deck: Deck) => deck.people],
      ['days', (deck: Deck) => deck.days],
    ] as const)('sorts by %s, page after page, under a filter too', async (sort, key) => {
      for (const wanted of [{}, { filetype: 1, theme: '节日营销' }]) {
        const sorted = expected(wanted).sort((a, b) => key(b) - key(a) || b.id - a.id);
        const pages = [];
        for (let page = 1; page <= Math.ceil(sorted.length / 7); page++)
          pages.push(await found({ search_key, sort, page, pageSize: 7, ...inputOf(wanted) }));
        expect(pages.flatMap(({ item_list }) => item_list.map(({ id }) => id))).toEqual(sorted.map(({ id }) => id));
      }
    });

    it('ignores what it does not know, and understands both names of an industry', async () => {
      const all = await found({ search_key });
      for (const odd of ['hot', 7, {}, null, '__proto__', "newest'"])
        expect((await found({ search_key, sort: odd })).item_list).toEqual(all.item_list);
      for (const odd of ODD_PAGES.filter((value) => value !== 1.5)) {
        expect(await found({ search_key, pages: odd, free: odd, industryid: odd })).toMatchObject({
          total_count: DECKS,
        });
      }
      expect(
        (await found({ search_key, pages: 5, free: 2, filetype: 9, pubdate: 9, budget: 6, people: -1, days: 6 }))
          .total_count,
      ).toBe(DECKS);
      expect((await found({ search_key, industryid: 999_999 })).total_count).toBe(0);
      const industry_id = idOf(industries, '餐饮');
      expect(await found({ search_key, industry_id })).toEqual(await found({ search_key, industryid: industry_id }));
    });
  });

  it.each(['relevance', 'newest', 'hottest', 'pages', 'budget', 'people', 'days'])(
    'shows ten in all below membership, sorted by %s',
    async (sort) => {
      for (const filter of [{}, { free: 1 }, { pages: 1 }, { industryid: idOf(industries, '餐饮') }]) {
        const asMember = await found({ search_key: '中秋', sort, ...filter });
        const first = await ask({ search_key: '中秋', sort, pageSize: 50, ...filter });
        expect(first.data?.item_list.map(({ id }) => id)).toEqual(asMember.item_list.slice(0, 10).map(({ id }) => id));
        expect(first.data).toMatchObject({ limited: 1, total_count: asMember.total_count });
        const second = await ask({ search_key: '中秋', sort, page: 2, pageSize: 50, ...filter });
        expect([second.code, second.data?.item_list]).toEqual([CODE.searchLimit, []]);
      }
    },
  );

  it('does not limit searches without a keyword', async () => {
    const visitor = await ask({ sort: 'newest', free: 1, page: 2, pageSize: 5 });
    expect(visitor).toMatchObject({ code: CODE.ok, data: { limited: 0 } });
    expect(visitor.data?.item_list).toHaveLength(5);
  });
});

it.each([false, true])(
  'never ranks more than 750 without a keyword, whatever the sort and filter (C-80)',
  async (hasEngine) => {
    const app = await openTestApp({ hasEngine });
    const { id } = await addPublished(app, { name: '样例' });
    await app.ctx.db.execute(sql`insert into documents (file_id, name, state, price_coins)
    select d.file_id, '样例' || n, 'published', n % 10 from documents d, generate_series(1, 900) n where d.id = ${id}`);
    await app.refreshSearch();
    for (const sort of ['relevance', 'newest', 'hottest', 'pages', 'budget', 'people', 'days']) {
      const last = expectOk(await app.call(searchDocuments, { sort, page: 50, filetype: 1 }));
      expect([last.total_count, last.item_list.length]).toEqual([750, 15]);
      expect(expectOk(await app.call(searchDocuments, { sort, page: 51 })).item_list).toEqual([]);
    }
    expect(expectOk(await app.call(searchDocuments, { sort: 'newest', free: 1 })).total_count).toBe(91);
    await app.close();
  },
);
