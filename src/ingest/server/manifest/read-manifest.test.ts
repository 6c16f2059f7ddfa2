import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coinsOf, dayOf } from './manifest-cells.ts';
import { matchManifest } from './match-manifest.ts';
import { readManifest } from './read-manifest.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-manifest-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(text: string | Buffer): Promise<string> {
  const path = join(folder, `${Math.random()}.csv`);
  await writeFile(path, text);
  return path;
}

const NOW = Date.parse('2026-03-05T08:00:00+08:00');
const manifest = async (text: string | Buffer) => readManifest(await write(text), NOW);

/** A manifest beside files of these names under its folder. */
async function match(text: string | Buffer, names: string[]) {
  const path = await write(text);
  const files = names.map((name) => join(folder, name));
  const matched = matchManifest(path, await readManifest(path, NOW), files);
  const short = (path: string) => path.slice(folder.length + 1);
  return {
    nameOf: (name: string) => matched.factsOf(join(folder, name))?.name ?? null,
    missing: matched.missing.map(short),
    unnamed: matched.unnamed.map(short),
  };
}

test('reads the facts of each file, and nothing from cells that are empty', async () => {
  const { rows, ignoredColumns } = await manifest(
    '\ufefffile,name,themes,industry,price,date,colour\nsub/a.pptx,"年会, 盛典",年会盛典;快闪路演,餐饮,12,2025-03-01,red\n',
  );
  const createdAt = new Date('2025-03-01T09:00:00+08:00');
  const facts = { name: '年会, 盛典', themes: ['年会盛典', '快闪路演'], industry: '餐饮', priceCoins: 12, createdAt };
  expect(rows).toEqual([{ line: 2, file: 'sub/a.pptx', path: join(folder, 'sub/a.pptx'), facts }]);
  expect(ignoredColumns).toEqual(['colour']);
  // Nothing but marks that cannot be seen is no name.
  expect((await manifest('file,name,price\na.pdf,\u200b,\n')).rows[0]?.facts).toEqual({});
});

const TEXT = 'file,name\n方案/a.pdf,中秋\n';
// The same in GB18030.
const GB = Buffer.concat([
  Buffer.from('file,name\n'),
  Buffer.from('b7bdb0b8', 'hex'),
  Buffer.from('/a.pdf,'),
  Buffer.from('d6d0c7ef', 'hex'),
]);
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
test.each([
  ['UTF-8', TEXT],
  ['UTF-8 with a mark', `\ufeff${TEXT}`],
  ['GB18030', GB],
  ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
  ['UTF-16, big end first', swapped(`\ufeff${TEXT}`)],
  ['semicolons', TEXT.replaceAll(',', ';')],
  ['tabs', TEXT.replaceAll(',', '\t')],
  ['full-width commas', TEXT.replaceAll(',', '，')],
  ['a named separator', `sep=;\n${TEXT.replaceAll(',', ';')}`],
  ['line ends of Windows', TEXT.replaceAll('\n', '\r\n')],
  ['line ends of an old Mac', TEXT.replaceAll('\n', '\r')],
  ['Chinese column names', TEXT.replace('file', '文件名').replace('name', '方案名称')],
  ['columns in capitals with spaces', TEXT.replace('file', ' File ').replace('name', '　NAME')],
  ['back slashes', TEXT.replace('/', '\\')],
  ['spaces of any width around cells', TEXT.replace('方案', '　方案').replace('中秋', ' 中秋　\u200b')],
  ['empty rows', TEXT.replace('\n', '\n,\n\n , \n')],
  ['the same row twice', `${TEXT}方案/a.pdf,中秋\n`],
  ['a column nobody knows', 'file,colour,name\n方案/a.pdf,red,中秋\n'],
])('reads %s', async (_what, text) => {
  const found = await match(text, ['方案/a.pdf']);
  expect(found.nameOf('方案/a.pdf')).toBe('中秋');
  expect(found).toMatchObject({ missing: [], unnamed: [] });
});

