import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PptxGenJS from 'pptxgenjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deckEntries, deckOf, zipOf } from '../../../../tests/samples/deck.ts';
import type { SampleDeck } from '../../../../tests/samples/deck.ts';
import { readPptxFacts } from './pptx-facts.ts';
import { sniffFile } from '../sniff/sniff-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-facts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function facts(bytes: Uint8Array) {
  const path = join(folder, 'deck');
  await writeFile(path, bytes);
  return readPptxFacts(path);
}
const factsOf = (deck: SampleDeck) => facts(deckOf(deck));

test('slides come in the order of the presentation, hidden ones left out', async () => {
  const deck = {
    slides: [
      { title: '封面' },
      { title: '备用', hidden: true, notes: '不讲' },
      { title: '目录', lines: ['一', '二'], notes: '讲慢一点' },
    ],
  };
  const { slides, hiddenSlides, width, height } = await factsOf(deck);
  expect(slides).toEqual([
    { title: '封面', text: '封面', notes: '' },
    { title: '目录', text: '目录\n一\n二', notes: '讲慢一点' },
  ]);
  expect(hiddenSlides).toBe(1);
  expect(width / height).toBeCloseTo(16 / 9);
});

const P14 = 'http://schemas.microsoft.com/office/powerpoint/2010/main';
/** As PowerPoint and WPS keep sections (MS-PPTX 2.2.3): every slide is named again, by its plain id. */
const SECTIONS = `<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst xmlns:p14="${P14}"><p14:section name="开场" id="{00000000-0000-4000-8000-000000000001}"><p14:sldIdLst><p14:sldId id="256"/></p14:sldIdLst></p14:section><p14:section name="执行" id="{00000000-0000-4000-8000-000000000002}"><p14:sldIdLst><p14:sldId id="257"/><p14:sldId id="258"/></p14:sldIdLst></p14:section><p14:section name="附录" id="{00000000-0000-4000-8000-000000000003}"><p14:sldIdLst/></p14:section></p14:sectionLst></p:ext></p:extLst>`;

test.for<[program: string, edit: (presentation: string) => string]>([
  ['PowerPoint, sections', (xml) => xml.replace('</p:presentation>', `${SECTIONS}</p:presentation>`)],
  [
    'PowerPoint, custom shows, a notes and a handout master',
    (xml) =>
      xml
        .replace(
          '<p:sldIdLst>',
          '<p:notesMasterIdLst><p:notesMasterId r:id="rId90"/></p:notesMasterIdLst><p:handoutMasterIdLst><p:handoutMasterId r:id="rId91"/></p:handoutMasterIdLst><p:sldIdLst>',
        )
        .replace(
          '</p:presentation>',
          `<p:custShowLst><p:custShow name="短版" id="0"><p:sldLst><p:sld r:id="rId12"/><p:sld r:id="rId10"/></p:sldLst></p:custShow></p:custShowLst>${SECTIONS}</p:presentation>`,
        ),
  ],
  [
    'WPS, tags and sections',
    (xml) =>
      xml.replace(
        '</p:presentation>',
        `<p:custDataLst><p:tags r:id="rId92"/></p:custDataLst>${SECTIONS}</p:presentation>`,
      ),
  ],
  [
    'Google Slides, its size with the height first and data of its own',
    (xml) =>
      xml
        .replace(/<p:sldSz[^>]*>/, '<p:sldSz cy="6858000" cx="12192000"/>')
        .replace(/<p:notesSz[^>]*>/, '<p:notesSz cy="9144000" cx="6858000"/>')
        .replace(/<p:sldId id="(\d+)" r:id="(\w+)"\/>/g, '<p:sldId id="$1" r:id="$2" xmlns:x="urn:x"/>')
        .replace(
          '</p:presentation>',
          '<p:extLst><p:ext uri="http://customooxmlschemas.google.com/"><go:slidesCustomData xmlns:go="http://customooxmlschemas.google.com/" r:id="rId93" roundtripDataSignature="x"/></p:ext></p:extLst></p:presentation>',
        ),
  ],
  [
    'Keynote, written over lines and with other prefixes',
    (xml) =>
      xml
        .replaceAll('p:', 'pml:')
        .replaceAll(':p=', ':pml=')
        .replaceAll(' r:id', '\n    rel:id')
        .replaceAll(':r=', ':rel=')
        .replace(/>\s*</g, '>\n  <'),
  ],
])('slides and size are the presentation’s own: %s', async ([, edit]) => {
  const entries = deckEntries({
    slides: [{ title: '封面' }, { title: '流程', hidden: true }, { title: '预算' }],
  }).map((entry) => (entry.name === 'ppt/presentation.xml' ? { ...entry, data: edit(String(entry.data)) } : entry));
  const { slides, hiddenSlides, width, height } = await facts(zipOf(entries));
  expect(slides.map(({ title }) => title)).toEqual(['封面', '预算']);
  expect(hiddenSlides).toBe(1);
  expect([width, height]).toEqual([12_192_000, 6_858_000]);
  const path = join(folder, 'sniffed.pptx');
  await writeFile(path, zipOf(entries));
  expect(await sniffFile(path)).toMatchObject({ ok: true, slideCount: 3 });
});

