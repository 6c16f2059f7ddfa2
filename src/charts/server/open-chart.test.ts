import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import readXlsxFile from 'read-excel-file/node';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentFacts } from '../../../tests/documents.ts';
import { addPerson, logIn, type Person } from '../../../tests/people.ts';
import { addPublished, type PublishedDocument } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import { createDocument, hideDocument, publishDocument } from '../../library/server/documents.ts';
import { grantMembership } from '../../membership/server/grants.ts';
import { entitlements } from '../../membership/server/tables.ts';
import { expectOk } from '../../protocol/call.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { getDetail, getGuestDetail } from '../../reading/contract.ts';
import { serveMedia } from '../../reading/server/serve-media.ts';
import { searchDocuments } from '../../search/contract.ts';
import type { FoundChart } from '../chart-data.ts';
import { getChartNumbers, openOriginalChart } from '../contract.ts';
import { listCharts } from './list-charts.ts';
import { chartKeys, recordCharts } from './record-charts.ts';

let app: TestApp;
let ordinary: Person;
let standard: Person;
let advanced: Person;
let deck: PublishedDocument;
let charts: number[];

/** A value and a name that stand in no other answer. */
const SECRET = 987_654.321;
const SECRET_NAME = '仅高级会员可见的系列';

const CHART: FoundChart = {
  page: 3,
  type: 'combo',
  title: '渠道投放',
  data: {
    categories: ['小红书', '抖音'],
    series: [
      { name: SECRET_NAME, type: 'column', values: [SECRET, null], unit: '万元' },
      { name: '占比', type: 'line', values: [0.57, 0.43], unit: '%' },
    ],
    categoryAxis: '渠道',
    valueAxis: '',
  },
  frame: null,
  image: { width: 900, height: 500 },
};
const PICTURE_ONLY: FoundChart = {
  ...CHART,
  page: 12,
  title: '截图',
  data: { ...CHART.data, series: [], categories: [] },
};
const WITHOUT_PICTURE: FoundChart = { ...CHART, page: 4, title: '瀑布', type: 'waterfall', image: null };

async function addMember(tier: 1 | 2, days = 30): Promise<Person> {
  const person = await addPerson(app);
  await grantMembership(app.ctx, { userId: person.id, tier, days, reason: 'test' });
  return person;
}

async function addDeck(found: FoundChart[]): Promise<{ deck: PublishedDocument; ids: number[]; fileId: number }> {
  const added = await addPublished(app, { name: '茶饮春季方案', pageCount: 14 });
  const fileId = (await findDocument(app.ctx, added.id))?.fileId ?? 0;
  await recordCharts(app.ctx, fileId, found);
  return { deck: added, ids: (await listCharts(app.ctx, fileId)).map(({ id }) => id), fileId };
}

const numbers = (id: unknown, person?: { token: string }, fid?: number) =>
  app.call(getChartNumbers, { id, ...(fid && { fid }) }, person?.token);
const original = (id: unknown, person?: { token: string }) => app.call(openOriginalChart, { id }, person?.token);
const load = (path: string, token?: string, method = 'GET') =>
  serveMedia(app.ctx, new Request(new URL(path, 'http://ceku.test'), { method, headers: token ? { token } : {} }));

beforeAll(async () => {
  app = await openTestApp();
  ordinary = await addPerson(app);
  standard = await addMember(1);
  advanced = await addMember(2);
  const added = await addDeck([CHART, WITHOUT_PICTURE, PICTURE_ONLY]);
  deck = added.deck;
  charts = added.ids;
  const picture = join(app.dataDir, 'chart.webp');
  await writeFile(
    picture,
    await sharp({ create: { width: 960, height: 540, channels: 3, background: '#c8371f' } })
      .webp()
      .toBuffer(),
  );
  await app.ctx.files.put(chartKeys(deck.mediaKey, 1).original, picture);
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.offsetMs = 0;
});

