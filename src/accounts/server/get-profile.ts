import type { Ctx } from '../../context.ts';
import { sessionInvalid } from '../../protocol/envelope.ts';
import { maskPhone } from '../rules.ts';
import { findUser } from './store.ts';

export type Profile = { nickname: string; avatar: string; phone: string; hasPassword: boolean };

/** What a user sees of their own account; the phone is masked (C-60). Throws sessionInvalid when the user is gone. */
export async function getProfile(ctx: Ctx, userId: number): Promise<Profile> {
  const user = await findUser(ctx.db, { id: userId });
  if (!user) throw sessionInvalid();
  const { nickname, avatar, hasPassword } = user;
  return { nickname, avatar, phone: maskPhone(user.phone), hasPassword };
}
