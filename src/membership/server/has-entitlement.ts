import type { Ctx } from '../../context.ts';
import { findEntitlement, listEntitled } from './store.ts';

/** True when the caller has downloaded this document before, by whatever means: it is theirs for ever (C-34). */
export async function hasEntitlement(ctx: Ctx, documentId: number): Promise<boolean> {
  if (!ctx.session) return false;
  return (await findEntitlement(ctx.db, ctx.session.userId, documentId)) !== null;
}

/** Returns those of the documents that the caller has downloaded before. One query, whatever their number. */
export async function listOwned(ctx: Ctx, documentIds: number[]): Promise<number[]> {
  if (!ctx.session || documentIds.length === 0) return [];
  return listEntitled(ctx.db, ctx.session.userId, documentIds);
}
