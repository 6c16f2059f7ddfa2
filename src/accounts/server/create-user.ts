import type { Ctx } from '../../context.ts';
import { isSqlState } from '../../platform/db/client.ts';
import { hashPassword } from './passwords.ts';
import { insertUser } from './store.ts';

export type NewAccount = { username: string | null; password: string | null; phone: string | null; nickname: string };

/** Null when the user name or the phone belongs to someone already. The fields follow `rules.ts`. Returns the new id. */
export async function createUser(ctx: Ctx, account: NewAccount): Promise<number | null> {
  const { password, ...rest } = account;
  const passwordHash = password === null ? null : await hashPassword(password);
  try {
    return await insertUser(ctx.db, { ...rest, passwordHash });
  } catch (error) {
    if (isSqlState(error, '23505')) return null;
    throw error;
  }
}
