import type { Ctx } from '../../context.ts';
import { raiseSessionLimit } from './store.ts';

/** Lets a user keep at least `count` sessions open at once (C-43). Never takes any away. */
export async function allowSessions(ctx: Ctx, userId: number, count: number): Promise<void> {
  await raiseSessionLimit(ctx.db, userId, count);
}