describe('the numbers of a chart', () => {
  it('are given to an advanced member in their units, with links to files', async () => {
    const [id = 0] = charts;
    const data = expectOk(await numbers(id, advanced));
    expect(data).toMatchObject({
      id,
      fid: deck.id,
      name: '渠道投放',
      type: { id: 10, name: '组合图' },
      page: 3,
      unit: '',
      source: '来源：茶饮春季方案 第 3 页 · 策库',
      label_head: '渠道',
      labels: ['小红书', '抖音'],
      columns: [
        { name: SECRET_NAME, unit: '万元', values: [SECRET, null] },
        { name: '占比', unit: '%', values: [57, 43] },
      ],
      row_count: 2,
      column_count: 2,
    });
    expect(data.xlsx_url).toMatch(new RegExp(`^/media/charts/${id}\\.xlsx\\?d=${deck.id}&e=\\d+&s=[\\w-]{24}$`));
    expect(expectOk(await numbers(`${id}`, advanced)).id).toBe(id);
  });

  it('come as XLSX and CSV, named after the chart and its document', async () => {
    const { xlsx_url: xlsx, csv_url: csv } = expectOk(await numbers(charts[0], advanced));
    const workbook = await load(xlsx, advanced.token);
    expect(workbook.status).toBe(200);
    expect(workbook.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('渠道投放-茶饮春季方案-第3页.xlsx')}`,
    );
    expect(workbook.headers.get('cache-control')).toBe('private, no-store');
    const [sheet, source] = await readXlsxFile(Buffer.from(await workbook.arrayBuffer()));
    expect(sheet?.data).toEqual([
      ['渠道', `${SECRET_NAME} (万元)`, '占比'],
      ['小红书', SECRET, 0.57],
      ['抖音', null, 0.43],
    ]);
    expect(source?.data).toContainEqual(['来源', '来源：茶饮春季方案 第 3 页 · 策库']);
    expect(source?.data).toContainEqual(['地址', `http://ceku.test/detail/${deck.id}#p=3`]);

    const text = await load(csv, advanced.token);
    expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const bytes = Buffer.from(await text.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(parse(bytes, { bom: true })).toEqual([
      ['渠道', `${SECRET_NAME} (万元)`, '占比 (%)'],
      ['小红书', `${SECRET}`, '57'],
      ['抖音', '', '43'],
    ]);
    expect((await load(csv, advanced.token, 'HEAD')).headers.get('content-length')).toBe(`${bytes.length}`);
  });

  it('are a part of a long table, whose files are whole', async () => {
    const values = Array.from({ length: 300 }, (_, index) => index);
    const { ids } = await addDeck([
      {
        ...CHART,
        data: {
          ...CHART.data,
          categories: values.map((value) => `第${value}天`),
          series: Array.from({ length: 120 }, (_, index) => ({ name: `${index}`, type: 'line', values, unit: '人' })),
        },
      },
    ]);
    const data = expectOk(await numbers(ids[0], advanced));
    expect([data.labels.length, data.columns.length, data.columns[99]?.values.length]).toEqual([200, 100, 200]);
    expect([data.row_count, data.column_count, data.unit]).toEqual([300, 120, '人']);
    const rows = parse(Buffer.from(await (await load(data.csv_url, advanced.token)).arrayBuffer()), { bom: true });
    expect([rows.length, rows[0]?.length]).toEqual([301, 121]);
  });

  it('are empty for a chart that is only a picture', async () => {
    const data = expectOk(await numbers(charts[2], advanced));
    expect(data).toMatchObject({ labels: [], columns: [], row_count: 0, xlsx_url: '', csv_url: '' });
  });
});

describe('the original picture', () => {
  it('has its source on a strip below it', async () => {
    const { url, file_name: name, source } = expectOk(await original(charts[0], advanced));
    expect([name, source]).toEqual(['渠道投放-茶饮春季方案-第3页.png', '来源：茶饮春季方案 第 3 页 · 策库']);
    const response = await load(url, advanced.token);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    const png = Buffer.from(await response.arrayBuffer());
    const { width, height, format } = await sharp(png).metadata();
    expect([width, format]).toEqual([960, 'png']);
    expect(height).toBeGreaterThan(560);
    const reds = async (top: number, rows: number) => {
      const part = await sharp(png).extract({ left: 0, top, width: 960, height: rows }).toBuffer();
      const { channels } = await sharp(part).stats();
      return [channels[0]?.min ?? 0, channels[0]?.max ?? 0];
    };
    // The picture is whole above the strip, and the strip has dark text on white.
    const [darkest = 0, lightest = 255] = await reds(0, 540);
    expect(lightest - darkest).toBeLessThan(20);
    const [ink = 255, paper] = await reds(540, height - 540);
    expect([ink < 160, paper]).toEqual([true, 255]);
  });

  it('is not found where the chart has none, or the store lost it', async () => {
    expect(await original(charts[1], advanced)).toMatchObject({ code: 4 });
    const { url } = expectOk(await original(charts[2], advanced));
    expect((await load(url, advanced.token)).status).toBe(404);
  });
});

/** A chart costs no coins: the cheapest advanced plan is the only way, also for those who own the document. */
const planOnly = (tier: 0 | 1): unknown =>
  expect.objectContaining({
    is_vip: tier,
    cost: 0,
    missing: 0,
    pack: null,
    vip: expect.objectContaining({ tier: 2, price: 98 }),
    free_at: 0,
  });

describe('who may have a chart', () => {
  it('visitors are asked to log in; ordinary users, standard members and owners of the document are told what is needed', async () => {
    const owner = await addPerson(app);
    await app.ctx.db.insert(entitlements).values({ userId: owner.id, documentId: deck.id, method: 'free' });
    expect(await numbers(charts[0])).toMatchObject({ code: 10000, data: null });
    expect(await original(charts[0])).toMatchObject({ code: 10000, data: null });
    for (const [person, tier] of [
      [ordinary, 0],
      [standard, 1],
      [owner, 0],
    ] as const) {
      expect(await numbers(charts[0], person)).toEqual({
        code: 50,
        message: '开通高级VIP可查看图表数字',
        data: planOnly(tier),
      });
      expect(await original(charts[0], person)).toEqual({
        code: 50,
        message: '开通高级VIP可查看图表原图',
        data: planOnly(tier),
      });
    }
  });

  it('a membership that has ended gives nothing, and its links no longer work', async () => {
    const member = await addMember(2, 1);
    app.clock.offsetMs = DAY_MS - 60_000;
    const { csv_url: url } = expectOk(await numbers(charts[0], member));
    expect((await load(url, member.token)).status).toBe(200);
    app.clock.offsetMs = DAY_MS + 60_000;
    expect(await numbers(charts[0], member)).toMatchObject({ code: 50 });
    expect((await load(url, member.token)).status).toBe(403);
  });

  it('a link serves the session that it was made for, for two hours, and opens nothing else', async () => {
    const { xlsx_url: xlsx, csv_url: csv } = expectOk(await numbers(charts[0], advanced));
    const { url: png } = expectOk(await original(charts[0], advanced));
    const other = await addMember(2);
    const again = await logIn(app, advanced.username);
    for (const url of [xlsx, csv, png]) {
      expect((await load(url)).status).toBe(403);
      expect((await load(url, other.token)).status).toBe(403);
      expect((await load(url, again.token)).status).toBe(403);
      expect((await load(url.split('?')[0] ?? '', advanced.token)).status).toBe(403);
    }
    for (const changed of [
      xlsx.replace('.xlsx', '.png'),
      xlsx.replace('.xlsx', '.csv'),
      xlsx.replace(`/${charts[0]}.`, `/${charts[1]}.`),
      xlsx.replace(`d=${deck.id}`, `d=${deck.id + 1}`),
      xlsx.replace(/e=\d+/, 'e=9999999999'),
    ])
      expect((await load(changed, advanced.token)).status, changed).toBe(403);
    expect((await load('/media/charts/0.xlsx', advanced.token)).status).toBe(404);
    app.clock.offsetMs = 2 * 60 * 60 * 1_000 + 1_000;
    expect((await load(xlsx, advanced.token)).status).toBe(403);
  });

  it.each([0, -1, 1.5, 'abc', '1; drop table charts', '', null, {}, [], 999_999_999, '9'.repeat(40)])(
    'there is no chart %j',
    async (id) => {
      expect(await numbers(id, advanced)).toMatchObject({ code: 4, message: '内容不存在或已下架' });
      expect(await original(id, advanced)).toMatchObject({ code: 4 });
      expect(await numbers(id, ordinary)).toMatchObject({ code: 4 });
    },
  );
});

describe('a document that goes', () => {
  it('takes its charts with it', async () => {
    const { deck: other, ids } = await addDeck([CHART]);
    const { csv_url: url } = expectOk(await numbers(ids[0], advanced));
    expect((await load(url, advanced.token)).status).toBe(200);
    await hideDocument(app.ctx, other.id, 'copyright');
    expect(await numbers(ids[0], advanced)).toMatchObject({ code: 4 });
    expect(await original(ids[0], advanced)).toMatchObject({ code: 4 });
    expect((await load(url, advanced.token)).status).toBe(404);
  });

  it('leaves the charts to another document of the same content, which is then the source', async () => {
    const { deck: first, ids, fileId } = await addDeck([CHART]);
    const second = await createDocument(app.ctx, { ...documentFacts({ name: '同一内容' }), fileId });
    await publishDocument(app.ctx, second);
    expect(expectOk(await numbers(ids[0], advanced)).fid).toBe(first.id);
    expect(expectOk(await numbers(ids[0], advanced, second)).source).toBe('来源：同一内容 第 3 页 · 策库');
    expect(await numbers(ids[0], advanced, deck.id)).toMatchObject({ code: 4 });
    await hideDocument(app.ctx, first.id, 'operator');
    expect(await numbers(ids[0], advanced, first.id)).toMatchObject({ code: 4 });
    expect(expectOk(await numbers(ids[0], advanced)).fid).toBe(second);
  });
});

it('no other answer holds numbers or names of series, for any reader', async () => {
  const owner = await addPerson(app);
  await app.ctx.db.insert(entitlements).values({ userId: owner.id, documentId: deck.id, method: 'free' });
  for (const token of [undefined, ordinary.token, standard.token, owner.token, advanced.token]) {
    const answers = JSON.stringify([
      await app.call(getDetail, { fid: deck.id }, token),
      await app.call(getGuestDetail, { fid: deck.id }, token),
      await app.call(searchDocuments, { search_key: '茶饮春季方案' }, token),
    ]);
    // The answer repeats what was searched for, so the name of a series is searched for separately.
    expect(await app.call(searchDocuments, { search_key: SECRET_NAME }, token)).toMatchObject({ data: { total: 0 } });
    expect(answers).toContain('茶饮春季方案');
    expect(answers).not.toContain(SECRET_NAME);
    expect(answers).not.toMatch(/987,?654/);
  }
});

it('the detail says of each chart what it has; an advanced member sees the pictures of every page', async () => {
  const listed = async (person: Person) =>
    expectOk(await app.call(getDetail, { fid: deck.id }, person.token)).detail.chart_list;
  expect(
    (await listed(standard)).map((chart) => [chart.has_numbers, chart.has_picture, chart.online_url !== '']),
  ).toEqual([
    [1, 1, true],
    [1, 0, false],
    [0, 1, false],
  ]);
  expect((await listed(advanced)).map(({ online_url: url }) => url !== '')).toEqual([true, false, true]);
});
