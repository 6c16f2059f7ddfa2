import { randomInt } from 'node:crypto';
import { transact, type Ctx } from '../../context.ts';
import { isSqlState } from '../../platform/db/client.ts';
import { CODE } from '../../protocol/codes.ts';
import { CodedAnswer, invalid, sessionInvalid } from '../../protocol/envelope.ts';
import { defaultNickname, isNickname, maskPhone } from '../rules.ts';
import { refuseSharedAccount } from './demo-accounts.ts';
import { hashPassword } from './passwords.ts';
import { NO_PHONE, openPhone, phoneIndex, storedPhone } from './phones.ts';
import { requireSession } from './sessions.ts';
import {
  insertUser,
  lockIdentity,
  lockUser,
  selectProfile,
  selectUser,
  selectUserByOpenid,
  selectUserByUnionid,
  selectUsers,
  updateUser,
  upsertIdentity,
  type Identity,
  type User,
} from './store.ts';

/** How somebody outside this slice may name a user. */
export type Who = { id: number } | { username: string } | { phone: string };

/** What anybody but the owner is shown: the phone is masked, "" when there is none. */
export type Account = Omit<User, 'phoneSealed'> & { phone: string };

/** The account of that id, user name or phone; null when there is none. */
export async function findUserBy(ctx: Ctx, who: Who): Promise<Account | null> {
  const user = await selectUser(ctx.db, 'phone' in who ? { phoneIndex: phoneIndex(ctx, who.phone) } : who);
  return user && accountOf(ctx, user);
}

/** The newest accounts first. */
export async function listAccounts(ctx: Ctx, limit: number): Promise<Account[]> {
  const users = await selectUsers(ctx.db, limit);
  return users.map((user) => accountOf(ctx, user));
}

function accountOf(ctx: Ctx, { phoneSealed, ...user }: User): Account {
  return { ...user, phone: maskPhone(openPhone(ctx, phoneSealed)) };
}

export type Profile = { nickname: string; avatar: string; phone: string; openid: string; hasPassword: boolean };

/** What a user sees of their own account; the phone is masked (C-60). Throws sessionInvalid when the user is gone. */
export async function getProfile(ctx: Ctx, userId: number): Promise<Profile> {
  const user = await selectProfile(ctx.db, userId);
  if (!user) throw sessionInvalid();
  const { nickname, avatar, openid, hasPassword } = user;
  return { nickname, avatar, phone: maskPhone(openPhone(ctx, user.phoneSealed)), openid: openid ?? '', hasPassword };
}

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

/**
 * Whose WeChat this is, and an account of their own for whoever was never seen. `unionid` joins the mini program's and
 * the official account's names of one person into one account. Null when the user is banned. One person's scans come one
 * after another, so that two at once make one account.
 */
export function userOfIdentity(
  ctx: Ctx,
  identity: Identity,
  newcomer: { nickname?: string; channel?: string },
): Promise<number | null> {
  return transact(ctx, async (tx) => {
    // First the openid, then the person: two requests never hold what the other waits for.
    await lockIdentity(tx.db, `${identity.provider}:${identity.openid}`);
    if (identity.unionid) await lockIdentity(tx.db, `union:${identity.unionid}`);
    const userId = (await findUserOfIdentity(tx, identity)) ?? (await registerUser(tx, newcomer));
    if (userId === null) throw new Error('an account without a phone was refused');
    await upsertIdentity(tx.db, identity, userId, new Date(tx.clock.now()));
    const user = await lockUser(tx.db, userId);
    return user?.state === 'active' ? userId : null;
  });
}

/** Whose WeChat this is; null when it belongs to no account. Makes none. */
export async function findUserOfIdentity(ctx: Ctx, identity: Identity): Promise<number | null> {
  const known = await selectUserByOpenid(ctx.db, identity.provider, identity.openid);
  return known ?? (identity.unionid ? selectUserByUnionid(ctx.db, identity.unionid) : null);
}

/** A new nickname, without the space around it (C-71). Throws invalid (40). */
export async function updateInfo(ctx: Ctx, input: { nickname: string }): Promise<CodedAnswer<{ nickname: string }>> {
  const { userId } = requireSession(ctx);
  const nickname = input.nickname.trim();
  if (!isNickname(nickname)) throw invalid('昵称长度为2-20个字符', 'nickname');
  const user = await selectUser(ctx.db, { id: userId });
  if (user) refuseSharedAccount(ctx, user);
  if (!(await updateUser(ctx.db, userId, { nickname }))) throw sessionInvalid();
  return new CodedAnswer(CODE.ok, '保存成功', { nickname });
}
