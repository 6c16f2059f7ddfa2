import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PptxGenJS from 'pptxgenjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { findChartData, listCharts } from '../../../charts/server/list-charts.ts';
import { chartKeys } from '../../../charts/server/record-charts.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { listVersions } from '../../../library/server/versions/list-versions.ts';
import { ingestFiles } from './ingest-files.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { prepareStoredFile } from '../steps/prepare-stored-file.ts';
import { findConverter } from '../convert/soffice.ts';
import { selectFile } from '../store/files.ts';
import { selectItems } from '../store/items.ts';
import { deleteSteps, selectSteps } from '../store/steps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const LINES = [
  '滨江马拉松的参赛选手从老码头出发，穿过七座桥，在灯塔下冲线',
  '完赛奖牌取自江面的波纹，赛道每五公里设一处补给与医疗站',
  '志愿者分为起点、赛道、终点三组，赛前一周完成两轮培训',
  '夜跑预热社群每周三集合，跑者可以带一位朋友免费试跑',
];

/** A deck about a marathon, as a program names its first file; `more` is said on one page more. */
async function deckOf(name: string, more: string): Promise<string> {
  const deck = new PptxGenJS();
  deck.layout = 'LAYOUT_WIDE';
  deck.addSlide().addText('滨江国际马拉松赛事执行方案', { x: 1, y: 2, w: 10, h: 2, fontSize: 48 });
  for (const line of LINES) deck.addSlide().addText(line, { x: 1, y: 1, w: 10, h: 3 });
  deck.addSlide().addText(more, { x: 1, y: 1, w: 10, h: 3 });
  deck.addSlide().addChart('line', [{ name: '报名人数', labels: ['一周', '二周'], values: [900, 2_400] }], {
    x: 1,
    y: 1,
    w: 6,
    h: 4,
  });
  const path = join(app.folder, name);
  await deck.writeFile({ fileName: path });
  return path;
}

async function ingest(path: string): Promise<{ documentId: number; fileId: number }> {
  const { batchId } = await ingestFiles(app.ctx, { paths: [path], factsOf: () => null });
  const [item] = await selectItems(app.ctx.db, batchId, 10, 0);
  if (!item?.fileId || !item.documentId) throw new Error(`not accepted: ${item?.message}`);
  await prepareStoredFile(app.ctx, item.fileId, { number: 1, isLast: true, signal: undefined });
  return { documentId: item.documentId, fileId: item.fileId };
}

describe.runIf(findConverter() !== null)('a deck nobody described', () => {
  it('is published with name, labels, charts and a link to its other version', async () => {
    const first = await ingest(await deckOf('演示文稿1.pptx', '开幕式由城市合唱团领唱'));
    const document = await findDocument(app.ctx, first.documentId);
    expect(document).toMatchObject({
      state: 'published',
      name: '滨江国际马拉松赛事执行方案',
      industryName: '体育赛事',
    });
    expect(document?.themeIds.length).toBeGreaterThan(0);
    expect(document?.keyword).toContain('马拉松');

    const charts = await listCharts(app.ctx, first.fileId);
    expect(charts).toMatchObject([{ number: 1, page: 7, typeCode: 'line', name: '报名人数' }]);
    const keys = chartKeys(document?.mediaKey ?? '', 1);
    for (const key of [keys.display, keys.original]) expect(await app.ctx.files.stat(key), key).not.toBeNull();
    const steps = await selectSteps(app.ctx.db, first.fileId);
    expect(steps.filter(({ state }) => state !== 'done')).toEqual([]);
    expect(steps.map(({ step }) => step)).toEqual(expect.arrayContaining(['charts', 'fingerprint']));

    const second = await ingest(await deckOf('演示文稿2.pptx', '闭幕式改在灯塔广场'));
    const versions = new Set((await listVersions(app.ctx, first.fileId)).map(({ id }) => id));
    expect(versions).toEqual(new Set([first.documentId, second.documentId]));

    // Once more from the start: the same charts under the same ids, and what an operator reads is unchanged.
    await deleteSteps(app.ctx.db, first.fileId, false);
    expect((await selectFile(app.ctx.db, first.fileId))?.state).toBe('ready');
    await prepareStoredFile(app.ctx, first.fileId, { number: 1, isLast: true, signal: undefined });
    expect(await listCharts(app.ctx, first.fileId)).toEqual(charts);
    expect((await findDocument(app.ctx, first.documentId))?.name).toBe(document?.name);
  }, 180_000);
});

it('a tagged PDF is published with the figures that are tagged as charts', async () => {
  const path = join(app.folder, '市场报告.pdf');
  const figures = [{ alt: '图表, 饼图\n\n描述已自动生成', box: [0, 0, 480, 540] as [number, number, number, number] }];
  await writeFile(path, pdfOf({ pages: [{ text: 'cover' }, { text: 'share', figures }] }));
  const { documentId, fileId } = await ingest(path);
  const charts = await listCharts(app.ctx, fileId);
  expect(charts).toMatchObject([{ number: 1, page: 2, typeCode: 'pie', width: expect.any(Number) }]);
  expect(charts[0]?.width).toBeGreaterThan(900);
  const document = await findDocument(app.ctx, documentId);
  const keys = chartKeys(document?.mediaKey ?? '', 1);
  for (const key of [keys.display, keys.original]) expect(await app.ctx.files.stat(key), key).not.toBeNull();
  expect(await findChartData(app.ctx, fileId, 1)).toMatchObject({ series: [] });
}, 60_000);
