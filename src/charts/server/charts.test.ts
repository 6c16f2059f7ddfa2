import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../tests/people.ts';
import { addPublished, type PublishedDocument } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { entitlements } from '../../membership/server/tables.ts';
import { CODE } from '../../protocol/codes.ts';
import { expectOk } from '../../protocol/call.ts';
import { getDetail } from '../../reading/contract.ts';
import { serveMedia } from '../../reading/server/serve-media.ts';
import type { FoundChart } from '../chart-data.ts';
import { CHART_TYPES } from '../chart-types.ts';
import { listChartTypes } from '../contract.ts';
import { findChartData, listCharts } from './list-charts.ts';
import { chartKeys, recordCharts } from './record-charts.ts';
import { chartTypes } from './tables.ts';

let app: TestApp;
let deck: PublishedDocument;
let fileId = 0;
let member: Awaited<ReturnType<typeof addPerson>>;

const chart = (page: number, change: Partial<FoundChart> = {}): FoundChart => ({
  page,
  type: 'pie',
  title: `第${page}页的图`,
  data: {
    categories: ['a'],
    series: [{ name: 's', type: 'pie', values: [page], unit: '%' }],
    categoryAxis: '',
    valueAxis: '',
  },
  frame: { x: 0, y: 0, width: 0.5, height: 0.5 },
  image: { width: 900, height: 500 },
  ...change,
});

async function fileOf(id: number): Promise<number> {
  return (await findDocument(app.ctx, id))?.fileId ?? 0;
}

beforeAll(async () => {
  app = await openTestApp();
  member = await addPerson(app);
  deck = await addPublished(app, { name: '图表方案', industry: '餐饮', pageCount: 14 });
  fileId = await fileOf(deck.id);
  await recordCharts(app.ctx, fileId, [chart(2), chart(12, { type: 'combo', title: '' }), chart(3, { image: null })]);
});
afterAll(() => app.close());

it('the table holds the types that the code knows', async () => {
  const rows = await app.ctx.db.select().from(chartTypes).orderBy(chartTypes.position);
  expect(rows.map(({ id, code, name }) => ({ id, code, name }))).toEqual(CHART_TYPES.map((type) => ({ ...type })));
});

it('lists the types for anyone', async () => {
  const { data } = expectOk(await app.call(listChartTypes, {}));
  expect(data).toEqual(CHART_TYPES.map(({ id, name }) => ({ id, name })));
  const get = await app.fetch('/api/tag/chartTypeList');
  expect(await get.json()).toMatchObject({ code: CODE.ok });
});

describe('recording', () => {
  it('twice changes nothing, not even ids', async () => {
    const { id } = await addPublished(app);
    const file = await fileOf(id);
    await recordCharts(app.ctx, file, [chart(1), chart(2)]);
    const before = await listCharts(app.ctx, file);
    await recordCharts(app.ctx, file, [chart(1), chart(2)]);
    expect(await listCharts(app.ctx, file)).toEqual(before);
  });

  it('at the same time leaves one set', async () => {
    const { id } = await addPublished(app);
    const file = await fileOf(id);
    await Promise.all(
      [4, 2, 3, 1].map((count) =>
        recordCharts(
          app.ctx,
          file,
          Array.from({ length: count }, (_, n) => chart(n + 1)),
        ),
      ),
    );
    const charts = await listCharts(app.ctx, file);
    expect(charts.map(({ number, page }) => number === page)).not.toContain(false);
    await recordCharts(app.ctx, file, [chart(1)]);
    expect(await listCharts(app.ctx, file)).toHaveLength(1);
  });

  it('names charts without a title by their page, then by their type', async () => {
    const { id } = await addPublished(app);
    const file = await fileOf(id);
    const titles = new Map([[1, '预算']]);
    await recordCharts(app.ctx, file, [chart(1, { title: '' }), chart(2, { title: '' })], titles);
    expect((await listCharts(app.ctx, file)).map(({ name }) => name)).toEqual(['预算', '饼图']);
  });

  it('keeps the numbers', async () => {
    expect(await findChartData(app.ctx, fileId, 1)).toEqual(chart(2).data);
    expect(await findChartData(app.ctx, fileId, 99)).toBeNull();
  });
});

