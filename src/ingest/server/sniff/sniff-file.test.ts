import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deckEntries, deckOf, zipOf } from '../../../../tests/samples/deck.ts';
import { currentUser, filler, oleOf, pptDocument, pptWithMacros } from '../../../../tests/samples/ole.ts';
import { pdfOf, pdfOfObjects, pdfStream } from '../../../../tests/samples/pdf.ts';
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
const jsObjects = '5 0 << /S /JavaScript /JS (1) >>';
const pdfWithStream = (data: string | Buffer, entries = '') =>
  pdfOfObjects(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>', pdfStream(data, entries)]);
const head = '<?xml version="1.0" encoding="UTF-8"?>';

/** A link that a click opens, which no program follows by itself. */
const WEB_LINK =
  '<Relationships><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="http://127.0.0.1:9/" TargetMode="External"/></Relationships>';
const ACTIVE_X = '<Override PartName="/ppt/activeX/activeX1.xml" ContentType="application/vnd.ms-office.activeX+xml"/>';

describe('accepted files', () => {
  test('a PPTX, with its slides, size and hash', async () => {
    const bytes = deckOf({ slides: [{ title: 'a' }, { title: 'b', hidden: true }] });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await sniffFile(await put('a.pptx', bytes))).toEqual({
      ok: true,
      fileType: 'pptx',
      bytes: bytes.length,
      sha256,
      slideCount: 2,
      flags: [],
    });
  });

  test.for<[name: string, bytes: () => Uint8Array, fileType: string, flags: string[]]>([
    ['deck.ppt', () => deckOf(one), 'pptx', ['extension-mismatch']],
    ['show.ppsx', () => deckOf(one), 'pptx', []],
    ['no-extension', () => deckOf(one), 'pptx', []],
    ['linked.pptx', () => deckOf({ slides: [{ link: 'http://127.0.0.1:9/a.png' }] }), 'pptx', ['external-media']],
    ['cut-end.pptx', () => zipOf(deckEntries(one), { comment: 'abc', cut: 1 }), 'pptx', ['zip-repaired']],
    ['more.pptx', () => zipOf(deckEntries(one), { tail: '\n\n' }), 'pptx', ['zip-repaired']],
    [
      'svg.pptx',
      () => deckOf({ ...one, extra: [{ name: 'x/a.svg', data: `${head}<!DOCTYPE svg><svg/>` }] }),
      'pptx',
      [],
    ],
    [
      'by-number.pptx',
      () =>
        zipOf(
          deckEntries({ slides: [{ link: 'http://127.0.0.1:9/a.png' }] }).map((entry) => ({
            ...entry,
            data: String(entry.data).replace('"External"', '"&#69;xternal"').replace('/image"', '/imag&#x65;"'),
          })),
        ),
      'pptx',
      ['external-media'],
    ],
    ['web-link.pptx', () => deckOf({ ...one, extra: [{ name: 'ppt/_rels/x.xml.rels', data: WEB_LINK }] }), 'pptx', []],
    [
      'active-x.pptx',
      () =>
        zipOf(
          [...deckEntries(one), { name: 'ppt/activeX/activeX1.xml', data: '<a/>' }].map((entry) =>
            entry.name === '[Content_Types].xml'
              ? { ...entry, data: String(entry.data).replace('</Types>', `${ACTIVE_X}</Types>`) }
              : entry,
          ),
        ),
      'pptx',
      ['scripts'],
    ],
    [
      'part-cut-short.pptx',
      () => deckOf({ ...one, extra: [{ name: 'ppt/x.xml', data: `<a></b>${' '.repeat(2_000)}<b>` }] }),
      'pptx',
      [],
    ],
    ['b.ppt', () => oleOf({ 'PowerPoint Document': Buffer.concat([pptDocument(1), filler]) }), 'ppt', []],
    ['a.ppt', () => oleOf({ 'PowerPoint Document': filler, 'Current User': currentUser(0xe391c05f) }), 'ppt', []],
    ['a.pdf', () => pdfOf({ pages: [{ text: 'a' }] }), 'pdf', []],
    ['late.pdf', () => Buffer.concat([Buffer.from('\n\n'), pdfOf({ pages: [{}] })]), 'pdf', []],
    ['owner.pdf', () => pdfOf({ pages: [{}], userPassword: '' }), 'pdf', ['owner-password']],
    ['says-so.pdf', () => pdfOf({ pages: [{}], catalog: '/Lang (see /Encrypt)' }), 'pdf', []],
    ...['\n', '\r', '\t', '\f', '\0'].map((space): [string, () => Uint8Array, string, string[]] => [
      `objects after ${JSON.stringify(space)}.pdf`.replaceAll('\\', ''),
      () =>
        Buffer.from(
          pdfOf({ pages: [{}] })
            .toString('latin1')
            .replaceAll(/(?<=\d) obj/g, `${space}obj`),
          'latin1',
        ),
      'pdf',
      [],
    ]),
    ['js.pdf', () => pdfOf({ pages: [{}], catalog: '/OpenAction << /S /JavaScript /JS (1) >>' }), 'pdf', ['scripts']],
    [
      'launch.pdf',
      () => pdfOf({ pages: [{}], catalog: '/OpenAction << /S /Launch /F (a.exe) >>' }),
      'pdf',
      ['scripts'],
    ],
    [
      'hidden-js.pdf',
      () => pdfOf({ pages: [{}], catalog: '/OpenAction << /S/J#61vaScript/JS(1) >>' }),
      'pdf',
      ['scripts'],
    ],
    [
      'packed-js.pdf',
      () => pdfWithStream(deflateSync(jsObjects), '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode'),
      'pdf',
      ['scripts'],
    ],
    ['goes-to.pdf', () => pdfOf({ pages: [{}], catalog: '/OpenAction [4 0 R /Fit]' }), 'pdf', []],
    ['tells-of-js.pdf', () => pdfOf({ pages: [{}], catalog: '/Lang (\\(on /S /JavaScript and (/Launch))' }), 'pdf', []],
    ['named-alike.pdf', () => pdfOf({ pages: [{}], catalog: '/JavaScripts /LaunchDay' }), 'pdf', []],
    ['js-in-comment.pdf', () => Buffer.concat([pdfOf({ pages: [{}] }), Buffer.from('% /JavaScript\n')]), 'pdf', []],
    ['js-in-text.pdf', () => pdfWithStream('BT (a) Tj ET % /S /JavaScript /Launch'), 'pdf', []],
    ['both.pdf', () => Buffer.concat([pdfOf({ pages: [{}] }), deckOf(one)]), 'pdf', ['trailing-data']],
  ])('%s', async ([name, bytes, fileType, flags]) => {
    expect(await sniffFile(await put(name, bytes()))).toMatchObject({ ok: true, fileType, flags });
  });

  test('a PPTX whose main part has another name, as its package says', async () => {
    const entries = deckEntries({ slides: [{ title: 'a' }, { title: 'b' }] }).map(({ name, data }) => ({
      name: name.replace('presentation.xml', 'presentation2.xml'),
      data: String(data).replaceAll('ppt/presentation.xml', 'ppt/presentation2.xml'),
    }));
    expect(await sniffFile(await put('web.pptx', zipOf(entries)))).toMatchObject({ ok: true, slideCount: 2 });
  });

  test('the original name of a stored file is used', async () => {
    const path = await put('0f3a', deckOf(one));
    expect(await sniffFile(path, { name: '方案.pdf' })).toMatchObject({ flags: ['extension-mismatch'] });
  });

  test('macros only where they are allowed', async () => {
    const mainType = 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml';
    const path = await put('m.pptm', deckOf({ ...one, mainType }));
    expect(await sniffFile(path)).toMatchObject({ ok: false, code: 'macros' });
    expect(await sniffFile(path, { allowMacros: true })).toMatchObject({ ok: true, flags: ['macros'] });
    const stream = Buffer.concat([pptWithMacros(), pptDocument(1), filler]);
    const old = await put('m.ppt', oleOf({ 'PowerPoint Document': stream }));
    expect(await sniffFile(old)).toMatchObject({ ok: false, code: 'macros' });
    expect(await sniffFile(old, { allowMacros: true })).toMatchObject({ ok: true, flags: ['macros'] });
  });
});

