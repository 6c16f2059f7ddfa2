import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { canCutNetwork, withoutNetwork } from './without-network.ts';

const run = promisify(execFile);
const module = fileURLToPath(new URL('./without-network.ts', import.meta.url));

test('the command comes behind what cuts it off, or as it is', async () => {
  const command = await withoutNetwork(['/bin/true', '-x']);
  expect(command.slice(-2)).toEqual(['/bin/true', '-x']);
  expect(command.length > 2).toBe(await canCutNetwork());
});

test.skipIf(!(await canCutNetwork()))('a bad moment is not remembered', { timeout: 30_000 }, async () => {
  const program = `
    const { openSync, closeSync } = await import('node:fs');
    const { canCutNetwork } = await import(process.argv[1]);
    const open = [];
    // Nothing can be started while no file can be opened.
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    const during = await canCutNetwork().catch(() => 'rejected');
    open.forEach((file) => closeSync(file));
    console.log(JSON.stringify([during, await canCutNetwork().catch(() => 'rejected')]));`;
  const { stdout } = await run('/usr/bin/prlimit', [
    '--nofile=64',
    process.execPath,
    '--no-warnings',
    '--input-type=module',
    '-e',
    program,
    module,
  ]);
  expect(JSON.parse(stdout)).toEqual([false, true]);
});
