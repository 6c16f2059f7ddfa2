import type { Ctx } from '../../context.ts';
import { maskPhone } from '../rules.ts';
import { openPhone, phoneIndex } from './phones.ts';
import { findUser, listUsers, type User } from './store.ts';

/** How somebody outside this slice may name a user. */
export type Who = { id: number } | { username: string } | { phone: string };

/** What anybody but the owner is shown: the phone is masked, "" when there is none. */
export type Account = Omit<User, 'phoneSealed'> & { phone: string };

/** The account of that id, user name or phone; null when there is none. */
export async function findUserBy(ctx: Ctx, who: Who): Promise<Account | null> {
  const user = await findUser(ctx.db, 'phone' in who ? { phoneIndex: phoneIndex(ctx, who.phone) } : who);
  return user && accountOf(ctx, user);
}

/** The newest accounts first. */
export async function listAccounts(ctx: Ctx, limit: number): Promise<Account[]> {
  const users = await listUsers(ctx.db, limit);
  return users.map((user) => accountOf(ctx, user));
}

function accountOf(ctx: Ctx, { phoneSealed, ...user }: User): Account {
  return { ...user, phone: maskPhone(openPhone(ctx, phoneSealed)) };
}