test.each([
  ['4:3', 9_144_000, 6_858_000],
  ['A4 upright', 6_858_000, 9_906_000],
  ['a phone', 6_858_000, 12_192_000],
  ['a wide wall', 36_576_000, 6_858_000],
])('the size of %s', async (_name, cx, cy) => {
  expect(await factsOf({ slides: [{}], size: { cx, cy } })).toMatchObject({ width: cx, height: cy });
});

test('comments are not part of the text of a slide', async () => {
  const { slides } = await factsOf({
    slides: [{ title: '预算' }],
    extra: [
      {
        name: 'ppt/comments/modernComment_100_0.xml',
        data: `<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p188:cm id="{1}"><p188:txBody><a:p><a:r><a:t>太贵</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>`,
      },
    ],
  });
  expect(slides).toEqual([{ title: '预算', text: '预算', notes: '' }]);
});

test('a slide with megabytes of beginnings of fields is read in one pass', async () => {
  const facts = await factsOf({ slides: [{ title: '预算', more: `<!--${'<a:fld '.repeat(500_000)}-->` }] });
  expect(facts).toMatchObject({ hasDateFields: false, slides: [{ title: '预算' }] });
});

test('entities, CDATA and line breaks are text', async () => {
  const { slides } = await factsOf({
    slides: [{ lines: ['A &amp; B &lt;3&gt; &#x5e74;&#20250;', 'x</a:t></a:r><a:br/><a:r><a:t>y', '<![CDATA[<b>]]>'] }],
  });
  expect(slides[0]?.text).toBe('A & B <3> 年会\nx\ny\n<b>');
});

