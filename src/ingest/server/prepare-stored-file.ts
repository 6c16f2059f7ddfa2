import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transact, type Ctx } from '../../context.ts';
import { documentsChanged } from '../../library/jobs.ts';
import { publishDocument } from '../../library/server/publish-document.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import type { PreparedFile } from '../prepared-file.ts';
import { RefusedError, refusalReasons } from '../refusals.ts';
import { prepareFile } from './prepare-file.ts';
import {
  failDocuments,
  savePrepared,
  selectFile,
  selectShownDocuments,
  selectWaitingDocuments,
  settleItems,
  updateFile,
  type FileRow,
} from './store.ts';

/** Names of work folders carry the process id, so that a later start can tell the abandoned ones. */
export const WORK_FOLDER = 'ceku-ingest-';

/**
 * The work behind `prepareFileJob`. Safe to run twice: stored images and rows are overwritten by equal ones.
 * A refusal is a result, recorded and final; anything unexpected is thrown, so that the queue tries again, and recorded
 * as a failure after the last attempt.
 */
export async function prepareStoredFile(ctx: Ctx, fileId: number, attempt: JobAttempt): Promise<void> {
  const file = await selectFile(ctx.db, fileId);
  if (!file || file.state === 'ready') return;
  await settleItems(ctx.db, fileId, { state: 'running', reasonCode: null, message: '' });
  const workDir = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-`));
  try {
    const prepared = await ctx.files.withLocalPath(`originals/${file.sha256}`, (path) =>
      prepareFile({ path, fileType: file.fileType, workDir, ...(attempt.signal && { signal: attempt.signal }) }),
    );
    await storeMedia(ctx, file, prepared);
    await publish(ctx, file, prepared);
  } catch (error) {
    if (error instanceof RefusedError) return await recordRefusal(ctx, file, error);
    if (attempt.isLast) await recordFailure(ctx, file, 'unexpected', String(error));
    throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function storeMedia(ctx: Ctx, file: FileRow, prepared: PreparedFile): Promise<void> {
  await ctx.files.put(`media/${file.mediaKey}/cover.webp`, prepared.cover.image);
  for (const page of prepared.pages) {
    if (page.image) await ctx.files.put(`media/${file.mediaKey}/p${page.number}.webp`, page.image);
  }
  if (prepared.pdf) await ctx.files.put(`pdf/${file.sha256}.pdf`, prepared.pdf);
}

async function publish(ctx: Ctx, file: FileRow, prepared: PreparedFile): Promise<void> {
  const isPending = prepared.flags.includes('preview-pending');
  await transact(ctx, async (tx) => {
    await savePrepared(tx.db, file.id, prepared, isPending ? 'pending-preview' : 'ready');
    for (const id of await selectWaitingDocuments(tx.db, file.id)) await publishDocument(tx, id);
    // Those on the shelf already have new pages, which search reads too.
    const shown = await selectShownDocuments(tx.db, file.id);
    if (shown.length > 0) await tx.jobs.add(documentsChanged, { ids: shown });
    const message = isPending ? 'published without previews: LibreOffice is not installed' : '';
    await settleItems(tx.db, file.id, { state: 'published', reasonCode: null, message });
  });
}

async function recordRefusal(ctx: Ctx, file: FileRow, refusal: RefusedError): Promise<void> {
  const reason = refusalReasons[refusal.code];
  const message = refusal.detail ? `${reason.operator} (${refusal.detail})` : reason.operator;
  if (reason.kind === 'waiting') {
    await settleItems(ctx.db, file.id, { state: 'waiting', reasonCode: refusal.code, message });
    return;
  }
  await recordFailure(ctx, file, refusal.code, message, reason.kind);
}

async function recordFailure(
  ctx: Ctx,
  file: FileRow,
  code: string,
  message: string,
  state: 'refused' | 'failed' = 'failed',
): Promise<void> {
  await transact(ctx, async (tx) => {
    await updateFile(tx.db, file.id, { state: 'failed', failureCode: code, failureDetail: message.slice(0, 500) });
    await failDocuments(tx.db, file.id);
    await settleItems(tx.db, file.id, { state, reasonCode: code, message: message.slice(0, 500) });
  });
}
