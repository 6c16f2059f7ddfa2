import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pdfStream } from '../../../../tests/samples/pdf.ts';
import { readPdfNames } from './pdf-names.ts';

const WANTED = ['Launch', 'JavaScript'] as const;

async function namesIn(pdf: string | Buffer, chunkBytes = 1 << 20): Promise<string[]> {
  const bytes = Buffer.from(pdf);
  const reader = readPdfNames(WANTED);
  for (let at = 0; at < bytes.length; at += chunkBytes) await reader.push(bytes.subarray(at, at + chunkBytes));
  await reader.end();
  return [...reader.seen].sort();
}

/** Returns a PDF with other objects before and after `part`, so that `part` is not at the beginning or end of the file. */
const among = (part: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`%PDF-1.4\n${'1 0 obj\n<< /Type /Font >>\nendobj\n'.repeat(20)}7 0 obj\n`),
    Buffer.from(part),
    Buffer.from(`\nendobj\n${'8 0 obj\n<< /Type /Font >>\nendobj\n'.repeat(20)}`),
  ]);
const objStm = (objects: string) => pdfStream(deflateSync(objects), '/Type /ObjStm /Filter /FlateDecode');

test.each<[what: string, part: string | Buffer, names: string[]]>([
  ['an action', '<< /S/JavaScript/JS(app.alert)>>', ['JavaScript']],
  ['two actions', '<< /A [<</S /Launch>> <</S /JavaScript>>] >>', ['JavaScript', 'Launch']],
  ['a name with escapes', '<< /S /#4Caunch >>', ['Launch']],
  ['an action behind strings', '<< /A (\\\\) /B (\\() /C ((a) b) /S /Launch >>', ['Launch']],
  ['an action behind a comment', '% (\n<< /S /Launch >>', ['Launch']],
  ['an action behind a stream with half a string', `${pdfStream('(').toString()}\n<< /S /Launch >>`, ['Launch']],
  ['an action behind names like a stream', '<< /A /stream\n/B /a-stream\r\n/C /astream\n/S /Launch >>', ['Launch']],
  ['an action in an object stream', objStm('5 0 << /S /Launch >>'), ['Launch']],
  ['a string', '<< /Title (a \\( /S /Launch (b) /JavaScript) >>', []],
  ['a comment', '% /Launch /JavaScript', []],
  ['a stream', pdfStream('/Launch /JavaScript'), []],
  ['a string in an object stream', objStm('5 0 << /Title (/Launch) >>'), []],
  ['longer names', '<< /LaunchDay /JavaScripts >>', []],
  ['an object stream that cannot be inflated', pdfStream('/Launch', '/Type /ObjStm /Filter /FlateDecode'), []],
])('%s, in chunks of any size', async (_what, part, names) => {
  for (let chunkBytes = 1; chunkBytes < 200; chunkBytes += 7)
    expect(await namesIn(among(part), chunkBytes)).toEqual(names);
  expect(await namesIn(among(part))).toEqual(names);
});

test('a stray parenthesis does not hide the rest of a file', async () => {
  expect(await namesIn(`( ${' '.repeat(200_000)} << /S /Launch >>`)).toEqual(['Launch']);
});

test('of object streams that inflate to nothing some thousands are inflated, not millions', async () => {
  const behind = (streams: number) =>
    namesIn(Buffer.concat([...Array<Buffer>(streams).fill(objStm('')), objStm('5 0 << /S /Launch >>')]));
  expect(await behind(5_000)).toEqual(['Launch']);
  expect(await behind(10_000)).toEqual([]);
});

test.each(['(', '\\', '/a', '%', 'stream\n', 'stream ', '((\\)', 'endstream stream\n('])(
  'megabytes of %j are read in one pass',
  async (text) => {
    expect(await namesIn(text.repeat(16_000_000 / text.length))).toEqual([]);
  },
);
