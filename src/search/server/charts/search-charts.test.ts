import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buying } from '../../../../tests/buyers.ts';
import { addPublished, ODD_PAGES, ODD_TEXTS, type PublishedFacts } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import type { FoundChart } from '../../../charts/chart-data.ts';
import { recordCharts } from '../../../charts/server/record-charts.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { createDocument, hideDocument, publishDocument } from '../../../library/server/documents.ts';
import { documentFacts } from '../../../../tests/documents.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { searchCharts } from '../../contract-charts.ts';
import { indexDocuments } from '../indexing/index-documents.ts';
import { refreshVocabulary } from '../words/vocabulary.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(() => (app.clock.offsetMs += 10_000));

const { addBuyer } = buying(() => app);

type Facts = {
  title: string;
  type?: FoundChart['type'];
  page?: number;
  series?: string[];
  categories?: string[];
  hasPicture?: boolean;
};

const chartOf = ({
  title,
  type = 'column',
  page = 2,
  series = [],
  categories = [],
  hasPicture = true,
}: Facts): FoundChart => ({
  page,
  type,
  title,
  data: {
    categories,
    series: series.map((name) => ({ name, type, values: categories.map((_, at) => at), unit: '' })),
    categoryAxis: '',
    valueAxis: '',
  },
  frame: null,
  image: hasPicture ? { width: 900, height: 500 } : null,
});

/** Adds a published document with charts, as ingest does. */
async function addDeck(charts: Facts[], facts: PublishedFacts = {}): Promise<{ id: number; fileId: number }> {
  const { id } = await addPublished(app, { name: '一份方案', industry: '', ...facts });
  const fileId = (await findDocument(app.ctx, id))?.fileId ?? 0;
  await recordCharts(app.ctx, fileId, charts.map(chartOf));
  await indexDocuments(app.ctx, [id]);
  return { id, fileId };
}

const search = (input: object, token?: string) => app.call(searchCharts, input, token);
const found = async (input: object, token?: string) => (await search(input, token)).data?.charts ?? [];
const plain = (name: string) => name.replaceAll(/<\/?em>/g, '');
const namesOf = async (keyword: string, more: object = {}) =>
  (await found({ keyword, ...more })).map(({ name }) => plain(name));

describe('what a chart is found by', () => {
  beforeAll(async () => {
    await addDeck(
      [
        { title: '门店复购走势', type: 'line', series: ['老客复购率'], categories: ['一季度', '二季度'] },
        { title: '门店客流', series: ['到店人数'], categories: ['东门广场', '西门广场'], page: 3 },
      ],
      { name: '鲜茶连锁会员日全案', keyword: '茶饮', texts: ['封面', '雨天少三成客人', '停车场动线'] },
    );
  });
  it.each([
    ['its name', '复购走势', '门店复购走势'],
    ['a series', '老客复购率', '门店复购走势'],
    ['a category', '西门广场', '门店客流'],
    ['the text of its page', '停车场动线', '门店客流'],
    ['its type, and what people call it', '鲜茶 曲线图', '门店复购走势'],
    ['a synonym of its type', '鲜茶连锁 柱形图', '门店客流'],
  ])('%s', async (_, keyword, name) => {
    expect((await namesOf(keyword))[0]).toBe(name);
    expect(await namesOf(keyword, { exact: 1 })).toEqual([name]);
  });
  it('the name of the document, with all of its charts', async () => {
    expect((await namesOf('鲜茶连锁')).toSorted()).toEqual(['门店复购走势', '门店客流']);
  });
  it('marks the hits in the name and nothing else', async () => {
    const [chart] = await found({ keyword: '复购走势' });
    expect(chart?.name).toBe('门店<em>复购走势</em>');
  });
  it('of a word that names an industry: its charts before those that have it as a category, and after those that have it in their name', async () => {
    await addDeck([{ title: '预算', categories: ['宠物', '场地'] }], { name: '甲', industry: '母婴' });
    await addDeck([{ title: '会员增长' }], { name: '乙', industry: '宠物' });
    await addDeck([{ title: '宠物门店数' }], { name: '丙', industry: '母婴' });
    expect(await namesOf('宠物')).toEqual(['宠物门店数', '会员增长', '预算']);
  });
  it('a chart whose own name holds the word comes before one whose page does', async () => {
    await addDeck([{ title: '别的图', page: 2 }], { name: '甲', texts: ['', '露营装备渗透率'] });
    await addDeck([{ title: '露营装备渗透率' }], { name: '乙' });
    expect(await namesOf('露营装备渗透率')).toEqual(['露营装备渗透率', '别的图']);
  });
});

