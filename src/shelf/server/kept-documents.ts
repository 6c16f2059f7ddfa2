import type { Ctx } from '../../context.ts';
import { findInAnyState } from '../../library/server/list-documents.ts';
import { isTakenDown } from '../../membership/server/rights.ts';
import type { KeptDocument } from '../contract.ts';

/** A document in a list of one user; `mayDownload` is false after a take-down for rights (C-112). */
export type Kept = { document: KeptDocument; mayDownload: boolean };

/** Returns the documents among `ids` by id as the caller's lists show them: of what left the library only its facts. */
export async function findKept(ctx: Ctx, ids: number[]): Promise<Map<number, Kept>> {
  const found = await findInAnyState(ctx, ids);
  return new Map(
    [...found].map(([id, { item, state, hiddenReason }]) => [
      id,
      {
        document: { ...item, offline: state === 'published' ? 0 : 1 },
        mayDownload: item.preview_only === 0 && !isTakenDown({ state, hiddenReason }),
      },
    ]),
  );
}
