import type { Ctx } from '../../context.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import type { phoneCodeLogin } from '../contract.ts';
import { bannedUser } from '../rules.ts';
import { findUserBy } from './find-user.ts';
import { openSession, type Login } from './open-session.ts';
import { registerUser } from './register-user.ts';
import { takeCode } from './take-code.ts';

/**
 * C-64: logs the owner of a phone in and makes their account when there is none. Throws wrongCode (42), and bannedUser,
 * which only the owner of the phone is ever told.
 */
export async function loginByPhoneCode(ctx: Ctx, input: Parsed<typeof phoneCodeLogin>): Promise<Login> {
  const { phone, code } = input;
  await takeCode(ctx, { phone, code, purpose: 'login' });
  const userId = (await findUserBy(ctx, { phone }))?.id ?? (await registerOwner(ctx, phone));
  const login = await openSession(ctx, userId);
  if (!login) throw bannedUser();
  return login;
}

async function registerOwner(ctx: Ctx, phone: string): Promise<number> {
  const id = await registerUser(ctx, { phone });
  // Null: another request of the same person was quicker.
  const userId = id ?? (await findUserBy(ctx, { phone }))?.id;
  if (userId === undefined) throw new Error('a phone is taken by nobody');
  return userId;
}
