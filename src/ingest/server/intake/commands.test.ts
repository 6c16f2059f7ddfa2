import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { typeCommand } from '../../../../tests/type-command.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import type { Open } from '../../../context.ts';
import { listLabels, seedTaxonomy } from '../../../library/server/labels.ts';
import { documents } from '../../../library/server/tables.ts';
import { EXIT } from '../../../platform/command-line.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { collectFiles } from '../source/collect-files.ts';
import { ingestCommands } from './commands.ts';
import { ingestFiles } from './ingest-files.ts';
import { writeResults } from './write-results.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
  await seedTaxonomy(app.ctx);
  await writeFile(join(app.folder, 'deck.pdf'), 'not a deck');
});
afterAll(() => app.close());

const run = (...argv: string[]) => typeCommand((program) => ingestCommands(program, (work) => work(app.ctx)), argv);

/** A folder of its own with these files. */
async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const made = await mkdtemp(join(app.folder, 'f-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(made, name)), { recursive: true });
    await writeFile(join(made, name), content);
  }
  return made;
}

test('ceku ingest sweep accepts --json, although ingest has that option too', async () => {
  const { code, out } = await run('ingest', 'sweep', '--json');
  expect(code).toBe(EXIT.ok);
  expect(JSON.parse(out)).toMatchObject({ removed: 0 });
});

test('ceku ingest sweep refuses options of ingest, such as --dry-run', async () => {
  for (const words of [
    ['sweep', '--dry-run'],
    ['--dry-run', 'sweep'],
  ])
    expect(await run('ingest', ...words)).toEqual({
      code: EXIT.usage,
      out: '',
      err: 'ceku ingest sweep has no option --dry-run.\n',
    });
});

test('ceku ingest --watch that Ctrl-C ends says so by its exit code', async () => {
  const open: Open = async (work) => {
    // As the terminal sends it, while the command watches. The test process has no other listener.
    setImmediate(() => process.emit('SIGINT'));
    return work(app.ctx);
  };
  const { code } = await typeCommand((program) => ingestCommands(program, open), ['ingest', '--watch']);
  expect(code).toBe(EXIT.interrupted);
});

test('results take the place of earlier results, and of nothing else', async () => {
  const made = await folderOf({
    'a.pdf': smallPdf('one'),
    'b.pdf': 'not a deck',
    'list.csv': 'file,name\na.pdf,One\n',
  });
  const [deck, list, out] = ['a.pdf', 'list.csv', 'out.csv'].map((name) => join(made, name)) as [
    string,
    string,
    string,
  ];
  // A shell makes of `--result *.pdf` that the first deck is where the results go.
  for (const wrong of [deck, list]) {
    const before = await readFile(wrong, 'utf8');
    const { code, err } = await run('ingest', made, ...(wrong === list ? ['--manifest', list] : []), '--result', wrong);
    expect(code).toBe(EXIT.cannotCreate);
    expect(err).toContain(`${wrong} cannot be written: another file is there, which would be lost.`);
    expect(await readFile(wrong, 'utf8')).toBe(before);
  }
  const fifo = join(made, 'pipe');
  execFileSync('mkfifo', [fifo]);
  expect((await run('ingest', deck, '--result', fifo)).err).toContain('it is a pipe');
  const saved = '"file";"state";"document"\r\n';
  for (const earlier of ['', 'file,state\n', '\ufefffile,state,document\n', saved]) {
    await writeFile(out, earlier);
    const { code } = await run('ingest', join(made, 'b.pdf'), '--result', out);
    expect(code).toBe(EXIT.partial);
    expect(await readFile(out, 'utf8')).toContain('b.pdf,refused');
  }
});

test('an output that cannot be written is refused before any file is sniffed', async () => {
  const file = join(app.folder, 'deck.pdf');
  const result = await run('ingest', file, '--result', join(app.folder, 'missing', 'out.csv'));
  expect(result).toMatchObject({ code: EXIT.cannotCreate, out: '' });
  expect(result.err).toContain('there is no such folder');
  expect(await run('ingest', file, '--result', app.folder)).toMatchObject({ code: EXIT.cannotCreate, out: '' });
  const quarantine = await run('ingest', file, '--quarantine', join(file, 'inside'));
  expect(quarantine).toMatchObject({ code: EXIT.cannotCreate, out: '' });
  expect(quarantine.err).toContain('a file is in the way');
});

