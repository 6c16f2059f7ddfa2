import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefusalCode } from '../../refusals.ts';
import { deckEntries, deckOf, zipOf, type SampleDeck } from '../../../../tests/samples/deck.ts';
import {
  currentUser,
  filler,
  oleHead,
  oleOf,
  pptDocument,
  pptTower,
  pptWithMacros,
} from '../../../../tests/samples/ole.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { sniffFile } from './sniff-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-sniff-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const one = { slides: [{ title: '年会方案' }] };
const head = '<?xml version="1.0" encoding="UTF-8"?>';

describe('refused files', () => {
  const deck = deckOf(one);
  const SLIDE = 'application/vnd.openxmlformats-officedocument.presentationml.slide';
  const MACRO_DECK = 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml';
  const DECOY =
    '<!-- ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml" -->';
  const VBA = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject';
  /** A text that looks like an attribute and is part of the value of another attribute. */
  const MASK = `xmlns:a=" ContentType='application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml'"`;
  const relatedMacros = (type: string) =>
    deckOf({
      ...one,
      extra: [
        { name: 'ppt/x.bin', data: 'a' },
        {
          name: 'ppt/_rels/presentation.xml.rels',
          data: `<Relationships><Relationship Id="a" ${type} Target="x.bin"/></Relationships>`,
        },
      ],
    });
  /** The first mention of a type is not the one that counts. */
  const behindDecoy = (deck: SampleDeck) =>
    zipOf(
      deckEntries(deck).map((entry) =>
        entry.name === '[Content_Types].xml'
          ? { ...entry, data: String(entry.data).replace('?>', `?>${DECOY}`) }
          : entry,
      ),
    );
  /** A deck whose only slide has this name, type and content. */
  const renamedSlide = (name: string, type: string, data: string | Uint8Array, more: { claimedBytes?: number } = {}) =>
    zipOf(
      deckEntries(one).flatMap((entry) => {
        if (entry.name === 'ppt/slides/slide1.xml') return [{ name, data, ...more }];
        const text = String(entry.data);
        if (entry.name === '[Content_Types].xml')
          return [
            {
              ...entry,
              data: text.replace('</Types>', `<Override PartName="/${name}" ContentType="${type}"/></Types>`),
            },
          ];
        return [{ ...entry, data: text.replace('slides/slide1.xml', name.replace('ppt/', '')) }];
      }),
    );
  const slide = (data: string) => deckOf({ ...one, extra: [{ name: 'ppt/slides/slide1.xml', data }] });
  const withEntry = (...extra: Parameters<typeof zipOf>[0]) => zipOf([...deckEntries(one), ...extra]);

  const LARGE_RELS = `${head}<Relationships><!--${'<'.repeat(2 << 20)}--></Relationships>`;

  const LARGE_TYPES = `${head}<Types>${'<a/>'.repeat(1 << 19)}</Types>`;

  test.for<[what: string, code: RefusalCode, bytes: () => Uint8Array | string]>([
    ['nothing', 'empty', () => ''],
    ['one byte', 'unknown-type', () => 'P'],
    ['a program', 'unknown-type', () => 'MZ\x90\x00%PDF-1.4 1 0 obj'],
    ['a program of Linux', 'unknown-type', () => '\x7fELF%PDF-1.4 1 0 obj'],
    ['a script', 'unknown-type', () => '#!/bin/sh\nexit 0\n%PDF-1.4 1 0 obj'],
    ['a page that is a PDF as well', 'unknown-type', () => '\n<HTML><script>1</script>%PDF-1.4 1 0 obj'],
    ['a picture that is a PDF as well', 'unknown-type', () => 'GIF89a%PDF-1.4 1 0 obj'],
    ['a page of HTML', 'unknown-type', () => '<html><body>deck</body></html>'],
    ['an RTF', 'unknown-type', () => '{\\rtf1}'],
    ['a header of a PDF', 'corrupt', () => '%PDF-1.4\n'],
    ['a header of a zip', 'zip-corrupt', () => Buffer.from('PK\x03\x04', 'latin1')],
    ['a header of an OLE file', 'corrupt', () => oleHead],
    ['rubbish after an OLE header', 'corrupt', () => Buffer.concat([oleHead, Buffer.alloc(4_096, 0xa5)])],
    ['an empty zip', 'not-presentation', () => zipOf([])],
    ['a plain zip', 'not-presentation', () => zipOf([{ name: 'a.txt', data: 'a' }])],
    [
      'an XPS',
      'unknown-type',
      () => deckOf({ ...one, mainType: 'application/vnd.ms-package.xps-fixeddocumentsequence+xml' }),
    ],
    [
      'a document',
      'not-presentation',
      () =>
        deckOf({
          ...one,
          mainType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
        }),
    ],
    ['a deck that 亿赛通 has sealed', 'drm', () => `%TSD-Header-###%${'x'.repeat(4_000)}`],
    ['a deck sealed by an older release', 'drm', () => `b\x14#e E-SafeNet   LOCK${'x'.repeat(4_000)}`],
    ['a rights-managed deck', 'drm', () => oleOf({ DRMEncryptedDataSpace: filler, EncryptedPackage: filler })],
    [
      'a PPT without slides',
      'no-pages',
      () => oleOf({ 'PowerPoint Document': Buffer.concat([pptDocument(), filler]) }),
    ],
    ['an OLE document', 'not-presentation', () => oleOf({ WordDocument: filler })],
    ['a PPT whose stream is empty', 'corrupt', () => oleOf({ 'PowerPoint Document': Buffer.alloc(0), other: filler })],
    [
      'a PPT with masters alone',
      'no-pages',
      () => oleOf({ 'PowerPoint Document': Buffer.concat([pptDocument(1, { instance: 1 }), filler]) }),
    ],
    ['half a deck', 'zip-corrupt', () => deck.subarray(0, deck.length / 2)],
    ['an encrypted deck', 'encrypted', () => oleOf({ EncryptedPackage: filler, EncryptionInfo: filler })],
    [
      'an encrypted PPT',
      'encrypted',
      () => oleOf({ 'PowerPoint Document': filler, 'Current User': currentUser(0xf3d1c4df) }),
    ],
    [
      'a PPT with an encrypted summary',
      'encrypted',
      () => oleOf({ 'PowerPoint Document': filler, EncryptedSummary: filler }),
    ],
    ['an encrypted entry', 'encrypted', () => withEntry({ name: 'x.bin', data: 'a', flags: 1 })],
    ['a PDF with a password', 'encrypted', () => pdfOf({ pages: [{}], userPassword: 'geheim' })],
    ['a VBA project', 'macros', () => withEntry({ name: 'ppt/vbaProject.bin', data: 'a' })],
    ['macros in a PPT', 'macros', () => oleOf({ 'PowerPoint Document': Buffer.concat([pptWithMacros(), filler]) })],
    ['a tower of records in a PPT', 'corrupt', () => oleOf({ 'PowerPoint Document': pptTower() })],
    [
      'macros behind 60,000 empty records',
      'corrupt',
      () => oleOf({ 'PowerPoint Document': Buffer.concat([Buffer.alloc(480_000), pptWithMacros()]) }),
    ],
    [
      'a part that shrinks too well',
      'zip-bomb',
      () => withEntry({ name: 'ppt/media/a.bin', data: Buffer.alloc(24 << 20) }),
    ],
    [
      'a part that claims 2 GB',
      'zip-bomb',
      () => withEntry({ name: 'ppt/media/a.bin', data: 'a', claimedBytes: 2 ** 31 }),
    ],
    [
      '60,000 parts',
      'zip-bomb',
      () => zipOf(Array.from({ length: 60_000 }, (_, index) => ({ name: `a${index}`, data: '' }))),
    ],
    [
      'relationships of two megabytes',
      'zip-bomb',
      () => withEntry({ name: 'ppt/slides/_rels/x.xml.rels', data: LARGE_RELS }),
    ],
    [
      'relationships of two megabytes of the package',
      'zip-bomb',
      () => deckOf({ ...one, extra: [{ name: '_rels/.rels', data: LARGE_RELS }] }),
    ],
    [
      'content types of two megabytes',
      'zip-bomb',
      () => deckOf({ ...one, extra: [{ name: '[Content_Types].xml', data: LARGE_TYPES }] }),
    ],
    ['parts that overlap', 'zip-bomb', () => withEntry({ name: 'a.bin', data: 'a', offset: 0 })],
    [
      'a part that lies about its size',
      'zip-corrupt',
      () => withEntry({ name: 'ppt/media/a.bin', data: Buffer.alloc(1 << 20), claimedBytes: 100 }),
    ],
    ['a way out of the folder', 'bad-entry-name', () => withEntry({ name: '../../etc/a.xml', data: 'a' })],
    ['an absolute name', 'bad-entry-name', () => withEntry({ name: '/etc/a.xml', data: 'a' })],
    ['a backslash', 'bad-entry-name', () => withEntry({ name: 'ppt\\a.xml', data: 'a' })],
    ['a NUL in a name', 'bad-entry-name', () => withEntry({ name: 'a\0.xml', data: 'a' })],
    ['a name twice', 'bad-entry-name', () => withEntry({ name: 'PPT/presentation.XML', data: 'a' })],
    ['a DTD', 'hostile-xml', () => slide(`${head}<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`)],
    [
      'a DTD in UTF-16',
      'hostile-xml',
      () => withEntry({ name: 'ppt/a.xml', data: Buffer.from('\ufeff<!DOCTYPE a><a/>', 'utf16le') }),
    ],
    ['a DTD under another name', 'hostile-xml', () => withEntry({ name: 'x/a.bin', data: `${head}<!DOCTYPE a><a/>` })],
    [
      'a DTD under another name, not compressed',
      'hostile-xml',
      () => withEntry({ name: 'x/a.bin', data: `<!DOCTYPE a><a/>`, method: 'stored' }),
    ],
    [
      'a DTD in a slide under another name',
      'hostile-xml',
      () => renamedSlide('ppt/slides/slide1.dat', `${SLIDE}+xml`, `<!DOCTYPE a><a/>`),
    ],
    [
      'a slide called a picture',
      'corrupt',
      () => renamedSlide('ppt/slides/slide1.svg', 'image/svg+xml', `<!DOCTYPE a><a/>`),
    ],
    [
      'more elements than a slide has, under another name',
      'hostile-xml',
      () => renamedSlide('ppt/slides/slide1.dat', `${SLIDE}+xml`, `<a>${'<b/>'.repeat(600_000)}</a>`),
    ],
    [
      'more elements than a deck has, part by part',
      'hostile-xml',
      () =>
        withEntry(
          ...Array.from({ length: 10 }, (_, index) => ({
            name: `ppt/x${index}.xml`,
            data: `<a>${'<b/>'.repeat(450_000)}</a>`,
          })),
        ),
    ],
    [
      'an odd encoding far into the declaration',
      'hostile-xml',
      () => slide(`<?xml version="1.0"${' '.repeat(400)}encoding="UTF-7"?><a/>`),
    ],
    [
      'another name in its own header',
      'zip-corrupt',
      () => withEntry({ name: 'ppt/a.bin', localName: 'ppt/b.bin', data: 'a' }),
    ],
    ['a packing nobody reads', 'zip-corrupt', () => withEntry({ name: 'ppt/a.bin', data: 'a', method: 14 })],
    ['a VBA project under another name, behind a decoy', 'macros', () => behindDecoy({ ...one, mainType: MACRO_DECK })],
    ['a VBA project that only a relationship names', 'macros', () => relatedMacros(`Type="${VBA}"`)],
    ['the same behind a type within a value', 'macros', () => relatedMacros(`xmlns:a=" Type='x/image'" Type="${VBA}"`)],
    ['the same in characters by number', 'macros', () => relatedMacros(`Type="${VBA.replace('P', '&#x00000050;')}"`)],
    [
      'a deck with macros behind a type within a value',
      'macros',
      () =>
        zipOf(
          deckEntries({ ...one, mainType: MACRO_DECK }).map((entry) =>
            entry.name === '[Content_Types].xml'
              ? { ...entry, data: String(entry.data).replace('PartName="/ppt/presentation.xml"', `${MASK} $&`) }
              : entry,
          ),
        ),
    ],
    [
      'a document that mentions a presentation',
      'not-presentation',
      () =>
        behindDecoy({
          ...one,
          mainType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
        }),
    ],
    ['a tower of tags', 'hostile-xml', () => slide(`${head}${'<a>'.repeat(300)}${'</a>'.repeat(300)}`)],
    ['an odd encoding', 'hostile-xml', () => slide('<?xml version="1.0" encoding="UTF-7"?><a/>')],
    ['a slide cut short', 'corrupt', () => slide(`${head}<p:sld><p:cSld><a:t>年`)],
    ['a slide with tags that do not match', 'corrupt', () => slide(`${head}<a></b>${' '.repeat(2_000)}</a>`)],
    [
      'more XML than a deck has, under another name',
      'zip-bomb',
      () => renamedSlide('ppt/slides/slide1.dat', `${SLIDE}+xml`, randomBytes(700_000), { claimedBytes: 129 << 20 }),
    ],
    [
      'more XML than a part has, under another name',
      'zip-bomb',
      () => withEntry({ name: 'ppt/a.bin', data: `<a>${' '.repeat(33 << 20)}</a>`, method: 'stored' }),
    ],
    ['a part without a type', 'corrupt', () => withEntry({ name: 'ppt/embeddings/x.zip', data: 'a' })],
    [
      'no presentation part',
      'corrupt',
      () => zipOf(deckEntries(one).filter(({ name }) => name !== 'ppt/presentation.xml')),
    ],
    ['no slides', 'no-pages', () => deckOf({ slides: [] })],
    ['501 slides', 'too-many-pages', () => deckOf({ slides: Array.from({ length: 501 }, () => ({})) })],
    ['a slide of 59 metres', 'page-size', () => deckOf({ ...one, size: { cx: 2_147_483_647, cy: 6_858_000 } })],
  ])('%s: %s', async ([, code, bytes], { task }) => {
    expect(await sniffFile(await put(`refused-${task.id}.pptx`, bytes()))).toMatchObject({ ok: false, code });
  });

  test('a file that is not there, and a folder', async () => {
    expect(await sniffFile(join(folder, 'none.pdf'))).toMatchObject({
      ok: false,
      code: 'unreadable',
      detail: 'ENOENT',
    });
    expect(await sniffFile(folder)).toMatchObject({ ok: false, code: 'unknown-type' });
  });

  test('a file of more than 200 MB is not read', async () => {
    const path = await put('large.pdf', '%PDF-1.4 1 0 obj');
    await truncate(path, (200 << 20) + 1);
    expect(await sniffFile(path)).toMatchObject({ ok: false, code: 'too-large' });
  });
});
