import { requireSession } from '../../../accounts/server/sessions.ts';
import { transact, type Ctx } from '../../../context.ts';
import type { Sniffed } from '../../../ingest/prepared-file.ts';
import { isMachineFault } from '../../../ingest/server/sniff/inspect-pdf.ts';
import { sniffFile } from '../../../ingest/server/sniff/sniff-file.ts';
import { ContentChanged } from '../../../platform/files/file-store.ts';
import { createGate } from '../../../platform/http/limits/gate.ts';
import { failed, notFound, unavailable } from '../../../protocol/envelope.ts';
import { refusalText, uploadIncomplete, uploadPagePath, uploadTaskId, type UploadState } from '../../rules-uploads.ts';
import { prepareUploadJob } from './jobs.ts';
import { deleteUnchecked, selectOwnUpload, selectUpload, updateChecked, type UploadRow } from './store.ts';
import { originalKeyOf, removeUploadFiles } from './upload-files.ts';

/** Checks read whole files and unpack archives: two at once on a node, the others wait. */
const CHECKS = createGate({
  atOnce: 2,
  atOncePerClient: 1,
  maxWaiting: 100,
  maxWaitingPerClient: 5,
  maxWaitMs: 10_000,
});

/**
 * Checks a file that the caller has uploaded, as ingest checks files, and hands it over to the converter (C-87). The key is looked up
 * among the caller's uploads and never used as a path. Asking again returns the same task. Throws notFound for every other key, and
 * `failed` with the reason for a file that is incomplete or refused; a refused file is removed at once, with its row. Throws `unavailable` when this machine
 * cannot check the file now; the file stays.
 */
export async function startConversion(ctx: Ctx, key: string): Promise<{ task_id: string }> {
  const { userId } = requireSession(ctx);
  const upload = await selectOwnUpload(ctx.db, key, userId);
  if (!upload) throw notFound();
  if (upload.state === 'receiving') await CHECKS.run(`u${userId}`, () => check(ctx, upload));
  return { task_id: uploadTaskId(upload.id) };
}

async function check(ctx: Ctx, { id, key, userId, name }: UploadRow): Promise<void> {
  // Another call may have checked the file while this one waited.
  const now = await selectOwnUpload(ctx.db, key, userId);
  if (now?.state !== 'receiving') return;
  const received = await ctx.uploads.find(key);
  if (!received || received.received < received.size) throw uploadIncomplete();
  let sniffed: Awaited<ReturnType<typeof sniffFile>>;
  try {
    sniffed = await sniffFile(received.path, { name });
    if (sniffed.ok) await keepOriginal(ctx, key, received.path, sniffed);
  } catch (error) {
    if (!isMachineFault(error)) throw error;
    ctx.log.error({ error, uploadId: id }, 'an uploaded file cannot be checked now');
    throw unavailable();
  } finally {
    // The bytes go with the row: whatever was found then is no fault of the file.
    await refuseTakenBack(ctx, id, key);
  }
  if (!sniffed.ok) {
    // The other refusals meet the same file again: one that takes too long to open takes as long each time.
    if (sniffed.code === 'unreadable') {
      ctx.log.warn({ uploadId: id, code: sniffed.code, detail: sniffed.detail }, 'an uploaded file was not checked');
      throw unavailable();
    }
    if (!(await deleteUnchecked(ctx.db, id))) return refuseTakenBack(ctx, id, key);
    await removeUploadFiles(ctx, key);
    // Of the checks only that of a PDF starts a child, which may fail.
    throw failed(refusalText(sniffed.code, 'pdf'));
  }
  const { fileType, sha256, bytes: sizeBytes } = sniffed;
  const isQueued = await transact(ctx, async (tx) => {
    if (!(await updateChecked(tx.db, id, { fileType, sha256, sizeBytes }))) return false;
    await tx.jobs.add(
      prepareUploadJob,
      { uploadId: id },
      { key: uploadTaskId(id), queue: `uploads of user ${userId}` },
    );
    return true;
  });
  if (isQueued) return ctx.uploads.remove(key);
  // Otherwise another node has checked it, and keeps the original.
  await refuseTakenBack(ctx, id, key);
}

/** Throws notFound when the owner has taken the file back; what was written of it meanwhile is removed. */
async function refuseTakenBack(ctx: Ctx, id: number, key: string): Promise<void> {
  if ((await selectUpload(ctx.db, id)) !== null) return;
  await removeUploadFiles(ctx, key);
  throw notFound();
}

/** Copies the file into the file store: the stored bytes are the checked bytes. */
async function keepOriginal(ctx: Ctx, key: string, path: string, { sha256 }: Sniffed): Promise<void> {
  try {
    await ctx.files.put(originalKeyOf(key), path, { sha256 });
  } catch (error) {
    if (error instanceof ContentChanged) throw uploadIncomplete();
    throw error;
  }
}

/** How far the conversion of an upload has come. `page_urls` is empty until it is done; `message` says why it failed. */
export type Conversion = {
  status: 'pending' | 'running' | 'done' | 'failed';
  progress: number;
  page_urls: string[];
  page_count: number;
  message: string;
};

const STATUSES: Record<Exclude<UploadState, 'receiving'>, Conversion['status']> = {
  queued: 'pending',
  running: 'running',
  ready: 'done',
  failed: 'failed',
};

/** Returns how far the conversion of one of the caller's files has come (C-87). Throws notFound for every other file. */
export async function checkConversion(ctx: Ctx, id: number): Promise<Conversion> {
  const upload = await selectUpload(ctx.db, id);
  if (upload?.userId !== requireSession(ctx).userId || upload.state === 'receiving') throw notFound();
  return {
    status: STATUSES[upload.state],
    progress: upload.progress,
    page_urls: upload.pages.map((_, index) => uploadPagePath(id, index + 1)),
    page_count: upload.pageCount ?? 0,
    message: upload.message,
  };
}
