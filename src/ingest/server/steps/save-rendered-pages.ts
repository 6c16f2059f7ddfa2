import type { Ctx } from '../../../context.ts';
import { documentsChanged } from '../../../library/jobs.ts';
import { upsertPages, selectShownDocuments, type SavedPages } from '../store/files.ts';

/**
 * Saves pages, text and images of a file. When the text of a published document has changed, tells the search index at
 * once, because later steps may take long or fail. Call it in a transaction.
 */
export async function saveRenderedPages(tx: Ctx, fileId: number, drawn: SavedPages): Promise<void> {
  const { isTextNew } = await upsertPages(tx.db, fileId, drawn);
  if (!isTextNew) return;
  const shown = await selectShownDocuments(tx.db, fileId);
  if (shown.length > 0) await tx.jobs.add(documentsChanged, { ids: shown });
}
