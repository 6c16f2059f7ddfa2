import type { PersonalData } from '../../accounts/server/personal-data.ts';
import { requireSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { tierOf } from '../../membership/server/rights.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer, notFound } from '../../protocol/envelope.ts';
import { offsetOf } from '../../protocol/paging.ts';
import type * as contract from '../contract.ts';
import { GROUP_PAGE_SIZE, type GroupItem } from '../contract.ts';
import { logoOf, membersOnly } from '../rules.ts';
import {
  countGroups,
  countJoinedGroups,
  deleteMember,
  deletePersonalData,
  insertMember,
  selectGroup,
  selectGroups,
  selectJoinedGroups,
  selectPersonalData,
  type GroupFacts,
} from './store.ts';
import { removeUploadFilesJob } from './uploads/jobs.ts';
import { deleteUploadData, selectUploadData } from './uploads/store.ts';

/** Returns a page of all open groups (C-88). */
export async function listGroups(
  ctx: Ctx,
  { page, fid }: Parsed<typeof contract.listGroups>,
): Promise<Output<typeof contract.listGroups>> {
  const { userId } = requireSession(ctx);
  const wanted = { page, pageSize: GROUP_PAGE_SIZE };
  const [rows, total, joined] = await Promise.all([
    selectGroups(ctx.db, { userId, documentId: fid, limit: GROUP_PAGE_SIZE, offset: offsetOf(wanted) }),
    countGroups(ctx.db),
    countJoinedGroups(ctx.db, userId),
  ]);
  return { group_list: rows.map(toGroupItem), joined_count: joined, page, page_size: GROUP_PAGE_SIZE, total };
}

/** Returns a page of the groups that the caller joined. */
export async function listMyGroups(
  ctx: Ctx,
  wanted: Parsed<typeof contract.listMyGroups>,
): Promise<Output<typeof contract.listMyGroups>> {
  const { userId } = requireSession(ctx);
  const [rows, total] = await Promise.all([
    selectJoinedGroups(ctx.db, { userId, limit: wanted.pageSize, offset: offsetOf(wanted) }),
    countJoinedGroups(ctx.db, userId),
  ]);
  return { groups: rows.map(toGroupItem), page: wanted.page, page_size: wanted.pageSize, total };
}

/** Returns an open group as the caller sees it. Throws notFound. */
export async function getGroup(ctx: Ctx, id: number): Promise<GroupFacts> {
  const group = await selectGroup(ctx.db, id, requireSession(ctx).userId);
  if (!group) throw notFound();
  return group;
}

/**
 * Lets the caller join a group, which is free for members (C-44). Who joined stays in the group when the membership ends.
 * Joining twice changes nothing. Throws notFound, and code 50 for everybody without a membership.
 */
export async function joinGroup(
  ctx: Ctx,
  { gid }: Parsed<typeof contract.joinGroup>,
): Promise<CodedAnswer<Output<typeof contract.joinGroup>>> {
  const { userId } = requireSession(ctx);
  const group = await getGroup(ctx, gid);
  if (!group.isJoined) {
    if ((await tierOf(ctx)) === 0) throw membersOnly();
    await insertMember(ctx.db, { groupId: gid, userId, joinedAt: new Date(ctx.clock.now()) });
  }
  return new CodedAnswer(CODE.ok, '加入成功', { joined: 1 });
}

/** Removes the caller from a group. Changes nothing when the caller is not in the group. Throws notFound. */
export async function leaveGroup(
  ctx: Ctx,
  { gid }: Parsed<typeof contract.leaveGroup>,
): Promise<CodedAnswer<Output<typeof contract.leaveGroup>>> {
  const { userId } = requireSession(ctx);
  await getGroup(ctx, gid);
  await deleteMember(ctx.db, gid, userId);
  return new CodedAnswer(CODE.ok, '已退出社群', { joined: 0 });
}

export const toGroupItem = (group: GroupFacts): GroupItem => ({
  id: group.id,
  name: group.name,
  logo: logoOf(group),
  description: group.description,
  member_count: group.memberCount,
  fcount: group.fileCount,
  joined: group.isJoined ? 1 : 0,
  added: group.isAdded ? 1 : 0,
});

/** Personal data: the groups that a user joined, the documents that they put on shelves, the files that they uploaded and reported. */
export const groupsPersonalData: PersonalData = {
  collect: async (ctx, userId) => ({
    groups: await selectPersonalData(ctx.db, userId),
    group_uploads: await selectUploadData(ctx.db, userId),
  }),
  async erase(ctx, userId) {
    await deletePersonalData(ctx.db, userId);
    const keys = await deleteUploadData(ctx.db, userId);
    if (keys.length > 0) await ctx.jobs.add(removeUploadFilesJob, { keys });
  },
};
