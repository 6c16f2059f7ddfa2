import { randomInt } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { defaultNickname, isNickname } from '../rules.ts';
import { createUser } from './create-user.ts';

/**
 * The account of somebody who came in for the first time, by phone or by WeChat: no password, no coins, no membership.
 * Every such account is made here, so here is where an invitation will be bound to it (C-90). Null when the phone is
 * somebody's.
 */
export async function registerUser(
  ctx: Ctx,
  person: { phone?: string; nickname?: string; channel?: string },
): Promise<number | null> {
  const { phone = null, nickname = '', channel = '' } = person;
  const name = nickname.trim();
  const id = await createUser(ctx, {
    username: null,
    password: null,
    phone,
    nickname: isNickname(name) ? name : defaultNickname(String(randomInt(0, 1_000_000)).padStart(6, '0')),
  });
  if (id !== null) ctx.log.info({ userId: id, channel }, 'account registered');
  return id;
}
