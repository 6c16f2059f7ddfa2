import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync, zipSync } from 'fflate';
import { readFile, writeFile } from 'node:fs/promises';
import PptxGenJS from 'pptxgenjs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertToPdf, findConverter } from '../convert/convert-to-pdf.ts';
import { findProgram } from '../sandbox/run-child.ts';
import { extractCharts, type ExtractedChart } from './extract-charts.ts';
import { readCharts } from './read-charts.ts';
import { shareOf } from '../../../../tests/samples/share-of-colour.ts';

const canConvert = findConverter() !== null;
const CONVERT_MS = 120_000;
let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-charts-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Place = { x: number; y: number; w: number; h: number };
const RED = 'FF0000';
const MONTHS = ['一月', '二月', '三月'];
const sales = [{ name: '销量', labels: MONTHS, values: [10, 20, 30] }];
const two = [...sales, { name: '成本', labels: MONTHS, values: [5, 6, 7] }];

/** Slide after slide, as pptxgenjs writes them; the size is 13.33 by 7.5 inches. */
async function deckOf(name: string, draw: (deck: PptxGenJS) => void): Promise<string> {
  const deck = new PptxGenJS();
  deck.layout = 'LAYOUT_WIDE';
  draw(deck);
  const path = join(folder, `${name}.pptx`);
  await deck.writeFile({ fileName: path });
  return path;
}

describe('a deck with every kind of chart pptxgenjs can make', () => {
  const at: Place = { x: 1, y: 1, w: 6, h: 4 };
  const kinds = ['area', 'bar', 'bar3D', 'bubble', 'doughnut', 'line', 'pie', 'radar', 'scatter'] as const;
  const points = [
    { name: 'X', values: [1, 2, 3] },
    { name: 'Y', values: [4, 5, 6], sizes: [7, 8, 9] },
  ];
  let path = '';
  beforeAll(async () => {
    path = await deckOf('kinds', (deck) => {
      for (const kind of kinds) {
        const data =
          kind === 'bubble' || kind === 'scatter' ? points : ['pie', 'doughnut'].includes(kind) ? sales : two;
        deck.addSlide().addChart(kind, data, { ...at, showTitle: true, title: `图 ${kind}` });
      }
      deck.addSlide().addChart('bar', two, {
        ...at,
        barDir: 'bar',
        valAxisLabelFormatCode: '0%',
        showValAxisTitle: true,
        valAxisTitle: '单位：万元',
      });
      deck.addSlide().addChart(
        [
          { type: 'bar', data: sales, options: {} },
          {
            type: 'line',
            data: [{ name: '增速', labels: MONTHS, values: [0.1, 0.2, 0.3] }],
            options: { secondaryValAxis: true, secondaryCatAxis: true },
          },
        ],
        // For a combo chart pptxgenjs expects the options in the place of the data.
        { ...at, valAxes: [{}, {}], catAxes: [{}, { catAxisHidden: true }] } as unknown as never[],
      );
    });
  });

  it('is read kind by kind', async () => {
    const { pages, charts } = await readCharts(path);
    expect(pages).toBe(11);
    expect(charts.map(({ page, type }) => [page, type])).toEqual(
      ['area', 'column', 'column', 'bubble', 'doughnut', 'line', 'pie', 'radar', 'scatter', 'bar', 'combo'].map(
        (type, index) => [index + 1, type],
      ),
    );
    expect(charts.slice(0, 9).map(({ title }) => title)).toEqual(kinds.map((kind) => `图 ${kind}`));
  });

  it('with its numbers', async () => {
    const { charts } = await readCharts(path);
    const dataOf = (index: number) => charts[index]?.data;
    expect(dataOf(1)).toMatchObject({
      categories: MONTHS,
      series: [
        { name: '销量', type: 'column', values: [10, 20, 30] },
        { name: '成本', type: 'column', values: [5, 6, 7] },
      ],
    });
    expect(dataOf(6)).toMatchObject({ categories: MONTHS, series: [{ name: '销量', values: [10, 20, 30] }] });
    expect(dataOf(8)?.series).toMatchObject([{ name: 'Y', xs: [1, 2, 3], values: [4, 5, 6] }]);
    expect(dataOf(3)?.series).toMatchObject([{ xs: [1, 2, 3], values: [4, 5, 6], sizes: [7, 8, 9] }]);
    expect(dataOf(9)).toMatchObject({ valueAxis: '单位：万元' });
    expect(dataOf(10)?.series.map(({ name, type }) => [name, type])).toEqual([
      ['销量', 'column'],
      ['增速', 'line'],
    ]);
  });

  it('stands where it was put', async () => {
    const { charts } = await readCharts(path);
    expect(charts[0]?.frame?.x).toBeCloseTo(1 / 13.333, 3);
    expect(charts[0]?.frame?.height).toBeCloseTo(4 / 7.5, 3);
  });
});

