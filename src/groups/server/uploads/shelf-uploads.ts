import { requireSession } from '../../../accounts/server/sessions.ts';
import type { Ctx } from '../../../context.ts';
import { detailFileType } from '../../../library/file-types.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { CodedAnswer, failed, notFound } from '../../../protocol/envelope.ts';
import { offsetOf } from '../../../protocol/paging.ts';
import type * as groupContract from '../../contract.ts';
import type * as contract from '../../contract-uploads.ts';
import type { UploadItem } from '../../contract-uploads.ts';
import { notInGroup } from '../../rules.ts';
import { uploadElsewhere, uploadLimits, uploadOriginalPath, uploadPagePath } from '../../rules-uploads.ts';
import { getGroup, toGroupItem } from '../groups.ts';
import { addToGroups } from '../shelf.ts';
import { countJoinedAmong } from '../store.ts';
import {
  countShelfUploads,
  deleteUpload,
  selectOwnUpload,
  selectShelfUploads,
  selectUsage,
  selectVisibleUpload,
  updateShelved,
  type ListedUpload,
} from './store.ts';
import { startConversion } from './conversion.ts';
import { removeUploadFiles } from './upload-files.ts';

/**
 * Puts a document, or a file that the caller uploaded, on the shelf of a group (C-88, C-120). A file that nobody has asked to convert is checked
 * first; the other members see it when its pages are ready. Adding it twice changes nothing. Throws as addToGroups and startConversion do; notFound for
 * the key of somebody else, `failed` for a file that has failed or stands on another shelf.
 */
export async function addFileToGroup(
  ctx: Ctx,
  { gid, file, oss_name: key }: Parsed<typeof groupContract.addGroupFile>,
): Promise<CodedAnswer<Output<typeof groupContract.addGroupFile>>> {
  if (key === '') return addToGroups(ctx, { fid: file, gids: gid > 0 ? [gid] : [] });
  const { userId } = requireSession(ctx);
  const upload = await selectOwnUpload(ctx.db, key, userId);
  if (!upload) throw notFound();
  if (gid === 0) throw failed('请选择社群');
  if ((await countJoinedAmong(ctx.db, userId, [gid])) === 0) throw notInGroup();
  await startConversion(ctx, key);
  const addedAt = new Date(ctx.clock.now());
  const isAdded = await updateShelved(ctx.db, { key, userId, groupId: gid, addedAt });
  if (!isAdded) await explainUnchanged(ctx, key, userId, gid);
  return new CodedAnswer(CODE.ok, '操作成功', { added: isAdded ? 1 : 0 });
}

/** Returns when the file stands on this shelf already; throws why it was not added otherwise. */
async function explainUnchanged(ctx: Ctx, key: string, userId: number, groupId: number): Promise<void> {
  const upload = await selectOwnUpload(ctx.db, key, userId);
  if (!upload) throw notFound();
  if (upload.state === 'failed') throw failed(upload.message);
  if (upload.groupId !== groupId) throw uploadElsewhere();
}

/**
 * Returns a page of the files that members uploaded to a group, with what is left of the caller's quota. Who is not in the group gets code
 * 50 with the group and, after leaving it, their own files, which they may still take back. Throws notFound for a group that is unknown or closed.
 */
export async function listUploads(
  ctx: Ctx,
  wanted: Parsed<typeof contract.listUploads>,
): Promise<CodedAnswer<Output<typeof contract.listUploads>>> {
  const { userId } = requireSession(ctx);
  const [group, usage] = await Promise.all([getGroup(ctx, wanted.gid), selectUsage(ctx.db, userId)]);
  const { page, pageSize } = wanted;
  const quota = {
    files: usage.files,
    bytes: usage.bytes,
    converting: usage.converting,
    max_files: uploadLimits.filesPerMember,
    max_bytes: uploadLimits.bytesPerMember,
    max_file_bytes: uploadLimits.fileBytes,
  };
  const seen = { groupId: group.id, userId, isJoined: group.isJoined };
  const [rows, total] = await Promise.all([
    selectShelfUploads(ctx.db, { ...seen, limit: pageSize, offset: offsetOf(wanted) }),
    countShelfUploads(ctx.db, seen),
  ]);
  const uploads = rows.map((row) => toUploadItem(row, userId));
  const answer = { group: toGroupItem(group), uploads, quota, page, page_size: pageSize, total };
  const { code, message } = group.isJoined ? new CodedAnswer(CODE.ok, 'success', null) : notInGroup();
  return new CodedAnswer(code, message, answer);
}

/** Returns a file with its pages. Throws notFound for everybody but its owner and, once it is ready, the members of its group. */
export async function getUpload(
  ctx: Ctx,
  { id }: Parsed<typeof contract.getUpload>,
): Promise<Output<typeof contract.getUpload>> {
  const row = await getVisibleUpload(ctx, id);
  const { pages, state } = row.upload;
  return {
    upload: toUploadItem(row, requireSession(ctx).userId),
    pages: pages.map((size, index) => ({ url: uploadPagePath(id, index + 1), ...size })),
    download_url: state === 'ready' ? uploadOriginalPath(id) : '',
  };
}

/** Returns an upload that the caller may see. Throws notFound. */
export async function getVisibleUpload(ctx: Ctx, id: number): Promise<ListedUpload> {
  const row = await selectVisibleUpload(ctx.db, id, requireSession(ctx).userId);
  if (!row) throw notFound();
  return row;
}

/** Takes back a file of the caller, in any state: its row, its pages and its bytes. Throws notFound for the file of somebody else. */
export async function withdrawUpload(
  ctx: Ctx,
  { id }: Parsed<typeof contract.withdrawUpload>,
): Promise<CodedAnswer<Output<typeof contract.withdrawUpload>>> {
  const key = await deleteUpload(ctx.db, id, requireSession(ctx).userId);
  if (key === null) throw notFound();
  await removeUploadFiles(ctx, key);
  return new CodedAnswer(CODE.ok, '已撤回', {});
}

/** The message of a file whose group was closed: its owner may still read it and take it back. */
const CLOSED_GROUP = '所在社群已关闭，其他成员看不到，可以撤回';

function toUploadItem({ upload, addedBy, isReported, isShelved }: ListedUpload, userId: number): UploadItem {
  const isOwn = upload.userId === userId;
  return {
    id: upload.id,
    oss_name: isOwn ? upload.key : '',
    name: upload.name,
    state: upload.state,
    progress: upload.progress,
    message: upload.groupId !== null && !isShelved && upload.message === '' ? CLOSED_GROUP : upload.message,
    file_type_text: upload.fileType ? detailFileType(upload.fileType).file_type_text : '',
    bytes: upload.sizeBytes,
    page_count: upload.pageCount ?? 0,
    cover_url: upload.state === 'ready' && upload.pages.length > 0 ? uploadPagePath(upload.id, 1) : '',
    added_by: addedBy,
    add_time: Math.floor((upload.addedAt ?? upload.createdAt).getTime() / 1_000),
    is_shelved: isShelved ? 1 : 0,
    is_own: isOwn ? 1 : 0,
    is_reported: isReported ? 1 : 0,
  };
}
