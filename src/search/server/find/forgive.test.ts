import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { ODD_TEXTS, addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { hideDocument } from '../../../library/server/documents.ts';
import { seedTaxonomy } from '../../../library/server/labels.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { expectOk } from '../../../protocol/call.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { searchDocuments, suggestWords } from '../../contract.ts';
import { NO_INDEX, type SearchIndex } from '../../engine/match/query.ts';
import { indexPages } from '../indexing/index-documents.ts';
import { flushSearches, maskPersonalData, reportSearches, reportText } from '../log/search-log.ts';
import { refreshVocabulary } from '../words/vocabulary.ts';
import { suggestWords as suggestWordsOf } from '../suggest/suggest-words.ts';

describe.each([
  ['the database', false],
  ['the engine', true],
])('answered by %s', (_name, hasEngine) => {
  let app: TestApp;
  let member: string;
  /** Users without a membership. */
  let others: string[];

  const found = async (input: object, token: string | undefined = member) => {
    app.clock.offsetMs += 1_000;
    await app.refreshSearch();
    return expectOk(await app.call(searchDocuments, input, token));
  };
  const suggest = async (prefix: unknown) => expectOk(await app.call(suggestWords, { prefix })).items;

  const NAMES = [
    ...Array.from({ length: 12 }, (_, index) => `青柚餐饮品牌小红书种草方案${index}`),
    ...Array.from({ length: 6 }, (_, index) => `云顶房地产中秋嘉年华策划${index}`),
    '红薯美食节活动',
    'NIKE 城市路跑活动',
    '家庭与教育沙龙',
  ];

  beforeAll(async () => {
    app = await openTestApp({ hasEngine });
    await seedTaxonomy(app.ctx);
    for (const name of NAMES) await addPublished(app, { name, keyword: '嘉年华,暖场', industry: '餐饮美食' });
    const vip = await addPerson(app);
    member = vip.token;
    others = await Promise.all([addPerson(app), addPerson(app), addPerson(app)]).then((people) =>
      people.map(({ token }) => token),
    );
    await app.ctx.db.execute(
      sql`insert into memberships (user_id, standard_end_at) values (${vip.id}, now() + interval '30 days')`,
    );
    await refreshVocabulary(app.ctx);
  });
  afterAll(() => app.close());

  describe('a query that finds nothing', () => {
    it.each([
      ['canyin', '餐饮', 12],
      ['xhs', '小红书', 12],
      ['小hong书', '小红书', 12],
      ['餐引', '餐饮', 12],
      ['fangdichan zhongqiu', '房地产 中秋', 6],
      ['房地产中球', '房地产中秋', 6],
      ['青柚小书种草', '青柚小红书种草', 12],
      ['nikee', 'nike', 1],
      ['fangdichanz', '房地产', 6],
      ['fang di chan zhong qiu jie', '房地产中秋节', 6],
      ['房地产小红书策画', '房地产小红书策划', 18],
    ])('%s is answered as %s, and says so', async (search_key, searched_for, total_count) => {
      const answer = await found({ search_key });
      expect(answer).toMatchObject({ corrected_from: search_key, searched_for, did_you_mean: '', dropped: [] });
      expect(answer.total_count).toBeGreaterThanOrEqual(total_count);
      expect(answer.item_list[0]?.name).toContain('<em>');
    });

    it('is not answered as another word when a deck holds the typed word, apart from a generic one, on its pages', async () => {
      for (let index = 0; index < 6; index++)
        await addPublished(app, { name: `参数手册${index}`, keyword: '参数', texts: ['封面'] });
      const held = await addPublished(app, { name: '老街开馆', keyword: '', texts: ['封面', '藏书一万册'] });
      await refreshVocabulary(app.ctx);
      const answer = await found({ search_key: '策划方案 藏书' });
      expect(answer).toMatchObject({ corrected_from: '', full_count: 1 });
      expect(answer.item_list[0]?.id).toBe(held.id);
    });

    it('is answered without the words nothing has, and says so', async () => {
      expect(await found({ search_key: '餐饮 火星' })).toMatchObject({
        corrected_from: '',
        searched_for: '餐饮',
        dropped: ['火星'],
      });
      // Each is there, but nothing has both: what holds the rare one comes first.
      const both = await found({ search_key: '小红书 房地产' });
      expect([both.dropped, both.full_count, both.total_count]).toEqual([[], 0, 18]);
      expect(both.item_list.slice(0, 7).map(({ match, missing }) => [match, missing])).toEqual([
        ...Array.from({ length: 6 }, () => ['partial', ['小红书']]),
        ['partial', ['房地产']],
      ]);
    });

    it.each([
      ['商场 中秋', ['商场'], 6],
      ['购物中心 中秋', ['购物中心'], 6],
      ['商业综合体中秋活动方案', ['商业综合体'], 6],
      ['中秋 商场 预算', ['商场', '预算'], 6],
      ['公司中秋嘉年华 50万', ['50万'], 6],
      ['步行街 小红书', ['步行街'], 12],
    ])('%s is answered without %j, however the words are written', async (search_key, dropped, total) => {
      const answer = await found({ search_key });
      expect(answer.dropped).toEqual(dropped);
      expect(answer.total_count).toBeGreaterThanOrEqual(total);
    });

    it('is answered with its long words cut into their parts, and says so', async () => {
      expect(await found({ search_key: '家庭教育' })).toMatchObject({
        corrected_from: '家庭教育',
        searched_for: '家庭 教育',
        total_count: 1,
      });
    });

    it('weighs a word as it was typed, not as its synonyms are', async () => {
      expect(await found({ search_key: 'B站 小红书' })).toMatchObject({ searched_for: '小红书', dropped: ['B站'] });
    });

    it('stays so when it is meant literally', async () => {
      for (const search_key of ['canyin', '餐饮 火星']) {
        expect(await found({ search_key, exact: 1 })).toMatchObject({
          total_count: 0,
          corrected_from: '',
          searched_for: search_key,
          dropped: [],
        });
      }
    });

    it('stays so when hardly anything would be left of it, or nothing is known that it could be', async () => {
      for (const search_key of ['餐饮量子纠缠火箭', '麒麟', ...ODD_TEXTS.slice(0, 8)]) {
        expect(await found({ search_key })).toMatchObject({ total_count: 0, corrected_from: '', dropped: [] });
      }
    });

    it('is no slip when only a filter leaves nothing over', async () => {
      expect(await found({ search_key: '小红书', filetype: 2 })).toMatchObject({ total_count: 0, corrected_from: '' });
    });

    it('is forgiven on every page alike, within the ten of a visitor', async () => {
      const visitor = await found({ search_key: 'xhs' }, '');
      expect([visitor.item_list.length, visitor.total_count, visitor.limited]).toEqual([10, 12, 1]);
      const beyond = await app.call(searchDocuments, { search_key: 'xhs', page: 2 });
      expect([beyond.code, beyond.data?.item_list, beyond.data?.corrected_from]).toEqual([32, [], 'xhs']);
    });
  });

  it('offers the spelling that finds far more, but shows what was asked for', async () => {
    const answer = await found({ search_key: '小红薯' });
    expect(answer).toMatchObject({ total_count: 1, corrected_from: '', did_you_mean: '小红书' });
    expect((await found({ search_key: '小红书' })).did_you_mean).toBe('');
  });

  describe('suggestions', () => {
    it.for(hasEngine ? ['are counted as soon as the engine answers again'] : [])('%s', async () => {
      const suggested = async (searchIndex: SearchIndex) =>
        (await suggestWordsOf({ ...app.ctx, searchIndex }, { prefix: '貔貅 房地' })).items.map(({ text }) => text);
      // Until then the last word alone is.
      expect(await suggested(NO_INDEX)).toContain('貔貅 房地产');
      expect(await suggested(app.ctx.searchIndex)).toEqual([]);
    });

    it.each([
      ['小红', '小红书', 12],
      ['xiaoh', '小红书', 12],
      ['xhs', '小红书', 12],
      ['ＸＨＳ', '小红书', 12],
      ['小h', '小红书', 12],
      ['fdc', '房地产', 6],
      ['ni', 'NIKE', 1],
      ['餐饮 zhongq', '餐饮 中秋', 6],
    ])('for %s begin with %s (%i)', async (prefix, text, count) => {
      expect((await suggest(prefix))[0]).toEqual({ text, count });
    });

    it('count keywords once per document', async () => {
      expect(await suggest('jianianhua')).toEqual([{ text: '嘉年华', count: NAMES.length }]);
    });

    it.each(['', ' ', null, 7, {}, ...ODD_TEXTS.slice(1)])('for %j are none, and no failure', async (prefix) => {
      expect(await suggest(prefix)).toEqual([]);
    });

    it('take less than ten milliseconds of the processor', async () => {
      await suggest('x');
      const before = process.threadCpuUsage();
      for (let round = 0; round < 20; round++) await suggest('z');
      expect(process.threadCpuUsage(before).user / 20).toBeLessThan(10_000);
    });

    it('follow the published documents', async () => {
      const { id } = await addPublished(app, { name: '貔貅主题展' });
      await app.refreshSearch();
      await refreshVocabulary(app.ctx);
      expect((await suggest('pixiu')).map(({ text }) => text)).toContain('貔貅');
      await hideDocument(app.ctx, id, 'illegal');
      await refreshVocabulary(app.ctx);
      expect(await suggest('pixiu')).toEqual([]);
    });
  });

  describe('the log', () => {
    it.for(hasEngine ? ['holds no search whose decks could not be read, and the next one reads them'] : [])(
      '%s',
      async () => {
        const { id } = await addPublished(app, { name: '通信讲稿', texts: ['封面', '邀请运营商出席', '尾页'] });
        await indexPages(app.ctx, [id]);
        await app.refreshSearch();
        await flushSearches(app.ctx);
        // All searches within the time for which answers are kept.
        const find = async () => {
          const { item_list } = expectOk(await app.call(searchDocuments, { search_key: '运营商出席' }, member));
          return item_list.map(({ page_hits }) => page_hits.map(({ page }) => page));
        };
        await app.ctx.db.execute(sql`alter table page_entries rename to page_entries_away`);
        expect(await Promise.all([find(), find()])).toEqual([[], []]);
        await app.ctx.db.execute(sql`alter table page_entries_away rename to page_entries`);
        expect(await find()).toEqual([[2]]);
        await flushSearches(app.ctx);
        const rows = sql`select found from search_log where query = '运营商出席'`;
        expect(await rowsOf(app.ctx.db, rows)).toEqual([{ found: 1 }]);
        await hideDocument(app.ctx, id, 'operator');
      },
    );

    it('holds the queries, and no user', async () => {
      await flushSearches(app.ctx);
      await app.ctx.db.execute(sql`delete from search_log`);
      for (const token of [member, ...others.slice(0, 2)]) await found({ search_key: '房地产 中秋' }, token);
      await found({ search_key: '电话 13812345678' });
      await found({ search_key: 'canyin' });
      await found({ search_key: '餐饮 火星' });
      await found({ search_key: '房地产', filetype: 1 });
      await found({ search_key: '房地产', page: 2 });
      await found({});
      await flushSearches(app.ctx);
      const report = await reportSearches(app.ctx, 7, 20);
      expect(report.totals).toMatchObject({ searches: 6, queries: 4, empty: 3, corrected: 1, dropped: 1 });
      expect(report.top[0]).toMatchObject({ query: '房地产 中秋', searches: 3, found: 6 });
      expect(report.empty.map(({ query, forgiven }) => [query, forgiven])).toEqual(
        expect.arrayContaining([
          ['canyin', 'corrected'],
          ['餐饮 火星', 'dropped'],
          ['电话 ***', ''],
        ]),
      );
      expect(report.slow).toHaveLength(4);
      expect(reportText(report)).toContain('房地产 中秋');
      // No phone number: latencies of a busy machine have fewer digits.
      expect(reportText(report)).not.toMatch(/\d{7}/);
    });

    it('holds a query with words that ask for a filter once, as typed, and what was found in the end', async () => {
      await flushSearches(app.ctx);
      const [last] = await rowsOf<{ id: number }>(app.ctx.db, sql`select max(id)::int as id from search_log`);
      for (const search_key of ['免费的餐饮方案', '最新餐饮方案', '最新qwzx方案']) await found({ search_key });
      await found({ search_key: '餐饮方案', sort: 'newest' });
      await flushSearches(app.ctx);
      const rows = sql`select query, found > 0 as "isFound" from search_log where id > ${last?.id ?? 0} order by id`;
      expect(await rowsOf(app.ctx.db, rows)).toEqual([
        { query: '免费的餐饮方案', isFound: true },
        { query: '最新餐饮方案', isFound: true },
        { query: '最新qwzx方案', isFound: false },
      ]);
    });

    it('proposes synonyms from queries that one person changed within two minutes', async () => {
      const proposed = async () => {
        await flushSearches(app.ctx);
        return (await reportSearches(app.ctx, 7, 20)).proposed.map(({ line }) => line);
      };
      await found({ search_key: '轰趴餐饮' });
      await found({ search_key: '种草餐饮' });
      expect(await proposed()).toContain('轰趴 ~ 种草');
      // A visitor's queries belong to nobody, and a query of an hour later has another reason.
      for (const search_key of ['密室餐饮', '嘉年华餐饮']) await app.call(searchDocuments, { search_key });
      await found({ search_key: '派对餐饮' });
      app.clock.offsetMs += 3_600_000;
      await found({ search_key: '嘉年华餐饮' });
      const lines = (await proposed()).join('\n');
      expect(lines).not.toMatch(/密室 ~ .|派对 ~ ./);
      expect(reportText(await reportSearches(app.ctx, 7, 20))).toContain('轰趴 ~ 种草');
    });

    it('relates an empty search to what others found', async () => {
      app.clock.offsetMs += 600_000;
      expect((await found({ search_key: '房地产量子纠缠火箭发射' })).related).toEqual(['房地产', '房地产 中秋']);
      expect((await found({ search_key: '量子纠缠' })).related).toEqual([]);
    });

    it('shows nobody the words of one or two people, however often they type them', async () => {
      const related = async () => {
        await flushSearches(app.ctx);
        app.clock.offsetMs += 600_000;
        return (await found({ search_key: '嘉年华量子纠缠火箭发射' })).related;
      };
      const [first, second, third] = [member, ...others];
      for (const token of [first, first, first, first, second, second])
        await found({ search_key: '嘉年华 策划' }, token);
      await found({ search_key: '策划　嘉年华' }, second);
      for (let round = 0; round < 4; round++) await app.call(searchDocuments, { search_key: '嘉年华 中秋' });
      expect(await related()).not.toEqual(expect.arrayContaining([expect.stringMatching(/策划|中秋/)]));
      await found({ search_key: '嘉年华 策划' }, third);
      expect(await related()).toContain('嘉年华 策划');
    });

    it('relates queries of the same words in another order or width once, in the spelling that is most frequent', async () => {
      const spelled = ['小红书 餐饮', '餐饮　小红书', '餐饮 小红书', '餐饮 小红书'];
      for (const [index, search_key] of spelled.entries()) await found({ search_key }, [member, ...others][index]);
      await flushSearches(app.ctx);
      app.clock.offsetMs += 600_000;
      expect((await found({ search_key: '餐饮量子纠缠火箭发射' })).related).toEqual(['餐饮', '餐饮 小红书']);
    });

    it.each([
      ['13812345678', '***'],
      ['110101 19900101 123X', '***X'],
      ['a.b@example.com 方案', '*** 方案'],
      ['2024618', '2024618'],
      ['2024 中秋', '2024 中秋'],
      ['618', '618'],
    ])('keeps %s as %s', (query, kept) => {
      expect(maskPersonalData(query)).toBe(kept);
    });

    // Sessions end on the way.
    it('counts a person’s query once in thirty days', async () => {
      const ask = (search_key: string) => app.call(searchDocuments, { search_key });
      const counted = async () => {
        await flushSearches(app.ctx);
        const rows = await rowsOf<{ query: string; is_repeat: boolean }>(
          app.ctx.db,
          sql`select query, is_repeat from search_log where query ~ '国潮' order by id`,
        );
        return rows.map((row) => row.is_repeat);
      };
      await ask('国潮 快闪');
      await ask('快闪　国潮');
      app.clock.offsetMs += 29 * DAY_MS;
      await ask('国潮 快闪');
      expect(await counted()).toEqual([false, true, true]);
      app.clock.offsetMs += 2 * DAY_MS;
      await ask('国潮 快闪');
      expect(await counted()).toEqual([false, true, true, false]);
    });
  });
});