test('a folder where nothing can be made is told, and does not hang', async () => {
  const file = join(app.folder, 'deck.pdf');
  for (const options of [
    ['--quarantine', '/proc/ceku/quarantine'],
    ['--result', '/proc/ceku.csv'],
    ['--quarantine', join(app.folder, 'x'.repeat(300))],
  ])
    expect(await run('ingest', file, ...options)).toMatchObject({ code: EXIT.cannotCreate, out: '' });
});

test('quarantine, results and the data folder inside the folder are not ingested', async () => {
  const inside = await folderOf({
    'a.pdf': 'not a deck',
    'data/files/originals/00': 'x',
  });
  vi.stubEnv('DATA_DIR', join(inside, 'data'));
  const result = join(inside, 'out.csv');
  const words = ['ingest', inside, '--quarantine', join(inside, 'bad'), '--result', result, '--json'];
  for (let round = 0; round < 2; round++) {
    const { out } = await run(...words);
    expect(out.trim().split('\n')).toHaveLength(1);
  }
  expect(await readdir(join(inside, 'bad'))).toHaveLength(2);
  // A path given on the command line is ingested even inside an excluded folder.
  expect((await run('ingest', join(inside, 'bad'), '--json')).out.trim().split('\n')).toHaveLength(2);
});

test('the report counts the refused files that were copied to quarantine and those that were not', async () => {
  const decks = await folderOf({ 'a.pdf': 'not a deck', 'b.pdf': 'not a deck either' });
  await truncate(join(decks, 'b.pdf'), limits.fileBytes + 1);
  const quarantine = await folderOf({});
  const { err } = await run('ingest', decks, '--quarantine', quarantine);
  expect(err).toContain(`1 refused file copied to ${quarantine}, with the reasons.\n`);
  expect(err).toContain(`1 refused file not copied, only named with the reasons in ${quarantine}.\n`);
  const alone = await run('ingest', join(decks, 'b.pdf'), '--quarantine', quarantine);
  expect(alone.err).not.toContain('copied to');
});

test('a refused file that cannot be copied to quarantine takes neither the report nor the results', async () => {
  const decks = await folderOf({ 'a.pdf': 'not a deck', 'b.pdf': 'nor this' });
  const quarantine = await folderOf({});
  await run('ingest', decks, '--quarantine', quarantine, '--json');
  const [copy = ''] = (await readdir(quarantine)).filter((name) => name.endsWith('a.pdf'));
  await rm(join(quarantine, copy));
  // A folder is in the way of the copy.
  await mkdir(join(quarantine, copy, 'x'), { recursive: true });
  const result = join(app.folder, 'kept.csv');
  const { code, out, err } = await run('ingest', decks, '--quarantine', quarantine, '--result', result);
  expect(code).toBe(EXIT.partial);
  expect(out).toMatch(/refused {3}.*a\.pdf[^]*refused {3}.*b\.pdf/);
  expect(err).toContain('a.pdf could not be copied to quarantine');
  expect((await readFile(result, 'utf8')).split('\n')).toHaveLength(4);
});

test('Ctrl-C ends in order with 130, SIGTERM with 143, and the results are written', async () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const decks = await folderOf({ 'a.pdf': smallPdf(`Interrupted by ${signal}`), 'b.pdf': 'not a deck' });
    const result = join(app.folder, `${signal}.csv`);
    const ending = run('ingest', decks, '--no-quarantine', '--result', result);
    // No worker prepares a.pdf here: without the option the command would wait for ever.
    await vi.waitFor(
      async () => expect(await app.ctx.jobs.countOpen(['ingest-prepare-file'])).toBeGreaterThan(0),
      15_000,
    );
    process.emit(signal, signal);
    expect(await ending).toMatchObject({ code });
    expect(await readFile(result, 'utf8')).toMatch(/a\.pdf,queued[^]*b\.pdf,refused/);
    await app.ctx.db.execute(sql`delete from graphile_worker._private_jobs`);
  }
});

