import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const HOOK = fileURLToPath(new URL('resolve-quickly.mjs', import.meta.url));
const CLI = new URL('../src/cli.ts', import.meta.url).href;
const TABLE = new URL('../node_modules/drizzle-orm/pg-core/table.js', import.meta.url).href;

/** What Node finds for each import, with `flags`: its address, or the code of the error. */
async function resolveWith(flags: string[], imports: [specifier: string, parent: string][]): Promise<unknown> {
  const words = `console.log(JSON.stringify(${JSON.stringify(imports)}.map(([specifier, parent]) => {
      try { return import.meta.resolve(specifier, parent); } catch (error) { return error.code; }
    })));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--experimental-import-meta-resolve',
    '--input-type=module',
    '-e',
    words,
  ]);
  return JSON.parse(stdout);
}

test('finds what Node finds', async () => {
  const imports: [string, string][] = [
    ['./open-app.ts', CLI],
    ['../demo/users.ts', CLI],
    ['drizzle-orm/pg-core', CLI],
    ['drizzle-orm/pg-core', CLI],
    ['zod', CLI],
    ['node:fs', CLI],
    ['no-such-package', CLI],
    ['../entity.js', TABLE],
    ['zod', TABLE],
  ];
  const expected = await resolveWith([], imports);
  expect(expected).toContain('ERR_MODULE_NOT_FOUND');
  expect(await resolveWith(['--import', HOOK], imports)).toEqual(expected);
});

test('a file of ours that does not exist is named', async () => {
  const missing = new URL('no-such-file.ts', CLI).href;
  const run = promisify(execFile)(process.execPath, [
    '--import',
    HOOK,
    '--input-type=module',
    '-e',
    `import '${missing}'`,
  ]);
  await expect(run).rejects.toThrow('no-such-file.ts');
});
