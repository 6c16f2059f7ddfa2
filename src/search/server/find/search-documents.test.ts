import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { ODD_PAGES, ODD_TEXTS, addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { transact } from '../../../context.ts';
import { listThemes } from '../../../library/contract.ts';
import { editDocument, hideDocument, publishDocument, restoreDocument } from '../../../library/server/documents.ts';
import { seedTaxonomy } from '../../../library/server/labels.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { HOT_WORDS } from '../../../../tests/hot-words.ts';
import { searchDocuments } from '../../contract.ts';
import type { Query } from '../../engine/match/query.ts';
import { indexDocuments } from '../indexing/index-documents.ts';
import { rebuildSearch } from '../indexing/rebuild-search.ts';
import { searchJobs } from '../jobs.ts';
import { findAll } from './find-named.ts';

describe.each([
  ['the database', false],
  ['the engine', true],
])('answered by %s', (_name, hasEngine) => {
  let app: TestApp;
  let member: string;
  let ordinary: string;
  const DAY_MS = 86_400_000;

  const search = (input: object, token?: string) => app.call(searchDocuments, input, token);
  /** Past the second for which an answer is remembered. */
  const found = async (input: object, token = member) => {
    app.clock.offsetMs += 1_000;
    await app.refreshSearch();
    return expectOk(await search(input, token));
  };
  const names = async (input: object) => (await found(input)).item_list.map((item) => item.name);

  beforeAll(async () => {
    app = await openTestApp({ hasEngine });
    await seedTaxonomy(app.ctx);
    for (let index = 0; index < 24; index++) {
      await addPublished(app, {
        name: `万悦${HOT_WORDS[index % 5]}中秋节活动策划方案${index}`,
        keyword: index % 2 === 0 ? '暖场,嘉年华' : '发布会',
        organization: index % 3 === 0 ? '青禾策划社' : '',
        themes: index % 4 === 0 ? ['节日营销', '快闪路演'] : ['节日营销'],
        fileType: index % 3 === 0 ? 'pdf' : index % 3 === 1 ? 'ppt' : 'pptx',
        createdAt: new Date(Date.now() - index * 2 * DAY_MS),
      });
    }
    await addPublished(app, { name: '旧方案<b>清仓</b>&"促销"', createdAt: new Date('2024-05-01T00:00:00Z') });
    const vip = await addPerson(app);
    member = vip.token;
    ordinary = (await addPerson(app)).token;
    await app.ctx.db.execute(
      sql`insert into memberships (user_id, standard_end_at) values (${vip.id}, now() + interval '30 days')`,
    );
  });
  afterAll(() => app.close());

  it('is', async () => {
    await app.refreshSearch();
    const query: Query = { words: [], filter: {}, sort: 'relevance', limit: 1, offset: 0 };
    expect((await app.ctx.searchIndex.search(query)) !== null).toBe(hasEngine);
  });

  describe('a keyword', () => {
    it.each(HOT_WORDS)('finds the hot word %s in the middle of names', async (search_key) => {
      const { item_list, total_count } = await found({ search_key });
      expect(total_count).toBeGreaterThanOrEqual(4);
      for (const item of item_list) expect(item.name).toContain(`<em>${search_key}</em>`);
    });

    it.each([
      ['地产', 5],
      ['中秋', 24],
      ['地产中秋活动', 5],
      ['房地产 暖场', 3],
      ['青禾', 8],
      ['地產中秋節', 5],
      ['没有这样的方案', 0],
    ])('%s finds %i', async (search_key, total) => {
      expect((await found({ search_key })).full_count).toBe(total);
    });

    it('puts names before keywords, and the newer of equals first', async () => {
      const { id } = await addPublished(app, { name: '嘉年华全案', createdAt: new Date(Date.now() - 100 * DAY_MS) });
      const first = (await found({ search_key: '嘉年华' })).item_list;
      expect(first[0]?.id).toBe(id);
      const rest = first.slice(1).map((item) => item.create_time);
      expect(rest).toEqual([...rest].sort((a, b) => b - a));
      await hideDocument(app.ctx, id, 'operator');
    });

    it('escapes names and marks nothing but hits', async () => {
      expect(await names({ search_key: '促销' })).toEqual([
        '旧方案&lt;b&gt;清仓&lt;/b&gt;&amp;&quot;<em>促销</em>&quot;',
      ]);
    });

    it.each(ODD_TEXTS)('takes %j literally', async (search_key) => {
      const before = process.threadCpuUsage();
      const { item_list, total_count } = await found({ search_key });
      // Microseconds of processor time: seconds would measure what else the machine does.
      expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
      expect(item_list).toHaveLength(Math.min(15, total_count));
      expect(total_count).toBe(search_key === '\u0000' ? 25 : 0);
    });

    it.each([{}, [], true, null])('takes %j for none', async (search_key) => {
      expect(await found({ search_key })).toMatchObject({ total_count: 25, limited: 0 });
    });
  });

  describe('filters', () => {
    it('by file type, by day, by year, by theme under both names', async () => {
      const themes = expectOk(await app.call(listThemes, {})).data;
      const theme = themes.find(({ name }) => name === '快闪路演')?.id ?? 0;
      const total = async (filter: object) => (await found({ search_key: '中秋', ...filter })).total_count;
      expect(await total({ filetype: 1 })).toBe(16);
      expect(await total({ filetype: '2' })).toBe(8);
      expect(await total({ filetype: 9 })).toBe(24);
      expect(await total({ pubdate: 1 })).toBe(2);
      expect(await total({ pubdate: 2 })).toBe(4);
      expect(await total({ pubdate: 3 })).toBe(15);
      expect(await total({ pubdate: 'x' })).toBe(24);
      expect(await total({ themeid: theme })).toBe(6);
      expect(await total({ theme_id: theme, filetype: 2 })).toBe(2);
      expect((await found({ search_key: '清仓', pubdate: 2024 })).total_count).toBe(1);
      expect((await found({ search_key: '清仓', pubdate: 2023 })).total_count).toBe(0);
      // The page shows the filter of a year to come, so that it filters too.
      expect(await total({ pubdate: 2099 })).toBe(0);
    });

    it('counts every theme under any theme filter', async () => {
      const { themes } = await found({ search_key: '中秋' });
      const count = (name: string) => themes.find((theme) => theme.name === name)?.count;
      expect([count('节日营销'), count('快闪路演'), count('年会盛典')]).toEqual([24, 6, 0]);
      const id = themes.find((theme) => theme.name === '快闪路演')?.id;
      expect((await found({ search_key: '中秋', themeid: id })).themes).toEqual(themes);
    });

    it('narrow the ranking too', async () => {
      expect((await found({ filetype: 2 })).total_count).toBe(8);
      expect((await found({ pubdate: 2024 })).total_count).toBe(1);
      expect((await found({ pubdate: 2099 })).total_count).toBe(0);
      expect((await found({ pubdate: 1 })).total_count).toBe(2);
    });
  });

  describe('ten results below membership', () => {
    it.each([
      ['a visitor', () => undefined],
      ['an ordinary user', () => ordinary],
    ])('%s sees the first ten and the true total, over all pages, sizes and filters', async (_who, token) => {
      const everything = (await found({ search_key: '中秋', pageSize: 50 })).item_list.map((item) => item.id);
      for (const filter of [{}, { filetype: 1 }, { themeid: 0 }, { pubdate: 3 }]) {
        for (const pageSize of [15, 50, 1, 1e9]) {
          const seen = new Set<number>();
          for (const page of [1, 2, 3, 11, 1e9]) {
            const reply = await search({ search_key: '中秋', page, pageSize, ...filter }, token());
            expect(reply.code).toBe(page === 1 ? CODE.ok : CODE.searchLimit);
            expect(reply.data).toMatchObject({ limited: 1, visible_count: 10 });
            if (page > 1) expect(reply.data?.item_list).toEqual([]);
            reply.data?.item_list.forEach((item) => seen.add(item.id));
          }
          expect(seen.size).toBeLessThanOrEqual(10);
        }
      }
      const reply = await search({ search_key: '中秋' }, token());
      expect(reply.data?.item_list.map((item) => item.id)).toEqual(everything.slice(0, 10));
      expect(reply.data?.total_count).toBe(24);
    });

    it('does not concern members, nor visitors without a keyword', async () => {
      expect((await found({ search_key: '中秋', page: 2 })).item_list).toHaveLength(9);
      const visitor = await search({ search_key: ' \u3000 ', page: 2 });
      expect(visitor).toMatchObject({ code: 0, data: { limited: 0, total_count: 25, page_size: 15 } });
      expect(visitor.data?.item_list).toHaveLength(10);
    });
  });

  it.each(ODD_PAGES)('takes page %j for the first', async (page) => {
    expect(await found({ search_key: '中秋', page })).toMatchObject({ page: 1 });
    expect((await search({ search_key: '中秋', page, pageSize: page, themeid: page, pubdate: page })).code).toBe(
      CODE.ok,
    );
  });

  describe('changes', () => {
    it('a hidden document is gone at once, a restored one comes back, a renamed one follows', async () => {
      const { id } = await addPublished(app, { name: '独角兽大会' });
      const total = async (search_key: string) => (await found({ search_key })).total_count;
      expect(await total('独角兽')).toBe(1);
      await hideDocument(app.ctx, id, 'illegal');
      expect(await total('独角兽')).toBe(0);
      // The job of a document that was hidden meanwhile must not bring it back.
      await indexDocuments(app.ctx, [id]);
      expect(await total('独角兽')).toBe(0);
      await restoreDocument(app.ctx, id);
      await editDocument(app.ctx, id, { name: '麒麟大会' });
      await indexDocuments(app.ctx, [id]);
      expect([await total('独角兽'), await total('麒麟')]).toEqual([0, 1]);
      await hideDocument(app.ctx, id, 'operator');
    });

    // The engine reads the documents themselves: its rebuild is tested beside it.
    it.for(hasEngine ? [] : ['rebuilds to the same answers'])('%s', async () => {
      const before = await found({ search_key: '中秋' });
      await app.ctx.db.execute(sql`delete from search_entries`);
      expect((await found({ search_key: '中秋' })).total_count).toBe(0);
      expect(await rebuildSearch(app.ctx, () => undefined)).toMatchObject({ documents: 25 });
      expect(await found({ search_key: '中秋' })).toEqual(before);
    });

    it('reach search by a job of the same transaction', async () => {
      const { id } = await addPublished(app, { name: '貔貅大会', isPublished: false });
      await expect(
        transact(app.ctx, async (tx) => {
          await publishDocument(tx, id);
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back');
      const waiting = () =>
        rowsOf(app.ctx.db, sql`select from graphile_worker._private_jobs where payload::text like ${`%[${id}]%`}`);
      expect(await waiting()).toHaveLength(0);
      await publishDocument(app.ctx, id);
      expect(await waiting()).toHaveLength(1);
      await searchJobs[0]?.run(app.ctx, { ids: [id] }, { number: 1, isLast: false, signal: undefined });
      expect((await found({ search_key: '貔貅' })).total_count).toBe(1);
      await hideDocument(app.ctx, id, 'operator');
    });

    it.for(hasEngine ? ['shares the list of a counted question within a second'] : [])('%s', async () => {
      const now = Date.parse('2026-11-20T12:00:00+08:00');
      const wanted = { filter: {}, sort: 'relevance', limit: 5, offset: 0, isCounted: true } as const;
      await app.refreshSearch();
      const idsAt = async (at: number) => (await findAll({ ...app.ctx, clock: { now: () => at } }, wanted))?.ids;
      const first = await idsAt(now);
      expect(first).toHaveLength(5);
      expect(await idsAt(now + 999)).toBe(first);
      expect(await idsAt(now + 1_000)).not.toBe(first);
    });

    it('follows a download count', async () => {
      const last = (await found({ search_key: '中秋', pageSize: 50 })).item_list.at(-1)?.id ?? 0;
      await app.ctx.db.execute(sql`update documents set recommend_score = recommend_score + 50 where id = ${last}`);
      expect((await found({ search_key: '中秋' })).item_list[0]?.id).toBe(last);
    });
  });
});

it('answers 41 after thirty searches a minute from one address', async () => {
  const limited = await openTestApp({ isRateLimited: true });
  const codes: number[] = [];
  for (let index = 0; index < 32; index++)
    codes.push((await limited.call(searchDocuments, { search_key: '中秋' })).code);
  expect(codes.slice(0, 30).every((code) => code === CODE.ok)).toBe(true);
  expect(codes.slice(30)).toEqual([CODE.tooFrequent, CODE.tooFrequent]);
  await limited.close();
});
