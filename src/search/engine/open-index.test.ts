import { expect, it } from 'vitest';
import { documentNames } from '../../../demo/names.ts';
import { createRandom } from '../../../demo/random.ts';
import { recommendScore } from '../../library/rules.ts';
import { INDUSTRIES, THEMES } from '../../library/taxonomy.ts';
import { ODD_TEXTS } from '../../../tests/published-document.ts';
import { sourceDocument } from '../../../tests/source-document.ts';
import { cutWords } from '../server/words/cut-words.ts';
import { indexLexemes, queryWords, type QueryWord } from '../words.ts';
import { createSegmentBuilder } from './build/build-segment.ts';
import { FILE_TYPES, type SourceDocument } from './format/document.ts';
import { toFacts, toIndexed } from './build/index-document.ts';
import { SIGNIFICANT_TERMS } from '../decks/deck-similarity.ts';
import { FIELD } from './format/layout.ts';
import { openIndex, type Index } from './open-index.ts';
import type { Sort } from '../../library/limits.ts';
import { REACH, type Filter, type Query, type Result } from './match/query.ts';
import { gainTables, lengthClass, TYPED_SHARE } from './format/ranking.ts';

const NOW = Date.parse('2026-11-20T12:00:00+08:00');
const DAY_MS = 86_400_000;

function makeSources(count: number, seed = 5): SourceDocument[] {
  const next = documentNames(seed);
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const facts = next();
    const downloads = random.int(40);
    const createdAt = facts.createdAt * 1_000;
    return sourceDocument({
      id: 10 + index * 3,
      name: facts.name,
      keyword: facts.keyword.join(','),
      organization: facts.organization,
      industry: facts.industry,
      industryId: INDUSTRIES.findIndex((name) => name === facts.industry) + 1,
      themeIds: facts.themes.map((theme) => THEMES.findIndex((name) => name === theme) + 1),
      fileType: random.pick(FILE_TYPES),
      pageCount: 5 + random.int(90),
      isFree: facts.price === 0,
      budgetYuan: random.pick([0, 0, 40_000, 90_000, 700_000]),
      people: random.pick([0, 0, 30, 300]),
      days: random.pick([0, 0, 1, 3, 20]),
      popularity: downloads,
      createdAt,
      recommendScore: recommendScore(new Date(createdAt), downloads),
    });
  });
}

function build(sources: SourceDocument[]): Index {
  const builder = createSegmentBuilder();
  for (const source of sources) builder.add(toIndexed(source));
  return openIndex(builder.finish());
}

const words = (text: string) => queryWords(text, cutWords);
const ask = (text: string, filter: Filter = {}, more: Partial<Query> = {}): Query => ({
  words: words(text),
  filter,
  sort: 'relevance',
  limit: 15,
  offset: 0,
  facets: {
    since: [NOW - 30 * DAY_MS, NOW - 700 * DAY_MS],
    pagesFrom: [1, 21, 51],
    budgetsFrom: [1, 50_001],
    peopleFrom: [1, 51],
    daysFrom: [1, 2],
  },
  ...more,
});

/** Every document by hand, the slow way: which are hits, and in what order. */
function scan(query: Query): { ids: number[]; total: number } {
  const hits = texts.filter(
    ({ source, lexemes }) => passes(source, query.filter) && query.words.every((word) => isIn(word, lexemes)),
  );
  hits.sort((a, b) => keyOf(b.source, query.sort) - keyOf(a.source, query.sort) || b.source.id - a.source.id);
  const ids = hits.map(({ source }) => source.id);
  const isAsked = query.words.length > 0 || query.isEverything === true;
  return { ids: isAsked ? ids : [], total: isAsked ? ids.length : 0 };
}

const holds = (lexemes: string[], text: string, isPrefix: boolean) =>
  isPrefix ? lexemes.some((lexeme) => lexeme.startsWith(text)) : lexemes.includes(text);
const isIn = (word: QueryWord, lexemes: string[]) =>
  word.forms.some((form) => form.lexemes.every(({ text, isPrefix }) => holds(lexemes, text, isPrefix)));

const yearOf = ({ createdAt }: SourceDocument) => new Date(createdAt + 8 * 3_600_000).getUTCFullYear();

function passes(source: SourceDocument, filter: Filter): boolean {
  return (
    (!filter.fileTypes || filter.fileTypes.includes(source.fileType)) &&
    (filter.themeId === undefined || source.themeIds.includes(filter.themeId)) &&
    (filter.industryId === undefined || source.industryId === filter.industryId) &&
    (filter.since === undefined || source.createdAt >= filter.since) &&
    (filter.year === undefined || yearOf(source) === filter.year) &&
    (!filter.pages || (source.pageCount >= filter.pages.min && source.pageCount <= filter.pages.max)) &&
    (filter.isFree === undefined || source.isFree === filter.isFree) &&
    isWithin(source.budgetYuan, filter.budget) &&
    isWithin(source.people, filter.people) &&
    isWithin(source.days, filter.days)
  );
}