describe('forgiving', () => {
  beforeAll(async () => {
    await addDeck([{ title: '直播间转化漏斗', type: 'funnel', series: ['下单人数'] }], { name: '美妆直播' });
    await addDeck([{ title: '私域拉新成本', series: ['企微好友'] }], { name: '私域运营' });
    await refreshVocabulary(app.ctx);
  });
  it.each([
    ['pinyin', 'zhuanhua'],
    ['another character of the same sound', '转华'],
    ['mixed', '直播间zhuanhua'],
  ])('%s is answered as what was meant, and says so', async (_, keyword) => {
    const { data } = await search({ keyword });
    expect(data?.charts.map(({ name }) => plain(name))).toEqual(['直播间转化漏斗']);
    expect(data).toMatchObject({ corrected_from: keyword, full_count: 1 });
    expect(data?.searched_for).toContain('转化');
  });
  it('the very letters when asked for', async () => {
    expect(await search({ keyword: 'zhuanhua', exact: 1 })).toMatchObject({ code: 0, data: { charts: [], total: 0 } });
  });
  it('charts with some of the words follow those with all, and name what they lack', async () => {
    const { data } = await search({ keyword: '企微好友 拉新成本 元宇宙' });
    expect(data).toMatchObject({ full_count: 0, total: 1, dropped: ['元宇宙'] });
    expect(data?.charts[0]).toMatchObject({ missing: ['元宇宙'] });
  });
  it('a word that nothing holds finds nothing', async () => {
    expect(await search({ keyword: '量子纠缠' })).toMatchObject({
      code: 0,
      data: { charts: [], total: 0, dropped: ['量子', '纠缠'] },
    });
  });
});