test.each([
  ['no file column', 'name,price\nx,1\n', 'needs a column "file"'],
  ['two columns for one thing', 'file,文件名\na,b\n', 'both mean "file"'],
  ['a wrong price', 'file,price\na.pdf,-3\n', 'line 2: the price "-3"'],
  ['a price in yuan', 'file,price\na.pdf,12元\n', 'line 2: the price "12元"'],
  ['a day that does not exist', 'file,date\na.pdf,2025-02-30\n', 'line 2: the date "2025-02-30"'],
  ['a day after today', 'file,date\na.pdf,2026-03-06\n', 'line 2: the date "2026-03-06" is not between'],
  ['a day of another millennium', 'file,date\na.pdf,0202/03/05\n', 'line 2: the date "0202/03/05" is not between'],
  ['the year 0', 'file,date\na.pdf,0000-03-05\n', 'line 2: the date "0000-03-05" is not between'],
  ['a row without a file', 'file,name\n,x\n', 'line 2: no file name'],
  ['a quote left open', 'file,name\n"a.pdf,x\n', 'is not CSV'],
  ['a comma without quotes', 'file,name,price\na.pdf,年会,盛典,3\n', 'line 2: 4 cells for 3 columns'],
  ['one file with two names', 'file,name\na.pdf,x\n.\\a.pdf,y\n', 'line 3: same file as line 2'],
  [
    'the line after empty ones and lines within quotes',
    'file,name\n\n"a.pdf","x\r\ny"\n,\n,z\n',
    'line 6: no file name',
  ],
  ['letters of no kind', Buffer.concat([Buffer.from('file\n'), Buffer.from('ff81ff', 'hex')]), 'are neither UTF-8'],
  ['an old XLS', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old XLS'],
])('%s is said by line, and nothing is read', async (_what, text, words) => {
  await expect(manifest(text)).rejects.toThrow(words);
});

test.each([
  ['00:30', '00:30'],
  ['09:00', '09:00'],
  ['21:00', '09:00'],
])('at %s a plan of today is of %s, never of a time to come', async (now, time) => {
  const path = join(folder, 'today.csv');
  await writeFile(path, 'file,date\na.pdf,2026-03-05\nb.pdf,2026-03-04\n');
  const { rows } = await readManifest(path, Date.parse(`2026-03-05T${now}:00+08:00`));
  expect(rows.map(({ facts }) => facts.createdAt)).toEqual([
    new Date(`2026-03-05T${time}:00+08:00`),
    new Date('2026-03-04T09:00:00+08:00'),
  ]);
});

test('today and the first day of all are days of a plan', async () => {
  const { rows } = await manifest('file,date\na.pdf,2026-03-05\nb.pdf,1900-01-01\n');
  expect(rows.map(({ facts }) => facts.createdAt?.toISOString().slice(0, 10))).toEqual(['2026-03-05', '1900-01-01']);
});

test('a missing manifest is reported', async () => {
  await expect(readManifest(join(folder, 'none.csv'), NOW)).rejects.toThrow('cannot be read');
});

test('days and prices as spreadsheets write them', () => {
  const day = new Date('2025-03-05T09:00:00+08:00');
  for (const text of [
    '2025-03-05',
    '2025/3/5',
    '2025.3.5',
    '20250305',
    '2025年3月5日',
    '２０２５／３／５',
    '45721',
    '2025/3/5 0:00',
  ])
    expect(dayOf(text), text).toEqual(day);
  for (const text of ['3/5/2025', '2025年3月', '2025', '2025-13-01', '99999', 'today'])
    expect(dayOf(text), text).toBeNull();
  expect(['12', '12.00', '１２', '1,200', '免费'].map(coinsOf)).toEqual([12, 12, 12, 1_200, 0]);
  expect(['12.5', '12元', '￥12', '100000', '-1', '1,20', 'x'].map(coinsOf)).toEqual(Array(7).fill(null));
});

test('a path of another machine matches by its longest existing end, and never a namesake', async () => {
  const rows = 'file,name\nC:\\客户\\方案\\甲\\a.pptx,甲\nC:\\客户\\方案\\乙\\a.pptx,乙\n\\\\nas\\share\\b.pptx,丙\n';
  const found = await match(rows, ['甲/a.pptx', '乙/a.pptx', 'b.pptx', 'c.pptx']);
  expect([found.nameOf('甲/a.pptx'), found.nameOf('乙/a.pptx'), found.nameOf('b.pptx')]).toEqual(['甲', '乙', '丙']);
  expect(found).toMatchObject({ missing: [], unnamed: ['c.pptx'] });
});

test('a file name matches only when it is unique; a file at its own path belongs to no other row', async () => {
  const moved = await match('file,name\nold/a.pptx,甲\n', ['new/a.pptx']);
  expect(moved.nameOf('new/a.pptx')).toBe('甲');
  const namesakes = await match('file,name\nx/a.pptx,甲\ny/a.pptx,乙\nb.pdf,丙\n', ['y/a.pptx', 'z/a.pptx', 'b.pdf']);
  expect(namesakes.nameOf('y/a.pptx')).toBe('乙');
  expect(namesakes.nameOf('z/a.pptx')).toBeNull();
  expect(namesakes).toMatchObject({ missing: ['x/a.pptx'], unnamed: ['z/a.pptx'] });
  await expect(match('file,name\nb.pdf,丙\na.pptx,甲\n', ['b.pdf', 'x/a.pptx', 'y/a.pptx'])).rejects.toThrow(
    'line 3: 2 files have the name a.pptx',
  );
  await expect(match('file,name\nC:\\x\\a.pptx,甲\nD:\\y\\a.pptx,乙\n', ['a.pptx'])).rejects.toThrow(
    'lines 2, 3: each may',
  );
});

test('names are the same however their accents are written', async () => {
  const found = await match(`file,name\n${'café.pdf'.normalize('NFC')},甲\n`, ['café.pdf'.normalize('NFD')]);
  expect(found.nameOf('café.pdf'.normalize('NFD'))).toBe('甲');
});

test('a manifest that names none of the files is refused', async () => {
  await expect(match('file,name\na.pdf,x\n', ['b.pdf', 'c.pdf'])).rejects.toThrow('names none of the 2 files');
});
