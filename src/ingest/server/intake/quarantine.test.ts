import { mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layIntakeFolder } from '../../../../tests/intake-folder.ts';
import { collectFiles } from '../source/collect-files.ts';
import { openSource } from '../source/open-source.ts';
import { checkOutputs } from './check-outputs.ts';
import { quarantineFile } from './quarantine.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'ceku-quarantine-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(['file', 'folder'] as const)('quarantine takes nothing through a %s that became a link', async (what) => {
  const { intake, swap } = await layIntakeFolder(folder);
  const name = what === 'file' ? 'a.pdf' : 'sub/b.pdf';
  const path = join(intake, name);
  const { rootOf } = await collectFiles([intake]);
  await swap[what]();
  const place = join(folder, 'quarantine');
  const { isKept } = await quarantineFile(place, { path, root: rootOf(path), reasonCode: 'corrupt', message: '' });
  expect(isKept).toBe(false);
  const [only, ...others] = await readdir(place);
  expect(others).toEqual([]);
  expect(await readFile(join(place, only ?? ''), 'utf8')).toContain('not copied');
});

test('quarantine takes the file that was refused, not another in its place, and never writes through a link', async () => {
  const { intake, secret } = await layIntakeFolder(folder);
  const path = join(intake, 'a.pdf');
  const { facts, handle } = await openSource(path, null);
  await handle.close();
  const stamp = { sizeBytes: facts.size, modifiedAt: new Date(Math.floor(facts.mtimeMs)) };
  const place = join(folder, 'quarantine');
  const { copy, isKept } = await quarantineFile(place, { path, stamp, reasonCode: 'corrupt', message: '' });
  expect(isKept).toBe(true);
  expect(await readFile(copy)).toEqual(await readFile(path));
  const victim = join(folder, 'victim.txt');
  await writeFile(victim, 'mine');
  for (const name of [`${copy}.txt`, copy]) {
    await rm(name, { force: true });
    await symlink(victim, name);
  }
  await quarantineFile(place, { path, stamp, reasonCode: 'corrupt', message: '' });
  expect(await readFile(victim, 'utf8')).toBe('mine');
  expect(await readFile(copy)).toEqual(await readFile(path));
  await rm(path);
  await symlink(join(secret, 'a.pdf'), path);
  await quarantineFile(place, { path, stamp, reasonCode: 'corrupt', message: '' });
  expect(await readFile(`${copy}.txt`, 'utf8')).toContain('not copied');
});

test('nobody else may read the quarantine folder, whoever makes it', async () => {
  const { intake } = await layIntakeFolder(folder);
  const [checked, used] = [join(folder, 'checked'), join(folder, 'used')];
  await checkOutputs({ quarantine: checked });
  await quarantineFile(used, { path: join(intake, 'a.pdf'), reasonCode: 'corrupt', message: '' });
  for (const place of [checked, used]) expect((await stat(place)).mode & 0o777).toBe(0o700);
});

test('several commands put one file into quarantine at once', async () => {
  const { intake } = await layIntakeFolder(folder);
  const path = join(intake, 'a.pdf');
  const place = join(folder, 'quarantine');
  const put = () => quarantineFile(place, { path, reasonCode: 'corrupt', message: '' });
  const copies = new Set((await Promise.all(Array.from({ length: 12 }, put))).map(({ copy }) => copy));
  expect(copies.size).toBe(1);
  expect(await readdir(place)).toHaveLength(2);
  for (const copy of copies) expect(await readFile(copy)).toEqual(await readFile(path));
});
