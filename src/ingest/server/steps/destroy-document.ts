import { recordCharts } from '../../../charts/server/record-charts.ts';
import { type Ctx, transact, type TransactionCtx } from '../../../context.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { markDestroyed } from '../../../library/server/documents.ts';
import { originalKey } from '../../../library/server/originals.ts';
import type { DocumentState } from '../../../library/server/tables.ts';
import { lockVersions, recordVersions } from '../../../library/server/versions/record-versions.ts';
import { deleteFingerprint } from '../about/store.ts';
import { lockDestroyed, selectUndestroyedDocuments, updateFileDestroyed } from '../store/files.ts';
import { selectOpenFiles } from '../store/problems.ts';
import { deleteSteps } from '../store/steps.ts';

/**
 * `kept`: the words of the document are gone, and its file stays because other documents have it too. `preparing`: a job draws the file at
 * the moment.
 */
export type Destruction =
  | { outcome: 'destroyed' | 'already' }
  | { outcome: 'kept'; keptBy: number[] }
  | { outcome: 'not-hidden'; state: DocumentState }
  | { outcome: 'unknown' | 'preparing' };

/**
 * Destroys a hidden document: its words, and original, PDF, images, texts and charts of its file, unless another document
 * has the same file, be it hidden: its owners may read it, and a take-down may be restored. Rows of document and file stay. First the rows change, then the bytes go, the original last: a call that was cut off is
 * repeated, and the nightly sweep removes what it left. Throws StoreAway.
 */
export async function destroyDocument(ctx: Ctx, id: number): Promise<Destruction> {
  // Before anything changes: on a disk that is not mounted there is nothing to remove.
  await ctx.files.check();
  const known = await findDocument(ctx, id);
  if (!known) return { outcome: 'unknown' };
  const { fileId, sha256, mediaKey } = known;
  const left = await transact(ctx, (tx) => destroyRows(tx, id, fileId));
  if (left.outcome !== 'destroyed' && left.outcome !== 'already') return left;
  const isLeft = (await ctx.files.stat(originalKey(sha256))) !== null;
  await ctx.files.removeFolder(`media/${mediaKey}`);
  await ctx.files.remove(`pdf/${sha256}.pdf`);
  await ctx.files.remove(originalKey(sha256));
  return isLeft ? { outcome: 'destroyed' } : left;
}

async function destroyRows(tx: TransactionCtx, id: number, fileId: number): Promise<Destruction> {
  await lockVersions(tx);
  const wasDestroyed = await lockDestroyed(tx.db, fileId);
  const document = await findDocument(tx, id);
  if (document?.state !== 'hidden') return { outcome: 'not-hidden', state: document?.state ?? 'failed' };
  if ((await selectOpenFiles(tx.db, [fileId])).length > 0) return { outcome: 'preparing' };
  if (!document.destroyedAt) await markDestroyed(tx, id);
  const keptBy = await selectUndestroyedDocuments(tx.db, fileId);
  if (keptBy.length > 0) return { outcome: 'kept', keptBy };
  // Also of a file that was destroyed before: a page that was being drawn for a reader then may have been recorded since.
  await recordVersions(tx, fileId, { neighbors: [], versions: [] });
  await recordCharts(tx, fileId, []);
  await deleteFingerprint(tx.db, fileId);
  await deleteSteps(tx.db, fileId, false);
  await updateFileDestroyed(tx.db, fileId, new Date(tx.clock.now()));
  return { outcome: wasDestroyed && document.destroyedAt ? 'already' : 'destroyed' };
}