test('text repeated in an AlternateContent is read once', async () => {
  const text = (said: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${said}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const more = `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x">${text('新')}</mc:Choice><mc:Fallback>${text('旧')}</mc:Fallback></mc:AlternateContent>`;
  expect((await factsOf({ slides: [{ more }] })).slides[0]?.text).toBe('新');
});

test('without a title placeholder the text set largest is the title', async () => {
  const deck = new PptxGenJS();
  const slide = deck.addSlide();
  slide.addText('01', { x: 0, y: 0, w: 1, h: 1, fontSize: 96 });
  slide.addText('说明文字在前面', { x: 0, y: 1, w: 5, h: 1, fontSize: 12 });
  slide.addText('新品上市发布会', { x: 0, y: 2, w: 5, h: 1, fontSize: 60 });
  slide.addNotes('开场白');
  // Asked for a Node buffer, it answers one.
  const { slides } = await facts((await deck.write({ outputType: 'nodebuffer' })) as Buffer);
  expect(slides[0]).toMatchObject({ title: '新品上市发布会', notes: '开场白' });
});

test('a slide part named five hundred times is read once', async () => {
  const entries = deckEntries({ slides: [{ lines: ['字'.repeat(200_000)] }] });
  const ids = Array.from({ length: 500 }, (_, index) => `<p:sldId id="${256 + index}" r:id="rId10"/>`).join('');
  const repeated = entries.map((entry) =>
    entry.name === 'ppt/presentation.xml'
      ? { ...entry, data: String(entry.data).replace(/<p:sldId .*?\/>/, ids) }
      : entry,
  );
  const archive = zipOf(repeated);
  const before = process.threadCpuUsage();
  expect((await facts(archive)).slides).toHaveLength(500);
  // Microseconds of processor time: reading the part each time takes a hundred times as long.
  expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
});

test.for<[what: string, deck: SampleDeck, code: string]>([
  ['every slide hidden', { slides: [{ hidden: true }] }, 'no-pages'],
  [
    'a slide that is not there',
    { slides: [{}], extra: [{ name: 'ppt/_rels/presentation.xml.rels', data: '<Relationships/>' }] },
    'corrupt',
  ],
])('%s', ([, deck, code]) => expect(factsOf(deck)).rejects.toMatchObject({ code }));

test('a slide of more shapes than a call takes arguments has a title all the same', { timeout: 60_000 }, async () => {
  const shape = '<p:sp><p:txBody><a:p><a:r><a:t>年会</a:t></a:r></a:p></p:txBody></p:sp>';
  const { slides } = await factsOf({ slides: [{ more: shape.repeat(140_000) }] });
  expect(slides[0]?.title).toBe('年会');
});

const box = (said: string, at: string, more: { hidden?: boolean; xfrm?: string } = {}) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="50" name="x"${more.hidden ? ' hidden="1"' : ''}/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm${more.xfrm ?? ''}>${at}</a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:rPr sz="9600"/><a:t>${said}</a:t></a:r></a:p></p:txBody></p:sp>`;
const at = (x: number, y: number, cx = 2_000_000, cy = 500_000) =>
  `<a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/>`;
const group = (place: string, children: string, more: { hidden?: boolean; xfrm?: string } = {}) =>
  `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="60" name="g"${more.hidden ? ' hidden="true"' : ''}/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm${more.xfrm ?? ''}>${place}</a:xfrm></p:grpSpPr>${children}</p:grpSp>`;
const inner = (place: string) => place.replace('a:off', 'a:chOff').replace('a:ext', 'a:chExt');
const ON = at(1_000_000, 1_000_000);
const TABLE = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="61" name="t"/></p:nvGraphicFramePr><p:xfrm>${at(-3_000_000, 0)}</p:xfrm><a:graphic><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>底价</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphic></p:graphicFrame>`;

test.for<[what: string, shapes: string, isText: boolean]>([
  ['a hidden shape', box('底价', ON, { hidden: true }), false],
  ['a shape of a hidden group', group(`${ON}${inner(ON)}`, box('底价', ON), { hidden: true }), false],
  ['a shape to the right of the slide', box('底价', at(12_192_000, 0)), false],
  ['a shape above the slide', box('底价', at(0, -500_000)), false],
  ['a table to the left of the slide', TABLE, false],
  ['a shape that is partly on the slide', box('底价', at(-1_999_999, 0)), true],
  ['a shape without a size at the edge', box('底价', at(0, 0, 0, 0)), true],
  ['a shape that is turned off the slide', box('底价', at(-1_500_000, 1_000_000), { xfrm: ' rot="5400000"' }), false],
  ['a shape that is turned onto the slide', box('底价', at(0, -600_000), { xfrm: ' rot="5400000"' }), true],
  [
    'a shape that its group moves onto the slide',
    group(`${ON}${inner(at(20_000_000, 20_000_000))}`, box('底价', at(20_000_000, 20_000_000))),
    true,
  ],
  ['a shape that its group moves off the slide', group(`${at(20_000_000, 0)}${inner(ON)}`, box('底价', ON)), false],
  [
    'a shape somewhere in a turned group',
    group(`${at(-2_100_000, 0)}${inner(at(-2_100_000, 0))}`, box('底价', at(-2_100_000, 0)), { xfrm: ' rot="60000"' }),
    true,
  ],
])('%s', async ([, shapes, isText]) => {
  const { slides } = await factsOf({ slides: [{ more: shapes + box('方案', ON) }, { lines: ['执行'], more: shapes }] });
  expect(slides.map(({ text }) => text)).toEqual(isText ? ['底价\n方案', '执行\n底价'] : ['方案', '执行']);
  if (!isText) expect(slides.map(({ title }) => title)).toEqual(['方案', '执行']);
});

const DGM = 'http://schemas.openxmlformats.org/drawingml/2006/diagram';
const smartArt = (place: string, data = 'rId3') =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="62" name="d"/></p:nvGraphicFramePr><p:xfrm>${place}</p:xfrm><a:graphic><a:graphicData uri="${DGM}"><dgm:relIds xmlns:dgm="${DGM}" r:dm="${data}" r:lo="rId4"/></a:graphicData></a:graphic></p:graphicFrame>`;
const paragraphs = (...said: string[]) => said.map((each) => `<a:p><a:r><a:t>${each}</a:t></a:r></a:p>`).join('');
const diagram = (drawing: string | null): NonNullable<SampleDeck['extra']> => [
  {
    name: 'ppt/slides/_rels/slide1.xml.rels',
    data: `<Relationships><Relationship Id="rId3" Type="x/diagramData" Target="../diagrams/data1.xml"/>${drawing === null ? '' : '<Relationship Id="rId7" Type="x/diagramDrawing" Target="../diagrams/drawing1.xml"/>'}</Relationships>`,
  },
  {
    name: 'ppt/diagrams/data1.xml',
    data: `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:prSet/><dgm:t><a:bodyPr/>${paragraphs('预热期', '引爆期')}</dgm:t></dgm:pt><dgm:pt><dgm:t>${paragraphs('画外')}</dgm:t></dgm:pt></dgm:ptLst><dgm:extLst><a:ext><dsp:dataModelExt relId="rId7"/></a:ext></dgm:extLst></dgm:dataModel>`,
  },
  ...(drawing === null ? [] : [{ name: 'ppt/diagrams/drawing1.xml', data: drawing }]),
];
const drawn = `<dsp:drawing><dsp:spTree><dsp:sp><dsp:txBody>${paragraphs('预热期')}</dsp:txBody></dsp:sp><dsp:sp><dsp:txBody>${paragraphs('引爆期')}</dsp:txBody></dsp:sp></dsp:spTree></dsp:drawing>`;

test.for<[what: string, drawing: string | null, text: string]>([
  ['its drawing', drawn, '节奏\n预热期\n引爆期'],
  ['its data, without a drawing', null, '节奏\n预热期\n引爆期\n画外'],
  ['its data, with an empty drawing', '<dsp:drawing/>', '节奏\n预热期\n引爆期\n画外'],
])('the text of SmartArt is that of %s', async ([, drawing, text]) => {
  const { slides } = await factsOf({ slides: [{ title: '节奏', more: smartArt(ON) }], extra: diagram(drawing) });
  expect(slides).toEqual([{ title: '节奏', text, notes: '' }]);
});

test('a diagram that a slide names many times, by relationships of their own, is read once', async () => {
  const [relationships, ...parts] = diagram(drawn);
  const again = '<Relationship Id="rId9" Type="x/diagramData" Target="../diagrams/data1.xml"/>';
  const data = String(relationships?.data).replace('</Relationships>', `${again}$&`);
  const { slides } = await factsOf({
    slides: [{ title: '节奏', more: smartArt(ON) + smartArt(ON, 'rId9') }],
    extra: [{ name: 'ppt/slides/_rels/slide1.xml.rels', data }, ...parts],
  });
  expect(slides[0]?.text).toBe('节奏\n预热期\n引爆期');
});

test('SmartArt beside the slide is not read', async () => {
  const { slides } = await factsOf({
    slides: [{ title: '节奏', more: smartArt(at(-9_000_000, 0)) }],
    extra: diagram(drawn),
  });
  expect(slides[0]?.text).toBe('节奏');
});
