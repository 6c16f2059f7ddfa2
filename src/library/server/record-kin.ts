import type { Ctx } from '../../context.ts';
import { groupsOf } from './version-groups.ts';
import {
  lockKin,
  mergeGroups,
  replaceGroups,
  replaceNeighbors,
  replacePairs,
  selectGroups,
  selectMembers,
  selectPairs,
} from './store-kin.ts';

/** Neighbours kept of a content: enough to fill eight places when some are off the shelf or versions of each other (C-77). */
export const NEIGHBORS = 24;

/**
 * Opens the book of kin for the rest of the transaction: whoever comes second waits, and then sees what the first wrote. Only
 * inside `transact`, before looking for candidates.
 */
export function openKin(tx: Ctx): Promise<void> {
  return lockKin(tx.db);
}

/** Those it was found to be a version of until now, from either side: to be looked at again, since a search need not meet them twice. */
export async function knownVersions(tx: Ctx, fileId: number): Promise<number[]> {
  return (await selectPairs(tx.db, [fileId])).map(([one, other]) => (one === fileId ? other : one));
}

/**
 * Keeps which contents are like this one (cosine 0–1) and which are versions of it, in place of what was known. Versions are not
 * removed, only grouped: groups that meet become one, and one that no longer hangs together falls apart. Inside `transact`, after
 * `openKin`. Doing it again changes nothing.
 */
export async function recordKin(
  tx: Ctx,
  fileId: number,
  kin: { neighbors: readonly { fileId: number; score: number }[]; versions: readonly number[] },
): Promise<void> {
  await replaceNeighbors(tx.db, fileId, kin.neighbors.slice(0, NEIGHBORS), NEIGHBORS * 2);
  const versions = [...new Set(kin.versions)].filter((other) => other !== fileId);
  const lost = (await replacePairs(tx.db, fileId, versions)).filter((other) => !versions.includes(other));
  const touched = [fileId, ...versions, ...lost];
  const groups = [...new Set((await selectGroups(tx.db, touched)).map((row) => row.groupId))];
  if (lost.length === 0) {
    if (versions.length > 0) await mergeGroups(tx.db, [fileId, ...versions], groups);
    return;
  }
  const members = [...new Set([...touched, ...(await selectMembers(tx.db, groups))])];
  await replaceGroups(tx.db, members, groupsOf(members, await selectPairs(tx.db, members)));
}
