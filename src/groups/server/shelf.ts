import { requireSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import { listByIds } from '../../library/server/list-documents.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer, failed, notFound } from '../../protocol/envelope.ts';
import { offsetOf } from '../../protocol/paging.ts';
import type * as contract from '../contract.ts';
import { notInGroup } from '../rules.ts';
import { getGroup, toGroupItem } from './groups.ts';
import { countJoinedAmong, deleteShelfRow, insertShelfRows, selectShelf } from './store.ts';

/**
 * Puts a document on the shelves of groups that the caller is in: of all of them or of none. A document that is there already stays as it
 * was, so that its count rises once (C-88, C-113). Throws `failed` without a group, notFound for a document that is not published,
 * and code 50 when the caller is not in each of the groups.
 */
export async function addToGroups(
  ctx: Ctx,
  { fid, gids }: { fid: number; gids: readonly number[] },
): Promise<CodedAnswer<Output<typeof contract.addGroupsFiles>>> {
  const { userId } = requireSession(ctx);
  if (gids.length === 0) throw failed('请选择社群');
  const [document, joined] = await Promise.all([findDocument(ctx, fid), countJoinedAmong(ctx.db, userId, gids)]);
  if (document?.state !== 'published') throw notFound();
  if (joined < gids.length) throw notInGroup();
  const added = await insertShelfRows(ctx.db, {
    groupIds: gids,
    documentId: fid,
    userId,
    addedAt: new Date(ctx.clock.now()),
  });
  return new CodedAnswer(CODE.ok, '操作成功', { added });
}

/** Takes a document from a shelf. Throws notFound when the caller did not put it there. */
export async function removeFromGroup(
  ctx: Ctx,
  { gid, fid }: Parsed<typeof contract.removeGroupFile>,
): Promise<CodedAnswer<Output<typeof contract.removeGroupFile>>> {
  const { userId } = requireSession(ctx);
  if (!(await deleteShelfRow(ctx.db, { groupId: gid, documentId: fid, userId }))) throw notFound();
  return new CodedAnswer(CODE.ok, '已移出社群书架', {});
}

/**
 * Returns a page of a group's shelf: the published documents only, as all lists do (C-112). Who is not in the group gets code 50 with the
 * group and no document. Throws notFound for a group that is unknown or closed.
 */
export async function listShelf(
  ctx: Ctx,
  wanted: Parsed<typeof contract.listGroupFiles>,
): Promise<CodedAnswer<Output<typeof contract.listGroupFiles>>> {
  const { userId } = requireSession(ctx);
  const group = await getGroup(ctx, wanted.gid);
  const { page, pageSize } = wanted;
  const answer = { group: toGroupItem(group), files: [], page, page_size: pageSize, total: 0 };
  if (!group.isJoined) {
    const { code, message } = notInGroup();
    return new CodedAnswer(code, message, answer);
  }
  const rows = await selectShelf(ctx.db, { groupId: group.id, limit: pageSize, offset: offsetOf(wanted) });
  const items = new Map(
    (
      await listByIds(
        ctx,
        rows.map(({ documentId }) => documentId),
      )
    ).map((item) => [item.id, item]),
  );
  const files = rows.flatMap((row) => {
    const item = items.get(row.documentId);
    if (!item) return [];
    return {
      ...item,
      added_by: row.addedBy,
      add_time: Math.floor(row.addedAt.getTime() / 1_000),
      can_remove: row.userId === userId ? (1 as const) : (0 as const),
    };
  });
  return new CodedAnswer(CODE.ok, 'success', { ...answer, files, total: group.fileCount });
}

/** Puts documents on a group's shelf for the operator: nobody's name stands beside them. */
export async function stockShelf(ctx: Ctx, groupId: number, documentIds: readonly number[]): Promise<void> {
  const addedAt = new Date(ctx.clock.now());
  for (const documentId of documentIds)
    await insertShelfRows(ctx.db, { groupIds: [groupId], documentId, userId: null, addedAt });
}