describe.skipIf(process.platform !== 'linux')('a bomb costs little', () => {
  const run = promisify(execFile);
  const program = `
    const { sniffFile } = await import(process.argv[1]);
    const before = process.cpuUsage();
    const { code } = await sniffFile(process.argv[2]);
    // Processor time, because other load of the machine does not count.
    const { user, system } = process.cpuUsage(before);
    // The most memory this program held; what the system counts for a child starts from its parent's.
    const status = (await import('node:fs')).readFileSync('/proc/self/status', 'utf8');
    console.log(JSON.stringify({ code, ms: (user + system) / 1000, mib: /VmHWM:\\s+(\\d+)/.exec(status)[1] / 1024 }));`;

  test.for<[name: string, entries: () => Parameters<typeof zipOf>[0]]>([
    // 16 parts of 16 MB each: no part alone exceeds the limit of compression, all parts together do.
    [
      'many',
      () =>
        Array.from({ length: 16 }, (_, index) => ({ name: `ppt/media/${index}.bin`, data: Buffer.alloc(16 << 20) })),
    ],
    ['names', () => Array.from({ length: 60_000 }, (_, index) => ({ name: `ppt/media/${index}.bin`, data: '' }))],
    ['liar', () => [{ name: 'ppt/slides/slide9.xml', data: Buffer.alloc(64 << 20, ' '), claimedBytes: 4_000 }]],
    ['xml', () => [{ name: 'ppt/slides/slide9.xml', data: `<a>${'<b/>'.repeat(1_900_000)}</a>` }]],
  ])('%s', async ([name, entries]) => {
    const path = await put(`bomb-${name}.pptx`, zipOf([...deckEntries(one), ...entries()]));
    const module = fileURLToPath(new URL('./sniff-file.ts', import.meta.url));
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program, module, path]);
    const { code, ms, mib } = JSON.parse(stdout);
    expect(name === 'xml' ? undefined : code).toBe({ many: 'zip-bomb', names: 'zip-bomb', liar: 'zip-corrupt' }[name]);
    expect(ms).toBeLessThan(1_500);
    if (process.env['CORPUS_TIMES']) console.log(name, code, ms, mib);
    expect(mib).toBeLessThan(130);
  });
});
