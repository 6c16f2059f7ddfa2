import type { Ctx } from '../../context.ts';
import { tierAt, type Tier } from '../rules.ts';
import { readClocks } from './store.ts';

/** The caller's tier at this moment (C-32): 0 none, 1 standard, 2 advanced; 0 for visitors. */
export async function tierOf(ctx: Ctx): Promise<Tier> {
  if (!ctx.session) return 0;
  return tierAt(await readClocks(ctx.db, ctx.session.userId), ctx.clock.now());
}