describe.runIf(canConvert)('pictures', () => {
  const place: Place = { x: 7, y: 0.5, w: 5, h: 3 };
  const red = {
    chartColors: [RED],
    catAxisHidden: true,
    valAxisHidden: true,
    valGridLine: { style: 'none' as const },
    barGapWidthPct: 0,
  };
  const full = [{ name: '满', labels: ['a', 'b'], values: [100, 100] }];

  async function extract(name: string, change: (xml: string, slide: string) => string = (xml) => xml) {
    const made = await deckOf(name, (deck) => {
      const hidden = deck.addSlide();
      hidden.hidden = true;
      hidden.addChart('pie', sales, place);
      deck.addSlide().addText('没有图表的一页', { x: 1, y: 1, w: 5, h: 1 });
      const slide = deck.addSlide();
      slide.background = { color: '0000FF' };
      slide.addChart('bar', full, { ...place, ...red, valAxisMaxVal: 100, valAxisMinVal: 0 });
    });
    const entries = unzipSync(await readFile(made));
    for (const [part, bytes] of Object.entries(entries)) {
      if (/^ppt\/slides\/slide\d+\.xml$/.test(part))
        entries[part] = Buffer.from(change(Buffer.from(bytes).toString(), part));
    }
    const path = join(folder, `${name}-changed.pptx`);
    await writeFile(path, zipSync(entries));
    const workDir = await mkdtemp(join(folder, 'work-'));
    const pdf = await convertToPdf({ path, fileType: 'pptx', workDir, slides: 3 });
    return { path, pdf, workDir, charts: await extractCharts({ path, pdf, workDir }) };
  }

  async function expectExactCut(charts: ExtractedChart[]) {
    expect(charts).toHaveLength(1);
    const [chart] = charts;
    // The hidden slide before it has no page of its own, and its chart is not found.
    expect(chart).toMatchObject({ page: 2, type: 'column', title: '满' });
    if (!chart?.files || !chart.image) throw new Error('there is no picture');
    // 5 of 13.33 inches at 1,920 px, and a margin on both sides.
    expect(Math.abs(chart.image.width - (720 + 2 * 11.5))).toBeLessThan(4);
    expect(chart.image.width / chart.image.height).toBeCloseTo(743 / 455, 1);
    // The whole chart is in it, and of the blue slide only the margin and what the chart leaves clear.
    expect(await shareOf(chart.files.display, [255, 0, 0])).toBeGreaterThan(0.6);
    const { width, height } = await sharp(chart.files.original).metadata();
    expect([width, height]).toEqual([chart.image.width, chart.image.height]);
  }

  it(
    'are cut where the chart is drawn, hidden slides or not',
    async () => {
      const { charts } = await extract('hidden');
      await expectExactCut(charts);
    },
    CONVERT_MS,
  );

  it(
    'are cut in a group, too',
    async () => {
      // The group's own space is ten times as fine as the slide's and starts elsewhere.
      const { charts } = await extract('grouped', (xml) =>
        xml.includes('0000FF')
          ? xml.replace(/<p:graphicFrame[\s\S]*<\/p:graphicFrame>/, (frame) => {
              const [, x = 0, y = 0] = /<a:off x="(\d+)" y="(\d+)"/.exec(frame)?.map(Number) ?? [];
              const [, cx = 0, cy = 0] = /<a:ext cx="(\d+)" cy="(\d+)"/.exec(frame)?.map(Number) ?? [];
              const inner = frame
                .replace(/<a:off [^>]*>/, '<a:off x="5000" y="5000"/>')
                .replace(/<a:ext cx[^>]*>/, `<a:ext cx="${cx * 10}" cy="${cy * 10}"/>`);
              return `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="900" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/><a:chOff x="5000" y="5000"/><a:chExt cx="${cx * 10}" cy="${cy * 10}"/></a:xfrm></p:grpSpPr>${inner}</p:grpSp>`;
            })
          : xml,
      );
      await expectExactCut(charts);
    },
    CONVERT_MS,
  );

  it(
    'are left out, and the numbers kept, when pages and slides differ',
    async () => {
      const { path, workDir } = await extract('fewer');
      const other = await deckOf('one', (deck) => void deck.addSlide().addText('一页', { x: 1, y: 1, w: 3, h: 1 }));
      const pdf = await convertToPdf({ path: other, fileType: 'pptx', workDir, slides: 1 });
      for (const wrong of [pdf, null]) {
        const charts = await extractCharts({ path, pdf: wrong, workDir });
        expect(charts).toMatchObject([{ image: null, files: null, data: { series: [{ values: [100, 100] }] } }]);
      }
    },
    CONVERT_MS,
  );
});

