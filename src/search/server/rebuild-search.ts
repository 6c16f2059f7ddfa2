import type { Ctx } from '../../context.ts';
import { indexDocuments } from './index-documents.ts';
import { indexAllPages } from './index-pages.ts';
import { nextDocumentIds, removeStrayEntries } from './store.ts';
import { markAllChanged } from './store-feed.ts';

const BATCH = 1_000;

/**
 * Writes every entry anew, and has every node build its index anew, while search goes on answering (`ceku search rebuild`). `onProgress` gets how many are done.
 * Returns how many documents are in search.
 */
export async function rebuildSearch(ctx: Ctx, onProgress: (done: number) => void): Promise<{ documents: number }> {
  let done = 0;
  for (let afterId = 0; ;) {
    const ids = await nextDocumentIds(ctx.db, afterId, BATCH);
    const last = ids.at(-1);
    if (last === undefined) break;
    await indexDocuments(ctx, ids);
    afterId = last;
    done += ids.length;
    onProgress(done);
  }
  await removeStrayEntries(ctx.db);
  await markAllChanged(ctx.db);
  await indexAllPages(ctx, true);
  return { documents: done };
}