describe('filters', () => {
  const keyword = '滤镜试验';
  beforeAll(async () => {
    const at = (days: number) => new Date(app.ctx.clock.now() - days * DAY_MS);
    await addDeck([{ title: `${keyword}甲`, type: 'pie' }], { industry: '餐饮', createdAt: at(1) });
    await addDeck([{ title: `${keyword}乙`, type: 'pie' }], { industry: '房地产', createdAt: at(5) });
    await addDeck([{ title: `${keyword}丙`, type: 'line' }], { industry: '餐饮', createdAt: at(20) });
    await addDeck([{ title: `${keyword}丁`, type: 'line' }], { industry: '餐饮', createdAt: at(400) });
  });
  const ends = async (more: object) =>
    (await namesOf(keyword, more)).map((name) => name.at(-1) ?? '').toSorted((a, b) => a.localeCompare(b));

  it('type, industry and both; a choice is counted under the other filter', async () => {
    const { data } = await search({ keyword, typeId: 4 });
    expect(data?.charts).toHaveLength(2);
    expect(data?.types).toEqual(
      expect.arrayContaining([
        { id: 4, name: '饼图', count: 2 },
        { id: 3, name: '折线图', count: 2 },
      ]),
    );
    const restaurants = data?.industries.find(({ name }) => name === '餐饮');
    expect(restaurants).toMatchObject({ count: 1 });
    expect(await ends({ typeId: '4', industryId: restaurants?.id })).toEqual(['甲']);
  });
  it.each([
    [1, ['甲']],
    [2, ['乙', '甲']],
    [3, ['丙', '乙', '甲']],
    [0, ['丁', '丙', '乙', '甲']],
    [9, ['丁', '丙', '乙', '甲']],
  ])('preset %s', async (dateRange, expected) => {
    expect(await ends({ dateRange })).toEqual(expected);
  });
  it('a range of days takes the place of the preset and includes its last day', async () => {
    const seconds = (days: number) => Math.floor((app.ctx.clock.now() - days * DAY_MS) / 1_000);
    expect(await ends({ startTime: seconds(21), endTime: seconds(5), dateRange: 1 })).toEqual(['丙', '乙']);
    expect(await ends({ startTime: String(seconds(21)), endTime: String(seconds(6)) })).toEqual(['丙']);
    // One end alone is no range.
    expect(await ends({ startTime: seconds(2), dateRange: 3 })).toEqual(['丙', '乙', '甲']);
  });
  it.each([
    ['milliseconds', { startTime: 1e13, endTime: 1e14 }, 'startTime', '开始时间须为 Unix 秒'],
    ['texts', { startTime: '2026-01-01', endTime: '2026-02-01' }, 'startTime', '开始时间须为 Unix 秒'],
    ['a list', { startTime: [1], endTime: 1_700_000_000 }, 'startTime', '开始时间须为 Unix 秒'],
    ['an end before 1970', { startTime: 1_600_000_000, endTime: -5 }, 'endTime', '结束时间须为 Unix 秒'],
  ])('a range of %s is refused, not left out', async (_what, range, field, message) => {
    expect(await search({ keyword, ...range })).toMatchObject({ code: 40, message, data: { field } });
  });
  it.each(['', ' ', 0, '0', null])('%j is no end of a range', async (none) => {
    expect(await ends({ startTime: none, endTime: none, dateRange: 3 })).toEqual(['丙', '乙', '甲']);
    expect(await ends({ startTime: none, endTime: 1e13, dateRange: 3 })).toEqual(['丙', '乙', '甲']);
  });
  it('a range that ends before it starts is refused', async () => {
    expect(await search({ startTime: 1_700_000_000, endTime: 1_600_000_000 })).toMatchObject({
      code: 40,
      message: '开始时间不能晚于结束时间',
    });
  });
  it('a chosen type without charts is still named', async () => {
    const { data } = await search({ keyword, typeId: 13 });
    expect(data).toMatchObject({ charts: [], total: 0 });
    expect(data?.types).toContainEqual({ id: 13, name: '树状图', count: 0 });
  });
});

describe('what is on the shelf', () => {
  it('charts leave with their document at once, and another document of the file shows them again', async () => {
    const { id, fileId } = await addDeck([{ title: '下架试验图' }], { name: '先来的' });
    const second = await createDocument(app.ctx, { ...documentFacts({ name: '后来的' }), fileId });
    await publishDocument(app.ctx, second);
    await indexDocuments(app.ctx, [second]);
    expect(await found({ keyword: '下架试验图' })).toMatchObject([{ fid: id, file: { name: '先来的' } }]);
    await hideDocument(app.ctx, id, 'operator');
    app.clock.offsetMs += 2_000;
    expect(await found({ keyword: '下架试验图' })).toEqual([]);
    await indexDocuments(app.ctx, [id]);
    app.clock.offsetMs += 2_000;
    expect(await found({ keyword: '下架试验图' })).toMatchObject([{ fid: second, file: { name: '后来的' } }]);
    await hideDocument(app.ctx, second, 'operator');
    await indexDocuments(app.ctx, [second]);
    app.clock.offsetMs += 2_000;
    expect(await search({ keyword: '下架试验图' })).toMatchObject({ data: { charts: [], total: 0 } });
  });
  it('charts that are recorded again are found by their new words alone', async () => {
    const { id, fileId } = await addDeck([{ title: '改前图名' }, { title: '多余的图名' }]);
    await recordCharts(app.ctx, fileId, [chartOf({ title: '改后图名' })]);
    await indexDocuments(app.ctx, [id]);
    expect(await namesOf('改后图名')).toEqual(['改后图名']);
    expect(await search({ keyword: '改前图名', exact: 1 })).toMatchObject({ data: { total: 0 } });
    expect(await search({ keyword: '多余的图名', exact: 1 })).toMatchObject({ data: { total: 0 } });
  });
  it('a document renamed and hidden at the same time as it is indexed leaves nothing behind', async () => {
    const { id } = await addDeck([{ title: '并发试验图' }]);
    await Promise.all([
      hideDocument(app.ctx, id, 'operator'),
      ...Array.from({ length: 6 }, () => indexDocuments(app.ctx, [id])),
    ]);
    app.clock.offsetMs += 2_000;
    expect(await search({ keyword: '并发试验图' })).toMatchObject({ data: { charts: [], total: 0 } });
  });
});

