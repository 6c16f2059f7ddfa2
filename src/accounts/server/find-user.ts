import type { Ctx } from '../../context.ts';
import { findUser, type User, type Who } from './store.ts';

/** The account of that id, user name or phone; null when there is none. */
export function findUserBy(ctx: Ctx, who: Who): Promise<User | null> {
  return findUser(ctx.db, who);
}