const isWithin = (value: number, range?: { min: number; max: number }) =>
  !range || (value >= range.min && value <= range.max);

function keyOf(source: SourceDocument, sort: Sort): number {
  if (sort === 'newest') return source.createdAt;
  if (sort === 'budget') return source.budgetYuan;
  if (sort === 'people') return source.people;
  if (sort === 'days') return source.days;
  return sort === 'hottest' ? source.popularity : source.pageCount;
}

const sources = makeSources(3_000);
const texts = sources.map((source) => ({
  source,
  lexemes: [...indexLexemes(`${source.name}\n${source.keyword}\n${source.organization}\n${source.industry}`)],
}));
const index = build(sources);

const random = createRandom(17);
const cut = (text: string) => text.slice(random.int(Math.max(1, text.length - 2)), random.int(text.length) + 2);
const QUERIES = Array.from({ length: 200 }, (_, round) => {
  const { name, keyword } = random.pick(sources);
  const text = [
    cut(name),
    keyword.split(',')[0] ?? '',
    `${cut(name)} ${random.pick(INDUSTRIES)}`,
    '双11',
    '2024',
    '策',
  ];
  const filters: Filter[] = [
    {},
    { fileTypes: ['pptx', 'ppt'] },
    { themeId: 1 + random.int(THEMES.length) },
    { industryId: 1 + random.int(INDUSTRIES.length), isFree: false },
    { year: 2020 + random.int(7) },
    { since: NOW - 400 * DAY_MS, pages: { min: 20, max: 60 } },
    { isFree: true },
    { budget: { min: 50_001, max: 800_000 } },
    { people: { min: 1, max: 50 }, budget: { min: 1, max: 50_000 } },
  ];
  return { text: text[round % text.length] ?? '', filter: random.pick(filters) };
});

it('answers 200 queries like a scan of all documents, in every order that is a column', () => {
  for (const { text, filter } of QUERIES) {
    for (const sort of ['newest', 'hottest', 'pages', 'budget', 'people', 'days'] as const) {
      const query = ask(text, filter, { sort, limit: sources.length });
      const { ids, total } = index.search(query);
      expect({ text, filter, sort, ids, total }).toEqual({ text, filter, sort, ...scan(query) });
    }
    expect(index.search(ask(text, filter)).total).toBe(scan(ask(text, filter, { sort: 'newest' })).total);
  }
});

it('lists all documents for a query without words, after changes and removals', () => {
  const [gone, moved] = [sources[5]?.id ?? 0, sources[7] ?? expect.fail('no source')];
  const filtered = (filter: Filter, sort: Sort) => ask('', filter, { sort, limit: sources.length, isEverything: true });
  for (const { filter } of QUERIES.slice(0, 20)) {
    for (const sort of ['newest', 'hottest', 'pages', 'budget', 'people', 'days'] as const) {
      const { ids, total } = index.search(filtered(filter, sort));
      expect({ filter, sort, ids, total }).toEqual({ filter, sort, ...scan(filtered(filter, sort)) });
    }
  }
  const ranked = index.search({ ...filtered({}, 'relevance'), limit: 3 }).ids;
  const best = sources.toSorted((a, b) => b.recommendScore - a.recommendScore || b.id - a.id).slice(0, 3);
  expect(ranked).toEqual(best.map(({ id }) => id));

  const other = build(sources);
  other.apply([
    { id: gone, document: null },
    { id: moved.id, document: toIndexed({ ...moved, name: '改了名字', recommendScore: 1e6 }) },
  ]);
  const { ids, total } = other.search({ ...filtered({}, 'relevance'), limit: 1 });
  expect([ids, total]).toEqual([[moved.id], sources.length - 1]);
});

