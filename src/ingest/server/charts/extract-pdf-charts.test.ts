import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pdfOf, type SamplePage } from '../../../../tests/samples/pdf.ts';
import { extractPdfCharts } from './extract-pdf-charts.ts';
import { shareOf } from '../../../../tests/samples/share-of-colour.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-figures-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function extract(pages: SamplePage[], change: (pdf: Buffer) => Buffer = (pdf) => pdf) {
  const workDir = await mkdtemp(join(folder, 'work-'));
  const pdf = join(workDir, 'some.pdf');
  await writeFile(pdf, change(pdfOf({ pages })));
  return extractPdfCharts({ pdf, workDir });
}

const BARS = '图表, 条形图\n\n描述已自动生成';
/** Half of the width and half of the height of a page of 960 by 540, at its upper right corner, in red on blue. */
const box: [number, number, number, number] = [480, 270, 960, 540];
const content = '0 0 1 rg 0 0 960 540 re f 1 0 0 rg 480 270 480 270 re f';

it('finds large figures that a program says are charts, and cuts them where they stand', async () => {
  const charts = await extract([
    { text: 'first' },
    {
      content,
      figures: [
        { alt: 'A chart I drew', box },
        { alt: BARS, box },
        { alt: BARS, box: [0, 0, 300, 150] },
        { alt: BARS },
        { alt: 'Chart, line chart Description automatically generated', box: [960, 540, 480, 270] },
      ],
    },
  ]);
  const frame = { x: 0.5, y: 0, width: 0.5, height: 0.5 };
  expect(charts).toMatchObject([
    { page: 2, type: 'bar', title: '', frame, data: { series: [] } },
    { page: 2, type: 'line', title: '', frame, data: { series: [] } },
  ]);
  const [first] = charts;
  if (!first?.files || !first.image) throw new Error('there is no picture');
  expect(Math.abs(first.image.width - (960 + 11.5))).toBeLessThan(3);
  expect(await shareOf(first.files.display, [255, 0, 0])).toBeGreaterThan(0.9);
  expect(await shareOf(first.files.display, [0, 0, 255])).toBeGreaterThan(0.01);
});

it('finds them on a page that is turned', async () => {
  const [chart] = await extract([{ content, rotate: 90, figures: [{ alt: BARS, box }] }]);
  // Turned clockwise, the upper right corner is the lower right one.
  expect(chart?.frame).toEqual({ x: 0.5, y: 0.5, width: 0.5, height: 0.5 });
  if (!chart?.files) throw new Error('there is no picture');
  expect(await shareOf(chart.files.display, [255, 0, 0])).toBeGreaterThan(0.9);
});

it('finds nothing where nothing is tagged', async () => {
  expect(await extract([{ text: 'Chart, bar chart Description automatically generated' }])).toEqual([]);
  // The figures are there, but the file does not call itself tagged.
  const unmarked = (pdf: Buffer) =>
    Buffer.from(pdf.toString('latin1').replace('/Marked true', '/Marked null'), 'latin1');
  expect(await extract([{ figures: [{ alt: BARS, box }] }], unmarked)).toEqual([]);
});

it('does not fall over damaged tags', async () => {
  const damages: [string, string][] = [
    ['/S /Figure', '/S 12     '],
    ['/BBox [480 270 960 540]', '/BBox [480 270 960    ]'],
    ['/BBox [480 270 960 540]', '/BBox [480 (a) 960 540]'],
    ['/Alt <', '/Alx <'],
    ['/ParentTree <<', '/ParentTrex <<'],
    ['/StructParents 0', '/StructParents 9'],
    // The document element becomes its own child.
    ['/K [8 0 R]', '/K [7 0 R]'],
  ];
  for (const [from, to] of damages) {
    const damage = (pdf: Buffer) => {
      const text = pdf.toString('latin1');
      expect(text, from).toContain(from);
      return Buffer.from(text.replace(from, to), 'latin1');
    };
    const charts = await extract([{ content, figures: [{ alt: BARS, box }] }], damage);
    expect(charts, to).toEqual([]);
  }
  expect(await extract([{ text: 'x' }], () => Buffer.from('%PDF-1.4 and nothing more'))).toEqual([]);
});

it('stops when its signal is aborted', async () => {
  const workDir = await mkdtemp(join(folder, 'work-'));
  const pdf = join(workDir, 'some.pdf');
  await writeFile(pdf, pdfOf({ pages: [{ figures: [{ alt: BARS, box }] }] }));
  const signal = AbortSignal.abort(new Error('stop'));
  await expect(extractPdfCharts({ pdf, workDir, signal })).rejects.toThrow('stop');
});
