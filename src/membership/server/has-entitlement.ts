import type { Ctx } from '../../context.ts';
import { findEntitlement } from './store.ts';

/** True when the caller has downloaded this document before, by whatever means: it is theirs for ever (C-34). */
export async function hasEntitlement(ctx: Ctx, documentId: number): Promise<boolean> {
  if (!ctx.session) return false;
  return (await findEntitlement(ctx.db, ctx.session.userId, documentId)) !== null;
}
