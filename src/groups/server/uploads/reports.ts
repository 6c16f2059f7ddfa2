import type { Readable } from 'node:stream';
import { requireSession } from '../../../accounts/server/sessions.ts';
import type { Ctx } from '../../../context.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { CodedAnswer } from '../../../protocol/envelope.ts';
import type * as contract from '../../contract-uploads.ts';
import { ownUpload } from '../../rules-uploads.ts';
import { getVisibleUpload } from './shelf-uploads.ts';
import {
  deleteReports,
  deleteUpload,
  insertReport,
  selectReports,
  selectUpload,
  type ReportedUpload,
} from './store.ts';
import { originalKeyOf, removeUploadFiles } from './upload-files.ts';

/**
 * Records what a member reports to the operator about a file on a shelf; a second report of the same member changes nothing. Throws
 * notFound for a file that the caller may not see, `failed` for the caller's own.
 */
export async function reportUpload(
  ctx: Ctx,
  { id, reason }: Parsed<typeof contract.reportUpload>,
): Promise<CodedAnswer<Output<typeof contract.reportUpload>>> {
  const { userId } = requireSession(ctx);
  const { upload } = await getVisibleUpload(ctx, id);
  if (upload.userId === userId) throw ownUpload();
  await insertReport(ctx.db, { uploadId: id, userId, reason, createdAt: new Date(ctx.clock.now()) });
  return new CodedAnswer(CODE.ok, '已收到举报，我们会尽快处理', {});
}

/** Returns what members reported, for the operator. */
export const listReports = (ctx: Ctx): Promise<ReportedUpload[]> => selectReports(ctx.db);

/** Closes the reports of a file that may stay; returns how many there were. */
export const dismissReports = (ctx: Ctx, id: number): Promise<number> => deleteReports(ctx.db, id);

/** Returns the bytes of an uploaded file for the operator; null when there is none of that id, or it has not passed the checks. Throws StoreMissing, StoreAway. */
export async function readUpload(ctx: Ctx, id: number): Promise<Readable | null> {
  const upload = await selectUpload(ctx.db, id);
  return upload?.sha256 ? ctx.files.read(originalKeyOf(upload.key)) : null;
}

/** Removes an uploaded file for the operator; false when there is none of that id. */
export async function removeUpload(ctx: Ctx, id: number): Promise<boolean> {
  const key = await deleteUpload(ctx.db, id);
  if (key === null) return false;
  await removeUploadFiles(ctx, key);
  return true;
}