it('ranks by the field that contains each word, and by the recommended score', () => {
  for (const { text } of QUERIES.slice(0, 40)) {
    const asked = words(text);
    if (asked.length !== 1) continue;
    const table = gainTables([1], 1)[0] ?? new Float64Array();
    const gainOf = (source: SourceDocument, word: QueryWord) => {
      const has = (field: string) => isIn(word, [...indexLexemes(field)]);
      const fields =
        (has(source.name) ? FIELD.name : 0) |
        (has(source.keyword) ? FIELD.keyword : 0) |
        (has(`${source.organization}\n${source.industry}`) ? FIELD.label : 0);
      return table[(lengthClass([...source.name].length) << 3) | fields] ?? 0;
    };
    const worth = (source: SourceDocument) => {
      const [word] = asked;
      const typed = word?.forms[word.typed ?? -1];
      const more = typed ? TYPED_SHARE * gainOf(source, { forms: [typed] }) : 0;
      return source.recommendScore + (word ? gainOf(source, word) : 0) + more;
    };
    const byId = new Map(sources.map((source) => [source.id, source]));
    const found = index.search(ask(text, {}, { limit: 100 })).ids.flatMap((id) => byId.get(id) ?? []);
    const sorted = [...found].sort((a, b) => worth(b) - worth(a) || b.id - a.id);
    expect(found.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
  }
});

it('ranks a name with the typed form above an equal one with another form of the same meaning, unless that is much fresher', () => {
  const both = (recommendScore: number) =>
    build([
      sourceDocument({ id: 1, name: '海岛发布会策划方案', recommendScore: 1 }),
      sourceDocument({ id: 2, name: '海岛新品发布策划方案', recommendScore }),
      sourceDocument({ id: 3, name: '海岛音乐节策划方案' }),
    ]);
  const typed = (text: string) => ({
    words: [{ typed: text === '发布会' ? 0 : 1, forms: words('发布会 新品发布').flatMap(({ forms }) => forms) }],
    filter: {},
    sort: 'relevance' as const,
    limit: 15,
    offset: 0,
  });
  expect(both(2).search(typed('发布会')).ids).toEqual([1, 2]);
  expect(both(2).search(typed('新品发布')).ids).toEqual([2, 1]);
  expect(both(40).search(typed('发布会')).ids).toEqual([2, 1]);
  const changed = both(2);
  changed.apply([
    { id: 1, document: toIndexed(sourceDocument({ id: 1, name: '海岛发布会策划方案', recommendScore: 1 })) },
  ]);
  expect(changed.search(typed('发布会')).ids).toEqual([1, 2]);
});

it('counts each facet under every filter but its own', () => {
  const year = 2025;
  const filter: Filter = { fileTypes: ['pdf'], themeId: 1, year, pages: { min: 21, max: 90 } };
  const { facets } = index.search(ask('策划', filter));
  const total = (other: Filter) => index.search(ask('策划', { ...filter, ...other })).total;
  for (const type of FILE_TYPES) expect(facets.fileTypes.get(type) ?? 0).toBe(total({ fileTypes: [type] }));
  for (let theme = 1; theme <= THEMES.length; theme++)
    expect(facets.themes.get(theme) ?? 0).toBe(total({ themeId: theme }));
  for (let id = 1; id <= INDUSTRIES.length; id++)
    expect(facets.industries.get(id) ?? 0).toBe(total({ industryId: id }));
  for (let other = 2017; other <= 2026; other++) expect(facets.years.get(other) ?? 0).toBe(total({ year: other }));
  expect(facets.free).toBe(total({ isFree: true }));
  expect(facets.pagesFrom).toEqual(
    [1, 21, 51].map((min, at) => total({ pages: { min, max: [20, 50, 999][at] ?? 0 } })),
  );
  expect(facets.budgetsFrom).toEqual([
    total({ budget: { min: 1, max: 50_000 } }),
    total({ budget: { min: 50_001, max: 999_999 } }),
  ]);
  expect(facets.peopleFrom).toEqual([total({ people: { min: 1, max: 50 } }), total({ people: { min: 51, max: 999 } })]);
  expect(facets.daysFrom).toEqual([total({ days: { min: 1, max: 1 } }), total({ days: { min: 2, max: 999 } })]);
  const { year: _, ...timeless } = filter;
  const since = [30, 700].map((days) => index.search(ask('策划', { ...timeless, since: NOW - days * DAY_MS })).total);
  expect(facets.since).toEqual(since);
  expect(since[1]).toBeGreaterThan(since[0] ?? 0);
});

it('counts no facets unless the query asks for them', () => {
  const { facets, total } = index.search({ ...ask('策划'), facets: undefined });
  expect(total).toBeGreaterThan(0);
  expect([facets.themes.size, facets.years.size, facets.free, facets.since]).toEqual([0, 0, 0, []]);
});

it('pages through all hits without a gap or a duplicate, up to REACH', () => {
  const all = index.search(ask('策划', {}, { limit: sources.length })).ids;
  const pages = Array.from(
    { length: Math.ceil(all.length / 15) + 1 },
    (_, page) => index.search(ask('策划', {}, { offset: page * 15 })).ids,
  );
  expect(pages.flat()).toEqual(all);
  for (const offset of [REACH, REACH + 1, 2 ** 31, Number.MAX_SAFE_INTEGER])
    expect(index.search(ask('策划', {}, { offset }))).toMatchObject({ ids: [], total: all.length });
});

it('answers the same with some documents in the delta, removed, changed and changed back', () => {
  const [old, changing] = [sources.slice(0, 2_900), sources.slice(2_900)];
  const other = build([...old, ...changing.map((source) => ({ ...source, name: `旧${source.name}旧` }))]);
  const gone = makeSources(40, 9).map((source) => ({ ...source, id: 100_000 + source.id }));
  other.apply(gone.map((source) => ({ id: source.id, document: toIndexed(source) })));
  for (let round = 0; round < 2; round++) {
    other.apply(changing.map((source) => ({ id: source.id, document: toIndexed(source) })));
    other.apply(gone.map(({ id }) => ({ id, document: null })));
  }
  other.apply([{ id: 424_242, document: null }]);
  expect(other.stats()).toEqual({ documents: 3_000, changed: 100, removed: 140 });
  for (const { text, filter } of QUERIES) {
    const query = ask(text, filter, { limit: 3_000, sort: 'newest' });
    expect(plain(other.search(query))).toEqual(plain(index.search(query)));
  }
});

it('changes facts in place', () => {
  const other = build(sources);
  const source = sources[7];
  if (!source) throw new Error('no document');
  const query = ask(source.name, {}, { limit: 3_000 });
  other.apply([{ id: source.id, document: toIndexed({ ...source, recommendScore: 9_999, isFree: true }) }]);
  expect(other.stats()).toEqual({ documents: 3_000, changed: 0, removed: 0 });
  expect(other.search(query).ids[0]).toBe(source.id);
  other.apply([{ id: source.id, document: toIndexed({ ...source, themeIds: [77, 78] }) }]);
  expect(other.stats()).toEqual({ documents: 3_000, changed: 1, removed: 1 });
  expect(other.search(ask(source.name, { themeId: 78 })).ids).toEqual([source.id]);
  const relabelled = toFacts({ ...source, themeIds: [77, 78], industryId: 99 });
  expect(other.canTakeFacts(relabelled)).toBe(false);
  expect(() => other.apply([{ id: source.id, facts: relabelled }])).toThrow(`document ${source.id} has a label`);
});

it.each([
  ...ODD_TEXTS,
  '',
  '中'.repeat(50),
  '2 20 202 2024 a b c 1 3 4 5 6 7 8 9',
  '策 划 方 案 活 动 营 销 双11 双十一',
  '(a+)+$'.repeat(8),
])('takes %j in its stride', (text) => {
  // Microseconds of processor time: milliseconds would measure what else the machine does.
  const started = process.threadCpuUsage();
  const query = ask([...text].slice(0, 50).join(''));
  const searching = process.threadCpuUsage();
  index.search(query);
  expect(process.threadCpuUsage(searching).user).toBeLessThan(50_000);
  expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000);
});

