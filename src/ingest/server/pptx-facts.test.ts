import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PptxGenJS from 'pptxgenjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deckEntries, deckOf, zipOf } from './make-samples.ts';
import type { SampleDeck } from './make-samples.ts';
import { readPptxFacts } from './pptx-facts.ts';

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

test('entities, CDATA and line breaks are text', async () => {
  const { slides } = await factsOf({
    slides: [{ lines: ['A &amp; B &lt;3&gt; &#x5e74;&#20250;', 'x</a:t></a:r><a:br/><a:r><a:t>y', '<![CDATA[<b>]]>'] }],
  });
  expect(slides[0]?.text).toBe('A & B <3> 年会\nx\ny\n<b>');
});

test('what an alternate content repeats is said once', async () => {
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
  const start = performance.now();
  expect((await facts(zipOf(repeated))).slides).toHaveLength(500);
  expect(performance.now() - start).toBeLessThan(2_000);
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
