import { hash, verify } from '@node-rs/argon2';
import type { Ctx } from '../../context.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { tooFrequent } from '../../protocol/envelope.ts';
import { LOCK_SECONDS, MAX_LOGIN_FAILURES, MAX_LOGIN_FAILURES_EVERYWHERE } from '../rules.ts';
import { deleteAllLoginFailures, deleteLoginFailures, selectLock, upsertLoginFailure } from './store-limits.ts';
import { selectLoginAddresses } from './store-sessions.ts';
import { selectCredentials, type Who } from './store.ts';

/** argon2id, which is the package's default algorithm; OWASP's figures. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of a random password nobody knows: checked when there is no account, so that both answers take the same time. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$d4lr8KpZAqzpFMoU/qrTYg$WGVN2AW+QPOclluS6WrpcuCrXFTQ2iY0Iwsc0w8uc64';

/** Hashes at once, and requests waiting for one: each takes 19 MiB and a core for some 20 ms. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 40;
const RETRY_AFTER_SECONDS = 3;

const places = createConcurrencyLimit(MAX_AT_ONCE);

/** Runs `work` in one of the few places there are for hashing. Throws tooFrequent (41) when the queue is full. */
export async function inHashingPlace<T>(work: () => Promise<T>): Promise<T> {
  if (places.waiting() >= MAX_WAITING) throw tooFrequent(RETRY_AFTER_SECONDS);
  return places.run(work);
}

export const hashPassword = (password: string) => inHashingPlace(() => hash(password, COST));

/** False for no account and for no password too, after the same work. Call it inside a hashing place. */
export async function isPassword(passwordHash: string | null, password: string | null): Promise<boolean> {
  const isEqual = await verify(passwordHash ?? NOBODY, password ?? '');
  return isEqual && passwordHash !== null && password !== null;
}

/** Whose password it was, and which: a login holds only while that is still the account's password. */
export type Proven = { userId: number; passwordHash: string };

/** Logins that are looked at for the addresses an account is used from. */
const MAX_KNOWN_LOGINS = 50;

/**
 * Whose account this is, when the password is right and it may be used; null otherwise, after the same work whether or
 * not there is such an account. Throws tooFrequent after five wrong passwords in a row from one address, and after fifty
 * from all addresses together; names that belong to nobody are locked as well. An address that the account has logged in
 * from is judged by its own five alone, so that nobody elsewhere can lock the owner out. `name` tells nobody's names
 * apart.
 */
export const checkPassword = (ctx: Ctx, who: Who, name: string, password: string | null): Promise<Proven | null> =>
  inHashingPlace(() => check(ctx, who, name, password));

async function check(ctx: Ctx, who: Who, name: string, password: string | null): Promise<Proven | null> {
  const user = await selectCredentials(ctx.db, who);
  const address = addressGroup(ctx.request.ip);
  const accountKey = lockKey(ctx, user ? String(user.id) : name);
  const addressKey = `${accountKey}@${ctx.signer.sign('login-failures', address)}`;
  await takeTryOr41(ctx, addressKey, MAX_LOGIN_FAILURES);
  const isKnown = user !== null && (await isKnownAddress(ctx, user.id, address));
  if (!isKnown) await takeTryOr41(ctx, accountKey, MAX_LOGIN_FAILURES_EVERYWHERE);
  const isRight = await isPassword(user?.passwordHash ?? null, password);
  if (!isRight || user?.state !== 'active' || user.passwordHash === null) return null;
  await deleteLoginFailures(ctx.db, isKnown ? [addressKey] : [addressKey, accountKey]);
  return { userId: user.id, passwordHash: user.passwordHash };
}

/** Takes the lock off an account whose owner has proven themselves another way. */
export const unlockPassword = (ctx: Ctx, userId: number) =>
  deleteAllLoginFailures(ctx.db, lockKey(ctx, String(userId)));

/** Keyed, so that the table never tells which names people try (some type a password there). */
const lockKey = (ctx: Ctx, key: string) => ctx.signer.sign('login-failures', key);

async function isKnownAddress(ctx: Ctx, userId: number, address: string): Promise<boolean> {
  const known = await selectLoginAddresses(ctx.db, userId, MAX_KNOWN_LOGINS);
  return known.some((ip) => ip !== '' && addressGroup(ip) === address);
}

async function takeTryOr41(ctx: Ctx, accountKey: string, max: number): Promise<void> {
  const now = ctx.clock.now();
  const isTaken = await upsertLoginFailure(ctx.db, {
    accountKey,
    now: new Date(now),
    max,
    lockedUntil: new Date(now + LOCK_SECONDS * 1000),
    forgetBefore: new Date(now - LOCK_SECONDS * 1000),
  });
  if (isTaken) return;
  const lockedUntil = await selectLock(ctx.db, accountKey, new Date(now));
  // Null: the lock was taken off in this very moment.
  throw tooFrequent(lockedUntil ? Math.ceil((lockedUntil.getTime() - now) / 1000) : 1);
}
