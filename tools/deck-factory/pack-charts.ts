import type { FileType } from '../../src/library/file-types.ts';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { FoundChart } from '../../src/charts/chart-data.ts';
import type { PreparedChart, PreparedPage } from '../../src/ingest/prepared-file.ts';
import { cutOf } from '../../src/ingest/server/charts/cut-frame.ts';
import { extractPdfCharts } from '../../src/ingest/server/charts/extract-pdf-charts.ts';
import { readCharts } from '../../src/ingest/server/charts/read-charts.ts';

/** WebP quality of the pictures: they are cut from page images that were encoded at a lower one. */
const QUALITY = 50;

/**
 * Returns the charts of a deck and writes their pictures (`c1.webp`, `c2.webp` …) into `folder`, in place of those that lay there. A picture is cut
 * from the page image of the pack, without LibreOffice: small, and good enough until the site cuts a sharp one. A chart on a page without an
 * image, or without a frame, has no picture.
 */
export async function packCharts(deck: {
  path: string;
  fileType: FileType;
  folder: string;
  /** Image names are relative to `folder`. */
  pages: readonly PreparedPage[];
}): Promise<PreparedChart[]> {
  const { folder, pages } = deck;
  for (const name of await readdir(folder)) if (/^c\d+\.webp$/.test(name)) await rm(join(folder, name));
  const charts: PreparedChart[] = [];
  for (const [index, { chart, isDrawn }] of (await chartsOf(deck.path, deck.fileType)).entries()) {
    const image = pages.find(({ number }) => number === chart.page)?.image ?? null;
    const picture = isDrawn && image ? await cut(join(folder, image), chart, folder, `c${index + 1}.webp`) : null;
    charts.push({ ...chart, image: picture?.size ?? null, picture: picture?.name ?? null });
  }
  return charts;
}

/** `isDrawn` as in DeckCharts: LibreOffice has drawn the chart on its page. */
async function chartsOf(
  path: string,
  fileType: FileType,
): Promise<{ chart: Omit<FoundChart, 'image'>; isDrawn: boolean }[]> {
  if (fileType === 'ppt') return [];
  if (fileType === 'pptx') {
    const { charts } = await readCharts(path);
    return charts.map(({ isDrawn, ...chart }) => ({ chart, isDrawn }));
  }
  const workDir = await mkdtemp(join(tmpdir(), 'ceku-pack-charts-'));
  try {
    const charts = await extractPdfCharts({ pdf: path, workDir });
    return charts.map(({ files: _files, image: _image, ...chart }) => ({ chart, isDrawn: true }));
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function cut(image: string, { frame }: Pick<FoundChart, 'frame'>, folder: string, name: string) {
  const page = await sharp(image).metadata();
  const place = frame && cutOf(frame, page);
  if (!place) return null;
  const { width, height } = await sharp(image)
    .extract(place)
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(join(folder, name));
  return { name, size: { width, height } };
}
