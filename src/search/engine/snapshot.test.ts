import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRandom } from '../../../demo/random.ts';
import { sourceDocument } from '../../../tests/source-document.ts';
import { createSegmentBuilder } from './build/build-segment.ts';
import { toIndexed } from './build/index-document.ts';
import { loadSnapshot, saveSnapshot } from './snapshot.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ceku-snapshot-'));
  path = join(folder, 'search', 'index');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FACTS = { lineage: 'here', horizon: '4711' };

function segment(documents: number): SharedArrayBuffer {
  const builder = createSegmentBuilder();
  for (let id = 1; id <= documents; id++) {
    builder.add(
      toIndexed(
        sourceDocument({
          id,
          name: `第${id}份中秋方案`,
          keyword: '地产',
          industry: '餐饮',
          industryId: 1,
          themeIds: [1, 2],
          fileType: 'pdf',
          pageCount: id,
        }),
      ),
    );
  }
  return builder.finish();
}

it('is loaded as it was saved, over an older snapshot', () => {
  saveSnapshot(path, segment(3), { ...FACTS, horizon: '1' });
  const buffer = segment(50);
  saveSnapshot(path, buffer, FACTS);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const loaded = loadSnapshot(path);
  expect(loaded).toMatchObject(FACTS);
  expect(Buffer.from(loaded?.buffer ?? new ArrayBuffer(0))).toEqual(Buffer.from(buffer));
  expect(readdirSync(join(folder, 'search'))).toEqual(['index']);
});

it('is null when the file is missing', () => expect(loadSnapshot(path)).toBeNull());

it('is refused when it was truncated or changed anywhere', () => {
  saveSnapshot(path, segment(20), FACTS);
  const whole = readFileSync(path);
  const random = createRandom(3);
  for (let round = 0; round < 200; round++) {
    const at = random.int(whole.length);
    if (round % 2 === 0) {
      writeFileSync(path, whole);
      truncateSync(path, at);
    } else {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.int(8));
      writeFileSync(path, changed);
    }
    const loaded = loadSnapshot(path);
    // A change in the first kilobyte may hit a fact that cannot be checked, but never the index itself.
    const isSurelyFound = round % 2 === 0 || at >= 1_024;
    const allowed = isSurelyFound ? [null] : [null, whole.subarray(1_024)];
    expect(allowed).toContainEqual(loaded && Buffer.from(loaded.buffer));
  }
});

it('is refused when another version wrote it', () => {
  saveSnapshot(path, segment(2), FACTS);
  const whole = readFileSync(path, 'latin1');
  for (const field of ['layout', 'tokenizer']) {
    writeFileSync(path, whole.replace(new RegExp(`"${field}":\\d`), `"${field}":0`), 'latin1');
    expect(loadSnapshot(path)).toBeNull();
  }
});

it('is complete whenever the writing process is killed', async () => {
  const writer = fileURLToPath(new URL('./snapshot.test-process.ts', import.meta.url));
  const random = createRandom(29);
  for (let round = 0; round < 10; round++) {
    const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await wait(random.int(60));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(loadSnapshot(path)?.buffer.byteLength).toBeGreaterThan(1_000_000);
  }
  // The next snapshot removes the temporary files of killed processes.
  saveSnapshot(path, segment(1), FACTS);
  expect(readdirSync(join(folder, 'search'))).toEqual(['index']);
}, 60_000);