it('answers nothing when it has no documents', () => {
  const empty = build([]);
  expect(empty.search(ask('中秋'))).toMatchObject({ ids: [], total: 0 });
  empty.apply([{ id: 5, document: toIndexed({ ...(sources[0] ?? fail()), id: 5, name: '中秋' }) }]);
  expect(empty.search(ask('中秋')).ids).toEqual([5]);
});

function plain({ ids, total, facets }: Result) {
  const sorted = Object.entries(facets).map(([name, counts]) => [
    name,
    counts instanceof Map ? [...counts].sort(([a], [b]) => String(a).localeCompare(String(b))) : counts,
  ]);
  return { ids, total, facets: sorted };
}

function fail(): never {
  throw new Error('no document');
}

it('knows the significant terms of a document, from the main segment or the changes, and none of a removed one', () => {
  const [first, second] = [sources[0] ?? fail(), sources[1] ?? fail()];
  const other = build(sources);
  expect([...other.significant(first.id)]).toEqual(padded(toIndexed(first).significant));
  const changed = toIndexed({ ...first, name: '元宵灯会夜游', keyword: '灯会' });
  other.apply([
    { id: first.id, document: changed },
    { id: second.id, document: null },
  ]);
  expect([...other.significant(first.id)]).toEqual(padded(changed.significant));
  // A change of facts alone leaves the significant terms as they are.
  other.apply([{ id: first.id, facts: { ...toFacts(first), popularity: 9 } }]);
  expect([...other.significant(first.id)]).toEqual(padded(changed.significant));
  expect(other.significant(second.id)).toHaveLength(0);
});

const padded = (terms: number[]) => [...terms, ...Array<number>(SIGNIFICANT_TERMS - terms.length).fill(0)];
