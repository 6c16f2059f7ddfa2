import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import PptxGenJS from 'pptxgenjs';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { convertToPdf, findConverter } from '../convert/convert-to-pdf.ts';
import { compoundFile, graphStream } from '../../../../tests/samples/biff.ts';
import { extractCharts } from './extract-charts.ts';
import { readCharts } from './read-charts.ts';
import { shareOf } from '../../../../tests/samples/share-of-colour.ts';

const CONVERT_MS = 120_000;
let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-objects-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Place = { x: number; y: number; w: number; h: number };
const EMU = 914_400;
const xfrm = ({ x, y, w, h }: Place) =>
  `<a:off x="${x * EMU}" y="${y * EMU}"/><a:ext cx="${w * EMU}" cy="${h * EMU}"/>`;
const shape = (name: string, attributes = '') => `<p:cNvPr id="7" name="${name}"${attributes}/>`;
/** The XML that PowerPoint writes: the object in mc:Choice, and the picture to draw in mc:Fallback. */
const object = (at: Place, id: string, program: string) => {
  const ole = (inner: string) =>
    `<p:oleObj name="Chart" r:id="${id}" imgW="0" imgH="0" progId="${program}"><p:embed/>${inner}</p:oleObj>`;
  const drawn = `<p:pic><p:nvPicPr>${shape('')}<p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rIdImage"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>${xfrm(at)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`;
  return `<p:graphicFrame><p:nvGraphicFramePr>${shape('Object 2')}<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${xfrm(at)}</p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole"><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice xmlns:v="urn:schemas-microsoft-com:vml" Requires="v">${ole('')}</mc:Choice><mc:Fallback>${ole(drawn)}</mc:Fallback></mc:AlternateContent></a:graphicData></a:graphic></p:graphicFrame>`;
};
const picture = (at: Place, attributes: string, name = '图片 4') =>
  `<p:pic><p:nvPicPr>${shape(name, attributes)}<p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rIdImage"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>${xfrm(at)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`;
const AUTOMATIC = ' descr="图表, 折线图&#10;&#10;描述已自动生成"';
const place: Place = { x: 7, y: 0.5, w: 5, h: 3 };
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A deck of slides with these shapes on blue, and what they point to: `rIdGraph`, `rIdBad`, `rIdFar`, `rIdImage`. */
async function deckWith(name: string, slides: { shapes: string; hidden?: boolean }[]): Promise<string> {
  const deck = new PptxGenJS();
  deck.layout = 'LAYOUT_WIDE';
  for (const { hidden } of slides) {
    const slide = deck.addSlide();
    slide.background = { color: '0000FF' };
    if (hidden) slide.hidden = true;
  }
  const path = join(folder, `${name}.pptx`);
  await deck.writeFile({ fileName: path });
  const parts = unzipSync(await readFile(path));
  const change = (part: string, from: string, to: string) => {
    const text = Buffer.from(parts[part] ?? []).toString();
    expect(text, part).toContain(from);
    parts[part] = Buffer.from(text.replace(from, to));
  };
  const relationship = (id: string, type: string, target: string, more = '') =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${more}/>`;
  for (const [index, { shapes }] of slides.entries()) {
    change(`ppt/slides/slide${index + 1}.xml`, '</p:spTree>', `${shapes}</p:spTree>`);
    change(
      `ppt/slides/_rels/slide${index + 1}.xml.rels`,
      '</Relationships>',
      `${relationship('rIdGraph', 'oleObject', '../embeddings/oleObject1.bin')}${relationship('rIdBad', 'oleObject', '../embeddings/oleObject2.bin')}${relationship('rIdFar', 'oleObject', 'file:///C:/sales.xls', ' TargetMode="External"')}${relationship('rIdImage', 'image', '../media/image9.png')}</Relationships>`,
    );
  }
  change(
    '[Content_Types].xml',
    '</Types>',
    '<Default Extension="bin" ContentType="application/vnd.openxmlformats-officedocument.oleObject"/></Types>',
  );
  parts['ppt/embeddings/oleObject1.bin'] = new Uint8Array(compoundFile('Workbook', graphStream()));
  parts['ppt/embeddings/oleObject2.bin'] = Buffer.from('damaged');
  parts['ppt/media/image9.png'] = await sharp({
    create: { width: 50, height: 30, channels: 3, background: '#FF0000' },
  })
    .png()
    .toBuffer();
  await writeFile(path, zipSync(parts));
  return path;
}

it('objects and pictures are read in their order, and damaged parts are left out', async () => {
  const path = await deckWith('objects', [
    { shapes: object(place, 'rIdGraph', 'MSGraph.Chart.8'), hidden: true },
    { shapes: picture({ ...place, w: 3 }, AUTOMATIC) },
    {
      shapes: [
        picture(place, `${AUTOMATIC} title="各城市销量"`),
        object(place, 'rIdBad', 'MSGraph.Chart.8'),
        object(place, 'rIdGraph', 'MSGraph.Chart.8'),
        object(place, 'rIdFar', 'Excel.Chart.8'),
        object(place, 'rIdNone', 'Excel.Chart.8'),
        picture(place, ' title="Chart"', 'Google Shape;12;p3'),
        object(place, 'rIdGraph', 'Excel.Sheet.8'),
      ].join(''),
    },
  ]);
  const { pages, charts } = await readCharts(path);
  expect(pages).toBe(2);
  const bare = { page: 2, data: { categories: [], series: [] }, isDrawn: true };
  expect(charts).toMatchObject([
    { ...bare, type: 'line', title: '各城市销量' },
    { ...bare, type: 'column', title: '' },
    { ...bare, type: 'other', title: '' },
    { ...bare, type: 'other', title: '' },
  ]);
  expect(charts[1]?.frame?.x).toBeCloseTo(7 / 13.333, 3);
});

it.runIf(findConverter() !== null)(
  'objects and pictures are cut from the page where they stand',
  async () => {
    const path = await deckWith('cut-objects', [
      { shapes: '', hidden: true },
      { shapes: object(place, 'rIdGraph', 'MSGraph.Chart.8') },
      { shapes: picture(place, AUTOMATIC) },
    ]);
    const workDir = await mkdtemp(join(folder, 'work-'));
    const pdf = await convertToPdf({ path, fileType: 'pptx', workDir, slides: 3 });
    const charts = await extractCharts({ path, pdf, workDir });
    expect(charts).toMatchObject([
      { page: 1, type: 'column', data: { series: [] } },
      { page: 2, type: 'line', data: { series: [] } },
    ]);
    for (const { files, image } of charts) {
      if (!files || !image) throw new Error('there is no picture');
      expect(Math.abs(image.width - (720 + 2 * 11.5))).toBeLessThan(4);
      // The picture, and a margin of the blue slide around it.
      expect(await shareOf(files.display, [255, 0, 0])).toBeGreaterThan(0.85);
      expect(await shareOf(files.display, [0, 0, 255])).toBeGreaterThan(0.02);
    }
  },
  CONVERT_MS,
);
