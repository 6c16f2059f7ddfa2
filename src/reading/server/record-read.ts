import type { Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { countRead } from '../../membership/server/rights.ts';
import { updateReadOverLimit, upsertRead } from './store.ts';

/**
 * Records that the pages of a document were shown to the logged-in user (C-40); visitors are not recorded (C-84).
 * `isLimited`: the reads of the month were used up before this document was first read in that month.
 */
export async function recordRead(ctx: Ctx, documentId: number): Promise<{ isLimited: boolean }> {
  if (!ctx.session) return { isLimited: false };
  const at = new Date(ctx.clock.now());
  const key = { userId: ctx.session.userId, documentId, month: dayText(at).slice(0, 7) };
  const { isFirst, isOverLimit } = await upsertRead(ctx.db, { ...key, at });
  if (!isFirst && !isOverLimit) return { isLimited: false };
  // A higher or an ended tier may have changed what was recorded at the first read.
  const isLimited = !(await countRead(ctx));
  if (isLimited !== isOverLimit) await updateReadOverLimit(ctx.db, key, isLimited);
  return { isLimited };
}
