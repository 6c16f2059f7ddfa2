import type { Ctx } from '../../context.ts';
import { isSqlState } from '../../platform/db/client.ts';
import { hashPassword } from './passwords.ts';
import { NO_PHONE, storedPhone } from './phones.ts';
import { insertUser } from './store.ts';

export type NewAccount = {
  username: string | null;
  password: string | null;
  phone: string | null;
  nickname: string;
  /** Its password is no secret: see demo-accounts.ts. */
  isDemo?: boolean;
};

/** Null when the user name or the phone belongs to someone already. The fields follow `rules.ts`. Returns the new id. */
export async function createUser(ctx: Ctx, account: NewAccount): Promise<number | null> {
  const { username, password, phone, nickname, isDemo = false } = account;
  const passwordHash = password === null ? null : await hashPassword(password);
  const stored = phone === null ? NO_PHONE : storedPhone(ctx, phone);
  try {
    return await insertUser(ctx.db, { username, nickname, passwordHash, isDemo, ...stored });
  } catch (error) {
    if (isSqlState(error, '23505')) return null;
    throw error;
  }
}