test('what is not in the manifest, and words the library does not have, are said before and in the results', async () => {
  const decks = await folderOf({
    'a.pdf': smallPdf('Manifest a'),
    'b.pdf': smallPdf('Manifest b'),
    'list.csv': 'file,name,price,industry,themes\na.pdf,甲,3,餐饮业,年会盛典;年会庆典\nc.pdf,丙,,,\n',
  });
  const manifest = join(decks, 'list.csv');
  const dry = await run('ingest', decks, '--manifest', manifest, '--dry-run');
  expect(dry.err).toContain('1 of 2 files are not in the manifest');
  expect(dry.err).toContain('industry "餐饮业" is not known (餐饮');
  expect(dry.out).toMatch(/a\.pdf: pdf, \d+ bytes; industry "餐饮业" is not known/);
  const industries = await listLabels(app.ctx, 'industry');
  const ending = run('ingest', decks, '--manifest', manifest, '--json');
  await vi.waitFor(async () => expect(await app.ctx.jobs.countOpen(['ingest-prepare-file'])).toBe(2), 15_000);
  process.emit('SIGINT', 'SIGINT');
  const { out, err } = await ending;
  expect(err).toContain('1 of 2 files are not in the manifest');
  expect(err).toContain('theme "年会庆典" is not known (年会盛典');
  expect(out).toContain('industry \\"餐饮业\\" is not known (餐饮');
  const [document] = await app.ctx.db.select().from(documents).where(eq(documents.name, '甲'));
  expect(document).toMatchObject({ priceCoins: 3, industryId: null });
  expect(document?.themeIds).toHaveLength(1);
  expect(await listLabels(app.ctx, 'industry')).toEqual(industries);

  // A corrected manifest changes no document that is there: that is said.
  await writeFile(manifest, 'file,name,price,industry\na.pdf,甲乙,4,餐饮\n');
  await app.ctx.db.execute(sql`update documents set state = 'published'`);
  const again = await run('ingest', join(decks, 'a.pdf'), '--manifest', manifest, '--json');
  expect(again.out).toContain(
    `the manifest has a different name, price, industry; not applied (use ceku document set ${document?.id})`,
  );
});

test('a folder that cannot be listed, a name that is no UTF-8 and a path of 3,000 bytes stop nothing', async () => {
  const root = await folderOf({ 'a.pdf': 'not a deck' });
  await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from('d6d0c7ef', 'hex')]), 'x');
  const long = join(root, ...Array<string>(13).fill('l'.repeat(230)));
  await mkdir(long, { recursive: true });
  await writeFile(join(long, 'b.pdf'), 'not a deck');
  // Below this nothing has a path that the system takes.
  const deeper = `${'d'.repeat(250)}/${'d'.repeat(250)}/${'d'.repeat(250)}`;
  execFileSync('sh', ['-c', `cd "$1" && mkdir -p ${deeper} && cd ${deeper} && mkdir -p ${deeper}`, 'sh', long]);
  const { out } = await run('ingest', root, '--json', '--no-quarantine');
  const lines = out.trim().split('\n');
  expect(lines).toHaveLength(4);
  expect(out).toMatch(
    /"state":"refused","document":null,"pages":null,"reason":"file-name","message":"the file name is not UTF-8/,
  );
  expect(out).toMatch(
    /"state":"failed","document":null,"pages":null,"reason":"unreadable","message":"[^"]*the folder: ENAMETOOLONG/,
  );
  expect(out).toMatch(/b\.pdf","state":"refused"/);
  execFileSync('rm', ['-r', root]);
});

test('a dry run refuses a path of results that the batch could not write, and writes none', async () => {
  const decks = await folderOf({ 'a.pdf': smallPdf('Dry') });
  const nowhere = join(decks, 'nowhere', 'out.csv');
  const refused = { code: EXIT.cannotCreate, out: '', err: expect.stringContaining(`${nowhere} cannot be written: `) };
  for (const dry of [['--dry-run'], []])
    expect(await run('ingest', join(decks, 'a.pdf'), '--result', nowhere, ...dry)).toMatchObject(refused);
  const result = join(decks, 'out.csv');
  const { code, err } = await run('ingest', join(decks, 'a.pdf'), '--result', result, '--dry-run');
  expect([code, err]).toEqual([0, expect.stringContaining('note: a dry run writes no results')]);
  expect(await readdir(decks)).toEqual(['a.pdf']);
});

