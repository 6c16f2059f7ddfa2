import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson } from '../tests/people.ts';
import { smallPdf } from '../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { listDocuments } from '../src/library/contract.ts';
import { hideDocument } from '../src/library/server/documents.ts';
import { expectOk } from '../src/protocol/call.ts';
import { findShownPage } from '../src/library/server/catalogue.ts';
import { getDetail } from '../src/reading/contract.ts';
import { searchDocuments } from '../src/search/contract.ts';
import { searchCharts } from '../src/search/contract-charts.ts';
import { loadDemoPack } from './load-pack.ts';

let app: TestApp;
let folder: string;

beforeAll(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'ceku-pack-'));
  await mkdir(join(folder, 'files'));
  await addDeck('one.pdf', 'one');
  await addDeck('two.pdf', 'two');
  await writeFile(
    join(folder, 'manifest.csv'),
    [
      'file,name,themes,industry,organization,keyword,price,date,type,researcher',
      'files/one.pdf,云栖里中秋游园会,节日营销;快闪路演,房地产,青禾社,"中秋,游园",12,2026-09-01,策划方案,林溪',
      'two.pdf,山野咖啡开业方案,开业庆典,茶饮咖啡,,,0,2026-08-01,策划方案,',
    ].join('\n'),
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await app.close();
});

const CHART = {
  page: 2,
  type: 'column',
  title: '游园会客流',
  data: {
    categories: ['首日'],
    series: [{ name: '到场人数', type: 'column', values: [3_200], unit: '' }],
    categoryAxis: '',
    valueAxis: '',
  },
  frame: null,
  image: { width: 48, height: 27 },
  picture: 'p2.webp',
};

async function addDeck(name: string, text: string): Promise<void> {
  const bytes = smallPdf(text, 2);
  await writeFile(join(folder, 'files', name), bytes);
  const previews = join(folder, 'previews', createHash('sha256').update(bytes).digest('hex').slice(0, 16));
  await mkdir(previews, { recursive: true });
  const image = await sharp({ create: { width: 48, height: 27, channels: 3, background: '#c33' } })
    .webp()
    .toBuffer();
  // Larger covers and thumbnails are found by their names; a deck may lack them.
  const more = name === 'one.pdf' ? ['cover-960.webp', 'cover-1600.webp', 'strip.webp'] : [];
  for (const file of ['cover.webp', 'p1.webp', 'p2.webp', ...more]) await writeFile(join(previews, file), image);
  const page = (number: number) => ({ number, width: 1280, height: 720, text, image: `p${number}.webp` });
  await writeFile(
    join(previews, 'prepared.json'),
    JSON.stringify({
      fileType: 'pdf',
      pageCount: 2,
      pages: [page(1), page(2)],
      cover: { image: 'cover.webp', width: 480, height: 270, color: '#cc3333' },
      outline: [{ page: 1, title: '封面' }],
      textExcerpt: text,
      charts: name === 'one.pdf' ? [CHART] : [],
      pdf: null,
      flags: [],
    }),
  );
}

it('publishes the documents of the pack, ready to be found, read and downloaded', async () => {
  expect(await loadDemoPack(app.ctx, () => undefined, folder)).toEqual({ documents: 2 });
  const { files } = expectOk(await app.call(listDocuments, {}));
  expect(files.map((file) => file.name)).toEqual(['云栖里中秋游园会', '山野咖啡开业方案']);
  expect(files[0]).toMatchObject({ price: 12, time_text: '2026-09-01', industry: { name: '房地产' } });
  expect(expectOk(await app.call(searchDocuments, { search_key: '地产游园' })).total_count).toBe(1);
  const { token } = await addPerson(app);
  const { detail } = expectOk(await app.call(getDetail, { fid: files[0]?.id }, token));
  expect(detail).toMatchObject({ page_count: 2, keyword: '中秋,游园', researcher: { name: '林溪' } });
  expect(await app.ctx.files.stat(detail.share_url.slice(1))).toMatchObject({ size: expect.any(Number) });
  const mediaKey = detail.share_url.split('/')[2] ?? '';
  expect(detail.page_urls).toHaveLength(2);
  expect(detail.page_urls_2x).toEqual(['', '']);
  expect(detail.strip_url).not.toBe('');
  const covers = detail.cover_srcset.split(', ').map((one) => one.split(' ')[0]?.slice(1) ?? '');
  expect(covers).toHaveLength(3);
  for (const key of covers) expect(await app.ctx.files.stat(key)).toMatchObject({ size: expect.any(Number) });
  expect(files[1]?.cover_srcset).toMatch(/^\/media\/[^ ]+\/cover\.webp 480w$/);
  for (const page of [1, 2]) {
    const shown = await findShownPage(app.ctx, mediaKey, page);
    expect(await app.ctx.files.stat(shown?.key ?? '')).toMatchObject({ size: expect.any(Number) });
  }
});

it('brings the charts of the pack, with their pictures', async () => {
  const { charts } = expectOk(await app.call(searchCharts, { keyword: '到场人数' }));
  expect(charts).toMatchObject([{ name: '游园会客流', page: 2, has_numbers: 1, has_picture: 1 }]);
  const { token } = await addPerson(app);
  const [chart] = expectOk(await app.call(searchCharts, { keyword: '到场人数' }, token)).charts;
  expect(await app.ctx.files.stat(chart?.online_url.slice(1).split('?')[0] ?? '')).toMatchObject({
    size: expect.any(Number),
  });
});

it('adds nothing the second time, and brings back nothing that was hidden', async () => {
  const [first] = expectOk(await app.call(listDocuments, {})).files;
  await hideDocument(app.ctx, first?.id ?? 0, 'operator');
  expect(await loadDemoPack(app.ctx, () => undefined, folder)).toEqual({ documents: 0 });
  expect(expectOk(await app.call(listDocuments, {})).total_count).toBe(1);
});

it('adds nothing when there is no pack', async () => {
  expect(await loadDemoPack(app.ctx, () => undefined, join(folder, 'none'))).toEqual({ documents: 0 });
});
