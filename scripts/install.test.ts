import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MODULE = fileURLToPath(new URL('install.mjs', import.meta.url));
const PACKAGE = `node-${process.platform}-${process.arch}`;
const LOCK = JSON.stringify({ packages: { '': {}, [`node_modules/${PACKAGE}`]: { version: '24.0.0' } } });

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'ceku-install-'));
  await mkdir(path.join(root, 'node_modules', PACKAGE, 'bin'), { recursive: true });
  await mkdir(path.join(root, 'node_modules/.bin'));
  await symlink(process.execPath, path.join(root, 'node_modules', PACKAGE, 'bin/node'));
  await writeFile(path.join(root, 'package-lock.json'), LOCK);
  await writeFile(path.join(root, 'node_modules/.package-lock.json'), LOCK);
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Where the Node that would run the site really lies. */
async function nodeAfterInstall(): Promise<string> {
  const words = `import { findNode, installPackages } from ${JSON.stringify(MODULE)};
    await installPackages(process.argv[1]);
    console.log(await findNode(process.argv[1]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', words, root]);
  expect(stdout.trim()).toBe(path.join(root, 'node_modules/.bin/node'));
  return realpath(stdout.trim());
}

test('the Node from npm is found though npm 10 took its command away with the packages for other machines', async () => {
  expect(await nodeAfterInstall()).toBe(await realpath(process.execPath));
});

test('a command that npm left pointing at the Node of another machine is put right', async () => {
  await symlink('../node-other-machine/bin/node', path.join(root, 'node_modules/.bin/node'));
  expect(await nodeAfterInstall()).toBe(await realpath(process.execPath));
});
