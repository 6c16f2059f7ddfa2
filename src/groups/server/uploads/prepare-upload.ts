import type { Ctx } from '../../../context.ts';
import { RefusedError, type RefusalCode } from '../../../ingest/refusals.ts';
import { findDiskShortage } from '../../../ingest/server/source/disk-space.ts';
import { drawPrivateFile, type DrawOptions } from '../../../ingest/server/steps/draw-private-file.ts';
import { DISK_SPACE_RETRY_SECONDS, shortageBehind } from '../../../ingest/server/steps/prepare-stored-file.ts';
import { MAX_BROKEN_RUNS } from '../../../ingest/server/steps/run-steps.ts';
import type { JobAttempt } from '../../../platform/jobs/jobs.ts';
import { JobPostponed } from '../../../platform/jobs/postpone.ts';
import { refusalText, uploadLimits, type PageSize } from '../../rules-uploads.ts';
import { selectUpload, updateBegun, updateEnded, updatePrepared, updateRunning, type UploadRow } from './store.ts';
import { originalKeyOf, pageKeyOf, removeUploadFiles } from './upload-files.ts';

/** Percent when the job begins, when the PDF is there, and when the pages are drawn. */
const BEGUN = 10;
const CONVERTED = 60;
const DRAWN = 90;

/**
 * The handler of prepareUploadJob: draws the pages of an uploaded file and makes it ready. Safe to run twice. A file that cannot be
 * prepared, or whose work in the pool was begun too often by processes that were killed, is removed, and its row says why in words for the owner. Throws JobPostponed when a disk is full or that of the stored files is away, and other errors that
 * another attempt may not meet.
 */
export async function prepareUpload(
  ctx: Ctx,
  uploadId: number,
  attempt: JobAttempt,
  options: DrawOptions = {},
): Promise<void> {
  const upload = await selectUpload(ctx.db, uploadId);
  if (!upload?.fileType || (upload.state !== 'queued' && upload.state !== 'running')) return;
  const { key, fileType, sizeBytes: bytes, brokenRuns } = upload;
  if (brokenRuns >= MAX_BROKEN_RUNS) {
    ctx.log.warn({ uploadId, brokenRuns }, 'the process was killed each time an uploaded file was prepared');
    return giveUp(ctx, upload, 'broken-off');
  }
  const shortage = await findDiskShortage(ctx, bytes);
  if (shortage !== null) throw postponed(shortage);
  let progress = BEGUN;
  try {
    await ctx.files.withLocalPath(originalKeyOf(key), (path) =>
      drawPrivateFile(
        ctx,
        { path, fileType, bytes, previewPages: uploadLimits.previewPages, attempt, ...options },
        async ({ pages, pageCount }) => {
          await updateRunning(ctx.db, uploadId, DRAWN);
          const sizes: PageSize[] = [];
          for (const { number, image, width, height } of pages) {
            if (image === null) continue;
            await ctx.files.put(pageKeyOf(key, number), image);
            sizes.push({ width, height });
          }
          const end = { state: 'ready', progress: 100, pages: sizes, pageCount } as const;
          if (!(await updatePrepared(ctx.db, uploadId, end))) await removeTakenBack(ctx, upload);
        },
        {
          async onBegun() {
            if (!(await updateBegun(ctx.db, uploadId, progress))) throw new NotWanted();
          },
          onConverted: () => (progress = CONVERTED),
          // One count that stays because the database is away does no harm: only the eighth ends the preparation.
          onEnded: () => updateEnded(ctx.db, uploadId).catch(() => {}),
        },
      ),
    );
  } catch (error) {
    if (attempt.signal?.aborted) throw error;
    // The member took the upload back meanwhile; its files are gone although programs were still reading them.
    if ((await selectUpload(ctx.db, uploadId)) === null) return removeUploadFiles(ctx, key);
    if (error instanceof NotWanted) return;
    const disk = await shortageBehind(ctx, error);
    if (disk !== null) throw postponed(disk);
    // Pages that take too long to draw take as long again, while the files of others wait.
    const mayPass = !(error instanceof RefusedError) || (error.kind === 'failed' && error.code !== 'render-timeout');
    if (mayPass && !attempt.isLast) throw error;
    ctx.log.warn({ error, uploadId }, 'an uploaded file could not be prepared');
    await giveUp(ctx, upload, error instanceof RefusedError ? error.code : null);
  }
}

/** The upload was taken back, or another worker has ended its preparation. */
class NotWanted extends Error {}

const postponed = (shortage: string) => new JobPostponed(`waits for disk space: ${shortage}`, DISK_SPACE_RETRY_SECONDS);

async function giveUp(ctx: Ctx, upload: UploadRow, code: RefusalCode | null): Promise<void> {
  if (await updatePrepared(ctx.db, upload.id, { state: 'failed', message: refusalText(code, upload.fileType) }))
    return removeUploadFiles(ctx, upload.key);
  await removeTakenBack(ctx, upload);
}

/**
 * Removes what was written of an upload that its owner has taken back, or that another worker has given up. The files stay when another
 * worker has made the upload ready, which may happen after a worker was taken for dead.
 */
async function removeTakenBack(ctx: Ctx, { id, key }: UploadRow): Promise<void> {
  if ((await selectUpload(ctx.db, id))?.state !== 'ready') await removeUploadFiles(ctx, key);
}
