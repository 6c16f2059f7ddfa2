import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { CHILD_FLAGS, findChildCache } from './render/child-cache.ts';
import { runChild } from './sandbox/run-child.ts';
import { CHILD_PROGRAM, openBox, sandboxed } from './sandbox/sandbox.ts';

test('the render child loads no database and no queue: they take longer to load than all that it needs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ceku-child-'));
  try {
    // Without a parent the program ends as soon as it is loaded.
    const { status } = spawnSync(process.execPath, [CHILD_PROGRAM], { env: { NODE_V8_COVERAGE: folder } });
    expect(status).toBe(0);
    const [report = ''] = readdirSync(folder);
    // Safe: the format of NODE_V8_COVERAGE.
    const { result } = JSON.parse(readFileSync(join(folder, report), 'utf8')) as { result: { url: string }[] };
    const loaded = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    expect(loaded.some((url) => url.includes('/node_modules/sharp/'))).toBe(true);
    expect(loaded.filter((url) => /\/(?:platform\/(?:db|jobs)|node_modules\/(?:pg|drizzle-orm))\//.test(url))).toEqual(
      [],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a sandboxed child loads what this process has compiled for it, and compiles nothing itself', async () => {
  const folder = (await findChildCache()) ?? '';
  const box = await openBox();
  try {
    const [command, ...args] = await sandboxed(box, [process.execPath, ...CHILD_FLAGS, CHILD_PROGRAM]);
    const limits = { wallMs: 60_000, cpuSeconds: 30 };
    const env = { NODE_COMPILE_CACHE: folder, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
    const { code, output } = await runChild({ command, args, cwd: '/', env, limits });
    expect(code).toBe(0);
    expect(output).toContain(`skip persisting ESM ${pathToFileURL(CHILD_PROGRAM).href} because cache was the same`);
    expect(output).not.toMatch(/^\[compile cache\] writing cache/m);
  } finally {
    await rm(box.folder, { recursive: true, force: true });
  }
});
