import type { Ctx } from '../../context.ts';
import { READS_A_MONTH } from '../rules.ts';
import { addRead } from './store.ts';
import { tierOf } from './tier-of.ts';

/**
 * Counts one more document a member has read this month, up to what the tier allows (C-40). The caller sees to it that
 * a document counts once a month. Ordinary users are not counted. False: nothing was left to count.
 */
export async function countRead(ctx: Ctx): Promise<boolean> {
  const tier = await tierOf(ctx);
  if (!ctx.session || tier === 0) return true;
  return addRead(ctx.db, ctx.session.userId, new Date(ctx.clock.now()), READS_A_MONTH[tier]);
}
