import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRandom } from '../../../demo/random.ts';
import { sourceDocument } from '../../../tests/source-document.ts';
import { createSegmentBuilder } from './build/build-segment.ts';
import { toIndexed } from './build/index-document.ts';
import { viewSegment } from './format/layout.ts';
import { closeStore, type MainSegment, readStore } from './format/page-store.ts';
import { loadSnapshot, saveSnapshot } from './snapshot.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ceku-snapshot-'));
  path = join(folder, 'search', 'index');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FACTS = { lineage: 'here', horizon: '4711' };

/** Saves a snapshot and closes its file. Returns the same segment in memory. */
function save(documents: number, facts = FACTS): MainSegment {
  const { segment } = saveSnapshot(path, facts, (pages) => build(documents).finish(pages));
  closeStore(segment.pages);
  return build(documents).finish();
}

function build(documents: number) {
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
          texts: [`第${id}页 舞台搭建`, '签到流程'],
        }),
      ),
    );
  }
  return builder;
}

/** Returns all bytes of a snapshot, and closes its file; null when it cannot be loaded. */
function loadedBytes(): Buffer | null {
  const loaded = loadSnapshot(path);
  return loaded && bytesOf(loaded.segment);
}

function bytesOf({ buffer, pages }: MainSegment): Buffer {
  const views = viewSegment(buffer);
  const bytes = new Uint8Array(views.tables.insideStarts[views.counts.insideTerms] ?? 0);
  readStore(pages, 0, bytes, bytes.length, bytes.length);
  closeStore(pages);
  return Buffer.concat([bytes, Buffer.from(buffer)]);
}

it('is loaded as it was saved, over an older snapshot', () => {
  save(3, { ...FACTS, horizon: '1' });
  const saved = save(50);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const loaded = loadSnapshot(path);
  expect(loaded).toMatchObject(FACTS);
  expect(loaded && bytesOf(loaded.segment)).toEqual(bytesOf(saved));
  expect(readdirSync(join(folder, 'search'))).toEqual(['index']);
});

it('is null when the file is missing', () => expect(loadSnapshot(path)).toBeNull());

it('is refused when it was truncated or changed anywhere', () => {
  save(20);
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
    // A change in the first kilobyte may hit a fact that cannot be checked, but never the index itself.
    const isSurelyFound = round % 2 === 0 || at >= 1_024;
    const allowed = isSurelyFound ? [null] : [null, whole.subarray(1_024)];
    expect(allowed).toContainEqual(loadedBytes());
  }
});

it('is refused when another version wrote it', () => {
  save(2);
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
    expect(loadedBytes()?.length).toBeGreaterThan(1_000_000);
  }
  // A later snapshot removes the temporary files of killed processes, but none that another node may still write.
  const left = join(folder, 'search', 'index.left.tmp');
  const inUse = join(folder, 'search', 'index.in-use.tmp');
  for (const file of [left, inUse]) writeFileSync(file, 'half');
  for (const name of readdirSync(join(folder, 'search')))
    if (name.endsWith('.tmp') && join(folder, 'search', name) !== inUse)
      utimesSync(join(folder, 'search', name), new Date(0), new Date(0));
  save(1);
  expect(readdirSync(join(folder, 'search')).sort()).toEqual(['index', 'index.in-use.tmp']);
}, 60_000);

it('is not mixed with that of another node in the folder, which may have the same process id', () => {
  let other: MainSegment | null = null;
  const { segment, failure } = saveSnapshot(path, { ...FACTS, horizon: '1' }, (pages) => {
    const saved = saveSnapshot(path, { ...FACTS, horizon: '2' }, (otherPages) => build(5).finish(otherPages));
    expect(saved.failure).toBeNull();
    other = saved.segment;
    return build(40).finish(pages);
  });
  expect(failure).toBeNull();
  expect(loadSnapshot(path)).toMatchObject({ horizon: '1' });
  expect(bytesOf(segment)).toEqual(bytesOf(build(40).finish()));
  expect(other && bytesOf(other)).toEqual(bytesOf(build(5).finish()));
  expect(readdirSync(join(folder, 'search'))).toEqual(['index']);
});

it('serves from its file after another snapshot has taken its place, and when it cannot take it', () => {
  const { segment } = saveSnapshot(path, FACTS, (pages) => build(40).finish(pages));
  save(3);
  expect(bytesOf(segment)).toEqual(bytesOf(build(40).finish()));
  rmSync(path);
  mkdirSync(path);
  const refused = saveSnapshot(path, FACTS, (pages) => build(5).finish(pages));
  expect(refused.failure).toMatch(/EISDIR|ENOTEMPTY|directory/);
  expect(bytesOf(refused.segment)).toEqual(bytesOf(build(5).finish()));
  expect(readdirSync(join(folder, 'search'))).toEqual(['index']);
});
