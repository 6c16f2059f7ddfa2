import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { indexAllPages, indexDocuments } from './index-documents.ts';
import { selectNextDocumentIds, deleteStrayEntries } from './store-entries.ts';
import { upsertRebuildMark } from './store-feed.ts';
import { countBuiltNodes, type NodesBuilt, selectRebuildMark } from './store-nodes.ts';

const BATCH = 1_000;
const LOOK_MS = 250;

/**
 * Writes every entry anew, and asks every node to build its index anew, while search goes on answering. `onProgress`
 * gets how many documents are done. Returns how many are in search, and the mark to wait by (waitUntilNodesBuilt).
 */
export async function rebuildSearch(
  ctx: Ctx,
  onProgress: (done: number) => void,
): Promise<{ documents: number; mark: string }> {
  let done = 0;
  for (let afterId = 0; ;) {
    const ids = await selectNextDocumentIds(ctx.db, afterId, BATCH);
    const last = ids.at(-1);
    if (last === undefined) break;
    await indexDocuments(ctx, ids);
    afterId = last;
    done += ids.length;
    onProgress(done);
  }
  await deleteStrayEntries(ctx.db);
  await upsertRebuildMark(ctx.db);
  const mark = (await selectRebuildMark(ctx.db)) ?? '0';
  await indexAllPages(ctx, true);
  return { documents: done, mark };
}

/**
 * Waits until every running node has built what was asked for, or `patienceMs` is over. A node that ends meanwhile is not
 * waited for. Returns how far they are.
 */
export async function waitUntilNodesBuilt(
  ctx: Ctx,
  mark: string,
  patienceMs: number,
  onProgress: (state: NodesBuilt) => void = () => undefined,
): Promise<NodesBuilt> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const state = await countBuiltNodes(ctx.db, mark);
    onProgress(state);
    if (state.built === state.nodes || performance.now() >= giveUpAt) return state;
    await wait(LOOK_MS);
  }
}
