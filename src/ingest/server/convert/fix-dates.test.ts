import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, Zip as FflateZip, ZipDeflate, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { openZip } from '../formats/open-zip.ts';
import { readPptxFacts } from '../formats/pptx-facts.ts';
import { openPdf } from '../render/pdf-pages.ts';
import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';
import { convertToPdf, findConverter } from './convert-to-pdf.ts';
import { fixDatesOf, withFixedDates } from './fix-dates.ts';

let folder = '';
const slot = openRendererSlot();
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-dates-'))));
afterAll(async () => {
  slot.close();
  await rm(folder, { recursive: true });
});
const fixed = (path: string) => withFixedDates({ path, workDir: folder, slot, signal: undefined });

const field = (type: string) =>
  `<a:fld id="{B}" type="${type}"><a:rPr lang="en-US" sz="3200"/><a:pPr/><a:t>1999-01-02</a:t></a:fld>`;
const deck = (type: string) =>
  deckOf({
    slides: [
      {
        title: 'Plan',
        more: `<p:sp><p:nvSpPr><p:cNvPr id="40" name="Day"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="914400" y="3657600"/><a:ext cx="9144000" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p>${field(type)}</a:p></p:txBody></p:sp>`,
      },
    ],
  });

test('a date field becomes its text, other fields stay', () => {
  expect(fixDatesOf(`<a:p>${field('datetime1')}</a:p>`)).toBe(
    '<a:p><a:r><a:rPr lang="en-US" sz="3200"/><a:t>1999-01-02</a:t></a:r></a:p>',
  );
  expect(fixDatesOf(field('slidenum'))).toBe(field('slidenum'));
});

test('fields in comments and in CDATA, empty ones and ones without an end stay as they are', () => {
  for (const xml of [
    `<!-- ${field('datetime1')} don't -->`,
    `<![CDATA[${field('datetime1')}]]>`,
    '<a:p><a:fld type="datetime1"/><a:pPr/></a:p>',
    '<a:p><a:fld type="datetime1"><a:pPr/></a:p>',
  ])
    expect(fixDatesOf(`${xml}${field('datetime1')}`)).toBe(
      `${xml}<a:r><a:rPr lang="en-US" sz="3200"/><a:t>1999-01-02</a:t></a:r>`,
    );
  expect(fixDatesOf("<a:fld id='a>b' type='datetime1'><a:pPr><a:b/></a:pPr><!--</a:fld>--><a:t>1</a:t></a:fld >")).toBe(
    '<a:r><!--</a:fld>--><a:t>1</a:t></a:r>',
  );
});

test.each([
  ['fields that end with a space', '<a:fld type="datetime1"></a:fld >'],
  ['fields without an end', '<a:fld type="datetime1">'],
  ['beginnings of fields', '<a:fld '],
  ['fields with many paragraphs without an end', '<a:fld type="datetime1"><a:pPr>'],
])('a slide with megabytes of %s is read in one pass', (_what, text) => {
  const xml = text.repeat(8_000_000 / text.length);
  for (const slide of [xml, `<!--${xml}-->`]) expect(fixDatesOf(`${slide}${field('slidenum')}`)).toMatch(/<\/a:fld>$/);
});

test.each<[encoding: string, bytes: () => Buffer]>([
  ['UTF-16', () => Buffer.from(`\ufeff<p:sld><a:t>中秋活动</a:t>${field('datetime1')}</p:sld>`, 'utf16le')],
  ['GBK', () => Buffer.from('<?xml version="1.0" encoding="GBK"?><a:t>\xd6\xd0\xc7\xef</a:t>', 'latin1')],
  ['UTF-8 with a mark', () => Buffer.from('\ufeff<a:t>中秋活动</a:t>')],
])('a slide in %s keeps its bytes', async (_encoding, bytes) => {
  const path = join(folder, 'encoded.pptx');
  await writeFile(path, zipSync({ 'ppt/slides/slide1.xml': new Uint8Array(bytes()) }));
  const copy = unzipSync(await readFile(await fixed(path)));
  expect(Buffer.from(copy['ppt/slides/slide1.xml'] ?? [])).toEqual(bytes());
});

/** Returns a zip as streaming programs write it: the sizes of a part stand in a data descriptor behind its bytes. */
function streamedZip(parts: Record<string, string>): Buffer {
  const written: Uint8Array[] = [];
  const zip = new FflateZip((error, bytes) => void (error ? expect.unreachable(error.message) : written.push(bytes)));
  for (const [name, text] of Object.entries(parts)) {
    const part = new ZipDeflate(name, { level: 9 });
    zip.add(part);
    part.push(Buffer.from(text), true);
  }
  zip.end();
  return Buffer.concat(written);
}

/** Returns a copy of a zip in which the sizes of one part stand in a ZIP64 field of the directory, as programs write a part that may reach 4 GiB. */
function withZip64(zip: Buffer, name: string): Buffer {
  const at = zip.lastIndexOf(name) - 46;
  const sizes = Buffer.alloc(20);
  sizes.writeUInt16LE(1, 0);
  sizes.writeUInt16LE(16, 2);
  sizes.writeBigUInt64LE(BigInt(zip.readUInt32LE(at + 24)), 4);
  sizes.writeBigUInt64LE(BigInt(zip.readUInt32LE(at + 20)), 12);
  const end = at + 46 + name.length;
  const changed = Buffer.concat([zip.subarray(0, end), sizes, zip.subarray(end)]);
  changed.fill(0xff, at + 20, at + 28);
  changed.writeUInt16LE(sizes.length, at + 30);
  const last = changed.length - 22;
  changed.writeUInt32LE(changed.readUInt32LE(last + 12) + sizes.length, last + 12);
  return changed;
}

