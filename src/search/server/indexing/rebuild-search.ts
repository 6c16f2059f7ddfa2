import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { indexAllPages, indexDocuments } from './index-documents.ts';
import { selectNextDocumentIds, deleteStrayEntries } from './store-entries.ts';
import { upsertRebuildMark } from './store-feed.ts';
import { countBuiltNodes, type NodesBuilt, selectRebuildMark } from './store-nodes.ts';

const BATCH = 1_000;
const POLL_MS = 250;

/**
 * Rewrites every entry and asks every node to rebuild its index, while search keeps answering. `onProgress` gets the number of finished
 * documents. Returns the number of documents, and the mark for waitUntilNodesBuilt.
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
  await indexAllPages(ctx);
  return { documents: done, mark };
}

/**
 * Waits until every running node has rebuilt its index, `timeoutMs` at most. A node that ends meanwhile is not waited for. Returns the
 * counts of nodes.
 */
export async function waitUntilNodesBuilt(
  ctx: Ctx,
  mark: string,
  timeoutMs: number,
  onProgress: (state: NodesBuilt) => void = () => undefined,
): Promise<NodesBuilt> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const state = await countBuiltNodes(ctx.db, mark);
    onProgress(state);
    if (state.built === state.nodes || performance.now() >= giveUpAt) return state;
    await wait(POLL_MS);
  }
}
