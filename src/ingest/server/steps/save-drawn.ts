import type { Ctx } from '../../../context.ts';
import { documentsChanged } from '../../../library/jobs.ts';
import { savePages, selectShownDocuments, type SavedPages } from '../store/files.ts';

/**
 * Within a transaction: keeps what was drawn and read, and where pages of documents on the shelf say something else now, tells it at
 * once: the steps that follow may take long, or fail.
 */
export async function saveDrawn(tx: Ctx, fileId: number, drawn: SavedPages): Promise<void> {
  const { isTextNew } = await savePages(tx.db, fileId, drawn);
  if (!isTextNew) return;
  const shown = await selectShownDocuments(tx.db, fileId);
  if (shown.length > 0) await tx.jobs.add(documentsChanged, { ids: shown });
}
