import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from './read-manifest.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-manifest-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function manifest(text: string | Buffer) {
  const path = join(folder, `${Math.random()}.csv`);
  await writeFile(path, text);
  return readManifest(path);
}

test('reads the facts of each file, by its path beside the manifest or by its name', async () => {
  const { factsOf, paths, ignoredColumns } = await manifest(
    '\ufefffile,name,themes,industry,price,date,colour\nsub/a.pptx,"年会, 盛典",年会盛典;快闪路演,餐饮,12,2025-03-01,red\n',
  );
  const facts = factsOf(join(folder, 'sub/a.pptx'));
  expect(facts).toMatchObject({
    name: '年会, 盛典',
    themes: ['年会盛典', '快闪路演'],
    industry: '餐饮',
    priceCoins: 12,
  });
  expect(facts?.createdAt).toEqual(new Date('2025-03-01T09:00:00+08:00'));
  expect(factsOf('/elsewhere/a.pptx')).toEqual(facts);
  expect(factsOf('/elsewhere/b.pptx')).toBeNull();
  expect(paths).toEqual([join(folder, 'sub/a.pptx')]);
  expect(ignoredColumns).toEqual(['colour']);
});

test('reads GB18030, which spreadsheet programs write', async () => {
  // "中秋" in GB18030.
  const { factsOf } = await manifest(
    Buffer.concat([Buffer.from('file,name\na.pdf,'), Buffer.from([0xd6, 0xd0, 0xc7, 0xef])]),
  );
  expect(factsOf('a.pdf')?.name).toBe('中秋');
});

test.each([
  ['no file column', 'name,price\nx,1\n', 'needs a column "file"'],
  ['a wrong price', 'file,price\na.pdf,-3\n', 'line 2: the price "-3"'],
  ['a day that does not exist', 'file,date\na.pdf,2025-02-30\n', 'line 2: the date "2025-02-30"'],
  ['a row without a file', 'file,name\n,x\n', 'line 2: no file name'],
  ['a quote left open', 'file,name\n"a.pdf,x\n', 'is not CSV'],
])('%s is said by line, and nothing is read', async (_what, text, words) => {
  await expect(manifest(text)).rejects.toThrow(words);
});

test('a manifest that is not there is said', async () => {
  await expect(readManifest(join(folder, 'none.csv'))).rejects.toThrow('cannot be read');
});
