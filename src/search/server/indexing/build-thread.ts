import { parentPort, workerData } from 'node:worker_threads';
import { createSegmentBuilder } from '../../engine/build/build-segment.ts';
import type { DocumentChange } from '../../engine/format/document.ts';
import { toIndexed } from '../../engine/build/index-document.ts';
import { mergeSegments } from '../../engine/build/merge-segments.ts';
import { closeStore, type MainSegment, type StoreWriter } from '../../engine/format/page-store.ts';
import { loadSnapshot, runsPathOf, saveSnapshot } from '../../engine/snapshot.ts';

/**
 * What a worker thread is started for: to load, rebuild or merge one main segment, save it, return it and end. The memory that building
 * takes is freed with the thread. The file of the segment stays open in the process, also after the thread has ended.
 */
export type BuildTask = { path: string; lineage: string } & (
  | { kind: 'load' }
  | { kind: 'rebuild'; url: string }
  | { kind: 'merge'; main: MainSegment; changes: DocumentChange[]; horizon: string }
);
/** Null when there is no snapshot of this database to be loaded. */
export type BuildResult = { segment: MainSegment; horizon: string; saveFailure: string | null } | null;

async function build(order: BuildTask): Promise<BuildResult> {
  const { path, lineage } = order;
  if (order.kind === 'load') {
    const saved = loadSnapshot(path);
    if (saved?.lineage === lineage) return { segment: saved.segment, horizon: saved.horizon, saveFailure: null };
    if (saved) closeStore(saved.segment.pages);
    return null;
  }
  if (order.kind === 'merge')
    return save(order, order.horizon, (pages) => mergeSegments(order.main, order.changes, pages));
  // Loaded when it is needed: the client of the database takes half of the processor time in which a thread starts.
  const { readSources } = await import('./read-sources.ts');
  const builder = createSegmentBuilder(runsPathOf(path));
  try {
    const horizon = await readSources(order.url, (source) => builder.add(toIndexed(source)));
    return save(order, horizon, builder.finish);
  } finally {
    builder.close();
  }
}

function save({ path, lineage }: BuildTask, horizon: string, make: (pages: StoreWriter) => MainSegment): BuildResult {
  const { segment, failure } = saveSnapshot(path, { lineage, horizon }, make);
  return { segment, horizon, saveFailure: failure };
}

// Safe: only open-search-engine.ts starts this thread, with a BuildTask.
const order = workerData as BuildTask;
parentPort?.postMessage(await build(order));
