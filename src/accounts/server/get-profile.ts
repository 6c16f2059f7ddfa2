import type { Ctx } from '../../context.ts';
import { sessionInvalid } from '../../protocol/envelope.ts';
import { maskPhone } from '../rules.ts';
import { openPhone } from './phones.ts';
import { findProfile } from './store-identities.ts';

export type Profile = { nickname: string; avatar: string; phone: string; openid: string; hasPassword: boolean };

/** What a user sees of their own account; the phone is masked (C-60). Throws sessionInvalid when the user is gone. */
export async function getProfile(ctx: Ctx, userId: number): Promise<Profile> {
  const user = await findProfile(ctx.db, userId);
  if (!user) throw sessionInvalid();
  const { nickname, avatar, openid, hasPassword } = user;
  return { nickname, avatar, phone: maskPhone(openPhone(ctx, user.phoneSealed)), openid: openid ?? '', hasPassword };
}
