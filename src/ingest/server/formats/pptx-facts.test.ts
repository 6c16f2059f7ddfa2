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