describe('who sees how much (C-39)', () => {
  const keyword = '限额试验';
  const REFUSED = { code: 32, message: '开通高级VIP解锁无限图表搜索' };
  beforeAll(async () => {
    await addDeck(
      Array.from({ length: 23 }, (_, at) => ({ title: `${keyword}${at}`, page: 1 + (at % 12) })),
      { name: '多图' },
    );
  });
  const tokens = {
    visitor: async () => undefined,
    ordinary: async () => (await addBuyer()).token,
    standard: async () => (await addBuyer({ tier: 1 })).token,
    advanced: async () => (await addBuyer({ tier: 2 })).token,
  };

  it.each(['visitor', 'ordinary', 'standard'] as const)(
    '%s: ten of a keyword, and 32 for every later page',
    async (who) => {
      const token = await tokens[who]();
      const first = await search({ keyword }, token);
      expect(first).toMatchObject({ code: 0, data: { total: 23, limited: 1, visible_count: 10, page_size: 20 } });
      expect(first.data?.charts).toHaveLength(10);
      expect(await found({ keyword, pageSize: 50 }, token)).toHaveLength(10);
      for (const page of [2, 3, 900])
        expect(await search({ keyword, page }, token)).toMatchObject({
          ...REFUSED,
          data: { charts: [], total: 23, limited: 1 },
        });
    },
  );
  it('advanced: twenty a page, to the end', async () => {
    const token = await tokens.advanced();
    const first = await search({ keyword }, token);
    expect(first).toMatchObject({ code: 0, data: { total: 23, limited: 0, visible_count: 23 } });
    const second = await found({ keyword, page: 2 }, token);
    expect([...(first.data?.charts ?? []), ...second].map(({ id }) => id)).toHaveLength(23);
    expect(second).toHaveLength(3);
    expect(await found({ keyword, page: 3 }, token)).toEqual([]);
  });
  it('browsing without a keyword is never limited, the newest document first', async () => {
    const pages = await Promise.all([1, 2].map((page) => search({ page })));
    for (const { code, data } of pages) expect({ code, limited: data?.limited }).toEqual({ code: 0, limited: 0 });
    const ids = pages.flatMap(({ data }) => data?.charts.map(({ id }) => id) ?? []);
    expect(new Set(ids).size).toBe(Math.min(40, pages[0]?.data?.total ?? 0));
  });
  it('pictures are those of the pages that the reader may see', async () => {
    const pictured = async (token?: string) =>
      (await found({ keyword, pageSize: 50 }, token)).filter(({ online_url }) => online_url !== '');
    expect(await pictured()).toEqual([]);
    for (const who of ['ordinary', 'standard'] as const)
      for (const { page } of await pictured(await tokens[who]())) expect(page).toBeLessThanOrEqual(10);
    expect(await pictured(await tokens.advanced())).toHaveLength(23);
  });
  it('a session that is over sees what a visitor sees', async () => {
    const { code, data } = await search({ keyword }, 'no-such-token');
    expect({ code, limited: data?.limited }).toEqual({ code: 0, limited: 1 });
    expect(data?.charts.filter(({ online_url }) => online_url !== '')).toEqual([]);
  });
});

describe('careless and hostile input', () => {
  it.each(ODD_TEXTS)('keyword %j', async (keyword) => {
    expect((await search({ keyword })).code).toBe(0);
  });
  it.each(ODD_PAGES)('numbers %j', async (odd) => {
    for (const name of ['page', 'pageSize', 'typeId', 'industryId', 'dateRange', 'startTime', 'endTime', 'keyword'])
      expect((await search({ [name]: odd })).code).toBe(0);
  });
});
