import { parentPort, workerData } from 'node:worker_threads';
import { type Db, openDatabase } from '../../../platform/db/client.ts';
import { createLog } from '../../../platform/log.ts';
import { createSegmentBuilder } from '../../engine/build/build-segment.ts';
import type { DocumentChange } from '../../engine/format/document.ts';
import { toIndexed } from '../../engine/build/index-document.ts';
import { mergeSegments } from '../../engine/build/merge-segments.ts';
import { saveSnapshot } from '../../engine/snapshot.ts';
import { selectHorizon, selectSources } from './store-feed.ts';

/** A thread that builds one main segment, saves and returns it, and ends: its temporary memory is freed with it. */
export type BuildOrder = { path: string; lineage: string } & (
  | { kind: 'rebuild'; url: string }
  | { kind: 'merge'; main: SharedArrayBuffer; changes: DocumentChange[]; horizon: string }
);
export type Built = { buffer: SharedArrayBuffer; horizon: string; saveFailure: string | null };

const BATCH = 500;

async function build(order: BuildOrder): Promise<{ buffer: SharedArrayBuffer; horizon: string }> {
  if (order.kind === 'merge') return { buffer: mergeSegments(order.main, order.changes), horizon: order.horizon };
  const database = openDatabase(order.url, { max: 1, log: createLog('silent'), applicationName: 'ceku-search' });
  try {
    return await readAll(database.db);
  } finally {
    await database.close();
  }
}

/** Selects the horizon before the documents, so that the feed finds changes made in between. */
async function readAll(db: Db) {
  const horizon = await selectHorizon(db);
  const builder = createSegmentBuilder();
  for (let afterId = 0; ;) {
    const sources = await selectSources(db, afterId, BATCH);
    for (const source of sources) builder.add(toIndexed(source));
    const last = sources.at(-1);
    if (!last) return { buffer: builder.finish(), horizon };
    afterId = last.id;
  }
}

/** Saves the segment and returns the error, if any: without a snapshot only the next start takes longer. */
function save({ path, lineage }: BuildOrder, made: { buffer: SharedArrayBuffer; horizon: string }): string | null {
  try {
    saveSnapshot(path, made.buffer, { lineage, horizon: made.horizon });
    return null;
  } catch (error) {
    return String(error);
  }
}

// Safe: only open-search-engine.ts starts this thread, with a BuildOrder.
const order = workerData as BuildOrder;
const made = await build(order);
parentPort?.postMessage({ ...made, saveFailure: save(order, made) } satisfies Built);
