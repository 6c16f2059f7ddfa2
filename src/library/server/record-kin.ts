import type { Ctx } from '../../context.ts';
import { leaveGroup, lockKin, mergeGroups, replaceNeighbors, selectGroups } from './store-kin.ts';

/** Neighbours kept of a content: enough to fill eight places when some are off the shelf or versions of each other (C-77). */
export const NEIGHBORS = 24;

/**
 * Opens the book of kin for the rest of the transaction: whoever comes second waits, and then sees what the first wrote. Only
 * inside `transact`, before looking for candidates.
 */
export function openKin(tx: Ctx): Promise<void> {
  return lockKin(tx.db);
}

/**
 * Keeps which contents are like this one (cosine 0–1) and which are versions of it, in place of what was known. Versions are not
 * removed, only grouped: groups that meet become one. Inside `transact`, after `openKin`. Doing it again changes nothing.
 */
export async function recordKin(
  tx: Ctx,
  fileId: number,
  kin: { neighbors: readonly { fileId: number; score: number }[]; versions: readonly number[] },
): Promise<void> {
  await replaceNeighbors(tx.db, fileId, kin.neighbors.slice(0, NEIGHBORS), NEIGHBORS * 2);
  if (kin.versions.length === 0) return leaveGroup(tx.db, fileId);
  const members = [...new Set([fileId, ...kin.versions])];
  const groups = [...new Set((await selectGroups(tx.db, members)).map((row) => row.groupId))];
  await mergeGroups(tx.db, members, groups, Math.min(...members, ...groups));
}