describe('in the detail', () => {
  it('a member sees all, with pictures of the preview pages', async () => {
    const { detail } = expectOk(await app.call(getDetail, { fid: deck.id }, member.token));
    expect(detail.chart_list).toMatchObject([
      {
        name: '第2页的图',
        type: { id: 4, name: '饼图' },
        industry: { name: '餐饮' },
        fid: deck.id,
        page: 2,
        file: { name: '图表方案' },
        width: 900,
        height: 500,
      },
      { name: '组合图', page: 12, online_url: '', width: 0 },
      { name: '第3页的图', page: 3, online_url: '', width: 0 },
    ]);
    expect(detail.chart_list[0]?.online_url).toMatch(
      new RegExp(`^/media/${deck.mediaKey}/c1\\.webp\\?e=\\d+&s=[\\w-]{24}$`),
    );
  });

  it('an owner of the document sees the pictures of every page', async () => {
    const owner = await addPerson(app);
    await app.ctx.db.insert(entitlements).values({ userId: owner.id, documentId: deck.id, method: 'free' });
    const { detail } = expectOk(await app.call(getDetail, { fid: deck.id }, owner.token));
    expect(detail.chart_list[1]?.online_url).toContain('/c2.webp?');
  });

  it('a visitor sees none', async () => {
    const reply = await app.call(getDetail, { fid: deck.id });
    expect(reply).toMatchObject({ code: CODE.notLoggedIn, data: { detail: { chart_list: [] } } });
  });
});

describe('a picture', () => {
  const get = (path: string, token?: string) =>
    serveMedia(app.ctx, new Request(new URL(path, 'http://ceku.test'), { headers: token ? { token } : {} }));

  async function linked(): Promise<{ url: string; shelved: PublishedDocument }> {
    const shelved = await addPublished(app);
    await recordCharts(app.ctx, await fileOf(shelved.id), [chart(1), chart(2)]);
    await writeFile(join(app.dataDir, 'chart'), 'picture');
    for (const number of [1, 2])
      await app.ctx.files.put(chartKeys(shelved.mediaKey, number).display, join(app.dataDir, 'chart'));
    await app.ctx.files.put(chartKeys(shelved.mediaKey, 1).original, join(app.dataDir, 'chart'));
    const { detail } = expectOk(await app.call(getDetail, { fid: shelved.id }, member.token));
    return { url: detail.chart_list[0]?.online_url ?? '', shelved };
  }

  it('is served only to the session that its link was made for', async () => {
    const { url } = await linked();
    const own = await get(url, member.token);
    expect([own.status, await own.text(), own.headers.get('cache-control')]).toEqual([
      200,
      'picture',
      'private, max-age=300',
    ]);
    expect((await get(url)).status).toBe(403);
    expect((await get(url, (await addPerson(app)).token)).status).toBe(403);
  });

  it('is not opened by the link of another chart, or of a page', async () => {
    const { url } = await linked();
    for (const other of ['/c2.webp', '/p1.webp', '/c1-original.webp']) {
      expect((await get(url.replace('/c1.webp', other), member.token)).status, other).toBeGreaterThanOrEqual(403);
    }
    expect((await get(url.split('?')[0] ?? '', member.token)).status).toBe(403);
  });

  it('runs out after two hours, and goes with its document', async () => {
    const { url, shelved } = await linked();
    app.clock.offsetMs = 2 * 60 * 60 * 1_000 + 1_000;
    expect((await get(url, member.token)).status).toBe(403);
    app.clock.offsetMs = 0;
    await hideDocument(app.ctx, shelved.id, 'operator');
    expect((await get(url, member.token)).status).toBe(404);
  });
});

it('charts go with their file', async () => {
  const { id } = await addPublished(app, { isPublished: false });
  const file = await fileOf(id);
  await recordCharts(app.ctx, file, [chart(1)]);
  const { documents, files } = await import('../../library/server/tables.ts');
  await app.ctx.db.delete(documents).where(eq(documents.id, id));
  await app.ctx.db.delete(files).where(eq(files.id, file));
  expect(await listCharts(app.ctx, file)).toEqual([]);
});