/** Returns the parts of a zip by name: the bytes as they are stored, and the facts of the directory. */
async function storedParts(path: string) {
  const zip = await openZip(path);
  const parts = new Map<string, object>();
  for (const name of zip.names) {
    await zip.checkHeader(name);
    const stored = Buffer.concat(await Array.fromAsync(zip.storedChunks(name))).toString('hex');
    const { crc32, compressionMethod, uncompressedSize, generalPurposeBitFlag } = zip.entry(name) ?? {};
    parts.set(name, {
      stored,
      crc32,
      compressionMethod,
      uncompressedSize,
      hasDescriptor: ((generalPurposeBitFlag ?? 0) & 8) > 0,
    });
  }
  zip.close();
  return parts;
}

test('parts that do not change are copied as they are stored, also out of a zip with descriptors and ZIP64', async () => {
  const path = join(folder, 'streamed.pptx');
  const [dated, plain] = ['ppt/slides/slide1.xml', 'ppt/slides/slide2.xml'];
  const texts = {
    [dated]: `<a:p>${field('datetime1')}</a:p>`,
    [plain]: `<a:p>${'很长的文字'.repeat(500)}</a:p>`,
    'ppt/media/图.png': 'x'.repeat(900),
  };
  await writeFile(path, withZip64(streamedZip(texts), plain));
  const copy = await fixed(path);
  expect(copy).not.toBe(path);
  const [before, after] = [await storedParts(path), await storedParts(copy)];
  expect([...after.keys()]).toEqual([...before.keys()]);
  for (const name of [plain, 'ppt/media/图.png']) {
    expect(before.get(name)).toMatchObject({ hasDescriptor: true, compressionMethod: 8 });
    expect(after.get(name)).toEqual({ ...before.get(name), hasDescriptor: false });
  }
  const inflated = unzipSync(await readFile(copy));
  expect(Buffer.from(inflated[dated] ?? []).toString()).toBe(fixDatesOf(texts[dated] ?? ''));
  expect(Buffer.from(inflated[plain] ?? []).toString()).toBe(texts[plain]);
});

test('a deck that the child cannot read is taken as it is', async () => {
  const path = join(folder, 'rubbish.pptx');
  await writeFile(path, 'no zip');
  expect(await fixed(path)).toBe(path);
});

type Outcome = Awaited<ReturnType<RendererSlot['run']>>;
/** Fixes the dates of a deck with a child that ends so, in the middle of its copy. */
async function fixedBy(outcome: Partial<Outcome>) {
  const path = join(folder, 'unread.pptx');
  await writeFile(path, deck('datetime1'));
  const workDir = await mkdtemp(join(folder, 'work-'));
  const ending: RendererSlot = {
    ...slot,
    async run({ job }) {
      await writeFile(job.results, '');
      await writeFile(join(workDir, 'fixed-dates.pptx'), 'PK');
      return { hasBegun: true, lastPage: 0, timedOut: false, tookTooMuch: false, killedBy: 'SIGKILL', ...outcome };
    },
  };
  const made = await withFixedDates({ path, workDir, slot: ending, signal: undefined });
  return { isOriginal: made === path, left: await readdir(workDir) };
}

// This process makes no copy itself: a deck may have 200 MB to inflate.
test.each<[what: string, outcome: Partial<Outcome>]>([
  ['is too slow', { timedOut: true }],
  ['takes too much memory', { tookTooMuch: true }],
  ['crashes', { killedBy: 'SIGABRT' }],
  ['cannot read the deck', { killedBy: null }],
])('a deck with which the child %s is taken as it is, and no part of a copy is left', async (_what, outcome) => {
  expect(await fixedBy(outcome)).toEqual({ isOriginal: true, left: [] });
});

test.each<[what: string, outcome: Partial<Outcome>]>([
  ['was killed from outside', { killedBy: 'SIGKILL' }],
  ['did not begin', { hasBegun: false, killedBy: 'SIGABRT' }],
])('a child that %s says nothing about the deck: the dates are fixed another time', async (_what, outcome) => {
  await expect(fixedBy(outcome)).rejects.toThrow(`ended by ${outcome.killedBy}`);
});

test('facts say whether a deck has such fields', async () => {
  for (const [type, has] of [
    ['datetimeFigureOut', true],
    ['slidenum', false],
  ] as const) {
    await writeFile(join(folder, 'a.pptx'), deck(type));
    expect((await readPptxFacts(join(folder, 'a.pptx'))).hasDateFields).toBe(has);
  }
});

test.skipIf(findConverter() === null)(
  'LibreOffice shows the day of the file, not of the import',
  { timeout: 60_000 },
  async () => {
    await writeFile(join(folder, 'b.pptx'), deck('datetime1'));
    const path = await fixed(join(folder, 'b.pptx'));
    const pdf = await openPdf(
      await readFile(await convertToPdf({ path, fileType: 'pptx', workDir: folder, slides: 1 })),
    );
    expect(pdf.getPage(0).getText()).toContain('1999-01-02');
  },
);
