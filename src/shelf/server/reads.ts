import type { Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import type { Tier } from '../../membership/rules.ts';
import { countRead } from '../../membership/server/rights.ts';
import { recordReadOnce, selectPosition } from './store-reads.ts';

/**
 * Records that the pages of a document were shown to the logged-in user (C-40, C-84); visitors are not recorded.
 * `isLimited`: the user is a member whose reads of the month are used up, and this document is not among them.
 */
export async function recordRead(ctx: Ctx, documentId: number): Promise<{ tier: Tier; isLimited: boolean }> {
  if (!ctx.session) return { tier: 0, isLimited: false };
  const at = new Date(ctx.clock.now());
  const read = { userId: ctx.session.userId, documentId, month: dayText(at).slice(0, 7), at };
  const [counted] = await Promise.all([countRead(ctx, documentId), recordReadOnce(ctx.db, read)]);
  return counted;
}

/** Returns the page of a document that the logged-in user read last (C-85); 0 for none, and for visitors. */
export async function findLastPage(ctx: Ctx, documentId: number): Promise<number> {
  if (!ctx.session) return 0;
  const position = await selectPosition(ctx.db, ctx.session.userId, documentId);
  return position?.page ?? 0;
}
