import { randomInt } from 'node:crypto';
import { type Ctx, transact, type TransactionCtx } from '../../context.ts';
import { isSqlState } from '../../platform/db/client.ts';
import { CODE } from '../../protocol/codes.ts';
import { CodedAnswer, invalid, sessionInvalid } from '../../protocol/envelope.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { defaultNickname, isNickname } from '../nicknames.ts';
import { maskPhone } from '../rules.ts';
import { refuseSharedAccount } from './demo-accounts.ts';
import { accountRegistered } from './job-notices.ts';
import { hashPassword } from './passwords.ts';
import { NO_PHONE, openPhone, phoneIndex, storedPhone } from './phones/phones.ts';
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

/** The keys by which other slices and the command line name a user. */
export type UserKey = { id: number } | { username: string } | { phone: string };

/** An account as everybody but its owner sees it: the phone is masked, "" when there is none. */
export type Account = Omit<User, 'phoneSealed'> & { phone: string };

/** Returns the account with that id, user name or phone; null when there is none. */
export async function findUserBy(ctx: Ctx, who: UserKey): Promise<Account | null> {
  const user = await selectUser(ctx.db, 'phone' in who ? { phoneIndex: phoneIndex(ctx, who.phone) } : who);
  return user && accountOf(ctx, user);
}

/** Returns the newest accounts, newest first. */
export async function listAccounts(ctx: Ctx, limit: number): Promise<Account[]> {
  const users = await selectUsers(ctx.db, limit);
  return users.map((user) => accountOf(ctx, user));
}

function accountOf(ctx: Ctx, { phoneSealed, ...user }: User): Account {
  return { ...user, phone: maskPhone(openPhone(ctx, phoneSealed)) };
}

type Profile = { nickname: string; avatar: string; phone: string; openid: string; hasPassword: boolean };

/**
 * Returns what a user sees of their own account, with the phone masked (C-60). Throws sessionInvalid when the user is
 * gone.
 */
export async function getProfile(ctx: Ctx, userId: number): Promise<Profile> {
  const user = await selectProfile(ctx.db, userId);
  if (!user) throw sessionInvalid();
  const { nickname, avatar, openid, hasPassword } = user;
  return { nickname, avatar, phone: maskPhone(openPhone(ctx, user.phoneSealed)), openid: openid ?? '', hasPassword };
}

type NewAccount = {
  username: string | null;
  password: string | null;
  phone: string | null;
  nickname: string;
  /** True for an account whose password is public (demo-accounts.ts). */
  isDemo?: boolean;
};

/**
 * Creates an account and returns its id; null when the user name or the phone belongs to another account. The fields
 * follow rules.ts.
 */
export async function createUser(ctx: TransactionCtx, account: NewAccount): Promise<number | null> {
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

/** Facts about a person before their account is created. `ip`: the address of the browser that logs in. */
type Newcomer = { nickname?: string; channel?: string; inviterId: number | null; ip: string };

/**
 * Creates the account of a person who logs in for the first time, by phone or by WeChat, without password, coins or
 * membership. All such accounts are created here, and bound to the inviter by a job of the same transaction (C-90). Returns
 * null when the phone belongs to another account.
 */
export function registerUser(ctx: TransactionCtx, person: Newcomer & { phone?: string }): Promise<number | null> {
  const { phone = null, nickname = '', channel = '', inviterId, ip } = person;
  const name = nickname.trim();
  return transact(ctx, async (tx) => {
    const id = await createUser(tx, {
      username: null,
      password: null,
      phone,
      nickname: isNickname(name)
        ? name
        : defaultNickname(ctx.config.site.name, String(randomInt(0, 1_000_000)).padStart(6, '0')),
    });
    if (id === null) return null;
    if (inviterId !== null) {
      const addressIndex = tx.vault.index('address', addressGroup(ip)).toString('base64url');
      await tx.jobs.add(accountRegistered, { userId: id, inviterId, addressIndex, at: tx.clock.now() });
    }
    tx.log.info({ userId: id, channel, inviterId }, 'account registered');
    return id;
  });
}

/**
 * Returns the user of a WeChat identity, and creates an account when the identity is new. `unionid` joins a person's
 * identities in the mini program and the official account into one account. Returns null when the user is banned. Locks
 * the identity, so that two scans at once create one account.
 */
export function findOrCreateUserOfIdentity(ctx: Ctx, identity: Identity, newcomer: Newcomer): Promise<number | null> {
  return transact(ctx, async (tx) => {
    // Always the openid before the unionid: two requests never hold the lock that the other waits for.
    await lockIdentity(tx.db, `${identity.provider}:${identity.openid}`);
    if (identity.unionid) await lockIdentity(tx.db, `union:${identity.unionid}`);
    const known = await lockUserOfIdentity(tx, identity);
    const userId = known?.id ?? (await registerUser(tx, newcomer));
    if (userId === null) throw new Error('an account without a phone was refused');
    await upsertIdentity(tx.db, identity, userId, new Date(tx.clock.now()));
    return known?.state === 'banned' ? null : userId;
  });
}

/**
 * Returns the user of a WeChat identity with their row locked, so that an erasure waits until the identity is stored. Null
 * when the identity belongs to no account, or to one that was erased while this call waited for its lock.
 */
async function lockUserOfIdentity(tx: TransactionCtx, identity: Identity) {
  const id = await findUserOfIdentity(tx, identity);
  const user = id === null ? null : await lockUser(tx.db, id);
  return id === null || !user || user.state === 'erased' ? null : { id, state: user.state };
}

/** Returns the user of a WeChat identity, or null when it belongs to no account. Creates no account. */
export async function findUserOfIdentity(ctx: TransactionCtx, identity: Identity): Promise<number | null> {
  const known = await selectUserByOpenid(ctx.db, identity.provider, identity.openid);
  return known ?? (identity.unionid ? selectUserByUnionid(ctx.db, identity.unionid) : null);
}

/** Sets the caller's nickname, trimmed (C-71). Throws invalid (40). */
export async function updateInfo(ctx: Ctx, input: { nickname: string }): Promise<CodedAnswer<{ nickname: string }>> {
  const { userId } = requireSession(ctx);
  const nickname = input.nickname.trim();
  if (!isNickname(nickname)) throw invalid('昵称长度为2-20个字符', 'nickname');
  const user = await selectUser(ctx.db, { id: userId });
  refuseSharedAccount(ctx, user);
  if (!(await updateUser(ctx.db, userId, { nickname }))) throw sessionInvalid();
  return new CodedAnswer(CODE.ok, '保存成功', { nickname });
}
