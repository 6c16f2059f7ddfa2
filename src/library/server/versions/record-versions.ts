import type { TransactionCtx } from '../../../context.ts';
import {
  lockVersionGroups,
  mergeGroups,
  replaceGroups,
  replaceNeighbors,
  replacePairs,
  selectGroups,
  selectMembers,
  selectPairs,
} from './store-versions.ts';

/** Neighbours kept for a file: enough to show eight similar documents when some are unpublished or versions of each other (C-77). */
export const NEIGHBORS = 24;

/**
 * Locks the neighbours and versions of all files until the transaction ends, so that a second transaction sees what the first wrote.
 * Call it inside `transact`, before candidates are searched.
 */
export function lockVersions(tx: TransactionCtx): Promise<void> {
  return lockVersionGroups(tx.db);
}

/** Returns the files that are recorded as versions of this file. They are compared again: a search may not find them twice. */
export async function knownVersions(tx: TransactionCtx, fileId: number): Promise<number[]> {
  return (await selectPairs(tx.db, [fileId])).map(([one, other]) => (one === fileId ? other : one));
}

/**
 * Replaces the recorded neighbours (score: cosine, 0–1) and versions of a file. Versions are not removed, only grouped: groups with a
 * common file are merged, and a group that is no longer connected is split. Call it inside `transact`, after `lockVersions`. Safe to
 * repeat.
 */
export async function recordVersions(
  tx: TransactionCtx,
  fileId: number,
  found: { neighbors: readonly { fileId: number; score: number }[]; versions: readonly number[] },
): Promise<void> {
  await replaceNeighbors(tx.db, fileId, found.neighbors.slice(0, NEIGHBORS), NEIGHBORS * 2);
  const versions = [...new Set(found.versions)].filter((other) => other !== fileId);
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

/** Returns the connected components of two or more members, where `pairs` are the edges. */
function groupsOf(members: readonly number[], pairs: readonly (readonly [number, number])[]): number[][] {
  const others = new Map<number, number[]>(members.map((member) => [member, []]));
  for (const [one, other] of pairs) {
    others.get(one)?.push(other);
    others.get(other)?.push(one);
  }
  const groups: number[][] = [];
  const seen = new Set<number>();
  for (const member of members) {
    if (seen.has(member)) continue;
    seen.add(member);
    const group = [member];
    // The loop body appends to the group.
    for (const reached of group)
      for (const other of others.get(reached) ?? [])
        if (others.has(other) && !seen.has(other)) {
          seen.add(other);
          group.push(other);
        }
    if (group.length > 1) groups.push(group);
  }
  return groups;
}
