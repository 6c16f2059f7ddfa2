import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHILD_PROGRAM } from './sandbox/sandbox.ts';

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