const CORPUS = fileURLToPath(new URL('../../../../../shared/corpus/good', import.meta.url));

describe.runIf(existsSync(CORPUS) && findProgram('unzip') !== null)('real decks', () => {
  const decks = existsSync(CORPUS) ? readdirSync(CORPUS).filter((name) => name.endsWith('.pptx')) : [];
  const unzip = (deck: string, part: string) =>
    execFileSync('unzip', ['-p', join(CORPUS, deck), part], { maxBuffer: 1 << 28 }).toString();

  /** Counted another way: chart parts that slides without `show="0"` point to, their kind by the first plot's tag. */
  function countByGrep(deck: string): string[] {
    const parts = execFileSync('unzip', ['-Z1', join(CORPUS, deck)])
      .toString()
      .split('\n');
    return parts
      .filter((part) => /^ppt\/slides\/_rels\/[^/]+\.rels$/.test(part))
      .filter((rels) => !/<p:sld\b[^>]*show="0"/.test(unzip(deck, rels.replace('_rels/', '').replace('.rels', ''))))
      .flatMap((rels) =>
        [...unzip(deck, rels).matchAll(/Target="\.\.\/(charts\/chart[^"]*)"/g)].map(([, at]) => at ?? ''),
      )
      .map((part) => {
        const xml = unzip(deck, `ppt/${part}`);
        const tag = /<c:(bar|line|pie|doughnut|area|radar|scatter|bubble)(3D)?Chart>/.exec(xml)?.[1];
        const kind = tag === 'bar' && /barDir val="col"/.test(xml) ? 'column' : tag;
        return `${kind} ${(xml.match(/<c:ser>/g) ?? []).length}`;
      })
      .sort();
  }

  /** The two objects of Microsoft Graph in these decks, looked at by eye: both are column charts, listed without numbers. */
  const objectsOf = (deck: string) => (deck.includes('Vertiefungsvortrag') ? ['column 0', 'column 0'] : []);

  it(
    'give up every chart, with its kind and series',
    async () => {
      let total = 0;
      for (const deck of decks) {
        const { charts } = await readCharts(join(CORPUS, deck));
        const found = charts.map(({ type, data }) => `${type} ${data.series.length}`).sort();
        expect(found, deck).toEqual([...countByGrep(deck), ...objectsOf(deck)].sort());
        for (const { data } of charts) {
          for (const { values } of data.series)
            expect(
              values.some((value) => value !== null),
              deck,
            ).toBe(true);
        }
        total += found.length;
      }
      expect(total).toBeGreaterThan(0);
    },
    CONVERT_MS,
  );
});