test('control characters of a file name are not printed to the terminal', async () => {
  const path = join(app.folder, 'a\u001b]0;owned\u0007\u202e.pdf');
  await writeFile(path, 'not a deck');
  const { out } = await run('ingest', path, '--dry-run');
  expect(out).toContain('\ufffd]0;owned');
  expect(out.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const manifest = join(app.folder, 'odd.csv');
  await writeFile(manifest, 'file,col\u001bour,industry\nb.pdf,x,酒\u001b[2J店\n');
  await writeFile(join(app.folder, 'b.pdf'), 'not a deck');
  const { err } = await run('ingest', path, join(app.folder, 'b.pdf'), '--manifest', manifest, '--dry-run');
  expect(err).toContain('col\ufffdour');
  expect(err).toContain('  ' + join(app.folder, 'a\ufffd]0;owned'));
  // A label has no control characters: they are spaces when it is looked up.
  expect(err).toContain('industry "酒 [2J店" is not known');
  expect(err.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('a pipe, a device or a folder in the place of a file is reported, and does not block the command', async () => {
  const made = await folderOf({ 'a.pdf': 'not a deck', 'out.csv': '' });
  const pipe = join(made, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [path, kind] of [
    [pipe, 'a pipe'],
    ['/dev/null', 'a device'],
    [made, 'a folder'],
  ] as const) {
    const manifest = await run('ingest', made, '--manifest', path);
    expect(manifest).toMatchObject({ code: EXIT.data, err: `The manifest ${path} is ${kind}, not a file.\n` });
    expect((await run('ingest', join(made, 'a.pdf'), '--result', path)).err).toContain(`${path} cannot be written: `);
  }
  for (const path of [pipe, '/dev/null']) {
    const { code, err } = await run('ingest', join(made, 'a.pdf'), path, '--dry-run');
    expect({ code, err }).toEqual({ code: EXIT.data, err: expect.stringContaining('neither a file nor a folder') });
  }
  // Nor is one waited for that a manifest names.
  const list = join(made, 'list.csv');
  await writeFile(list, 'file\npipe\na.pdf\n');
  expect((await run('ingest', '--manifest', list, '--dry-run')).err).toContain(`missing ${pipe}`);
});

test('results are never written through a link', async () => {
  const made = await folderOf({ 'a.pdf': 'not a deck', 'mine.txt': 'mine' });
  const [deck, out] = [join(made, 'a.pdf'), join(made, 'out.csv')];
  await symlink(join(made, 'mine.txt'), out);
  expect((await run('ingest', deck, '--result', out)).err).toContain('it is a link; name the file itself');
  expect(await readFile(join(made, 'mine.txt'), 'utf8')).toBe('mine');
});

test('four commands at once write their results to one place: whole lists, and no draft is left', async () => {
  const made = await folderOf(
    Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.pdf`, `no deck ${at}`])),
  );
  const { files, unreachable, rootOf } = await collectFiles([made]);
  const { batchId } = await ingestFiles(app.ctx, { paths: files, unreachable, rootOf, factsOf: () => null });
  const out = join(await folderOf({}), 'out.csv');
  await Promise.all(Array.from({ length: 4 }, () => writeResults(app.ctx, batchId, out, [])));
  expect((await readFile(out, 'utf8')).trim().split('\n')).toHaveLength(31);
  expect(await readdir(dirname(out))).toEqual(['out.csv']);
});

test('the report is printed even when the results cannot be written in the end', async () => {
  await app.ctx.db.execute(sql`delete from graphile_worker._private_jobs`);
  const made = await folderOf({ 'a.pdf': smallPdf('Unwritable'), 'b.pdf': 'not a deck' });
  const result = join(await folderOf({}), 'out.csv');
  const ending = run('ingest', made, '--no-quarantine', '--result', result);
  await vi.waitFor(
    async () => expect(await app.ctx.jobs.countOpen(['ingest-prepare-file'])).toBeGreaterThan(0),
    15_000,
  );
  await rm(dirname(result), { recursive: true });
  process.emit('SIGINT', 'SIGINT');
  const { code, out, err } = await ending;
  expect(code).toBe(EXIT.cannotCreate);
  expect(out).toMatch(/queued +.*a\.pdf[^]*refused +.*b\.pdf/);
  expect(err).toContain(`The results cannot be written to ${result}`);
  await app.ctx.db.execute(sql`delete from graphile_worker._private_jobs`);
});

test('an empty path, as of an unset shell variable, is refused', async () => {
  const file = join(app.folder, 'deck.pdf');
  for (const option of ['--manifest', '--result', '--quarantine'])
    expect(await run('ingest', file, option, '')).toMatchObject({ code: EXIT.usage, out: '' });
});

test('convert takes exactly one of the options that say which files', async () => {
  const ONE = 'Give exactly one of --retry-failed, --outdated-images and --document <id>.\n';
  for (const words of [
    ['--retry-failed', '--document', '1'],
    ['--outdated-images', '--retry-failed'],
    ['--outdated-images', '--document', '1', '--redraw'],
    ['--redraw'],
    [],
  ]) {
    const { code, err } = await run('convert', ...words);
    expect({ code, err }).toEqual({ code: EXIT.usage, err: ONE });
  }
  const { code, err } = await run('convert', '--retry-failed', '--redraw');
  expect({ code, err }).toEqual({ code: EXIT.usage, err: '--redraw needs --document <id>.\n' });
});
