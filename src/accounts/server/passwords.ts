import { hash, verify } from '@node-rs/argon2';
import type { Ctx, TransactionCtx } from '../../context.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { tooFrequent } from '../../protocol/envelope.ts';
import { LOCK_SECONDS, MAX_LOGIN_FAILURES, MAX_LOGIN_FAILURES_EVERYWHERE } from '../rules.ts';
import { deleteAllLoginFailures, deleteLoginFailures, selectLock, upsertLoginFailure } from './store-limits.ts';
import { selectLoginAddresses } from './store-sessions.ts';
import { selectCredentials, type UserKey } from './store.ts';

/** argon2id is the package's default algorithm; the figures are OWASP's. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The hash of a random password that nobody knows. It is verified when there is no account, so that both answers take
 * the same time.
 */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$d4lr8KpZAqzpFMoU/qrTYg$WGVN2AW+QPOclluS6WrpcuCrXFTQ2iY0Iwsc0w8uc64';

/**
 * How many hashes run at once, and how many requests may wait for a slot: each hash takes 19 MiB and a core for about
 * 20 ms.
 */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 40;
const RETRY_AFTER_SECONDS = 3;

const places = createConcurrencyLimit(MAX_AT_ONCE);

/** Runs `work` in one of the few slots for hashing. Throws tooFrequent (41) when the queue is full. */
export async function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  if (places.waiting() >= MAX_WAITING) throw tooFrequent(RETRY_AFTER_SECONDS);
  return places.run(work);
}

export const hashPassword = (password: string) => withHashingSlot(() => hash(password, COST));

/**
 * Verifies a password. Returns false after the same work when there is no account or no password. Call it inside
 * withHashingSlot.
 */
export async function isPassword(passwordHash: string | null, password: string | null): Promise<boolean> {
  const isEqual = await verify(passwordHash ?? DUMMY_HASH, password ?? '');
  return isEqual && passwordHash !== null && password !== null;
}

/** The user whose password was right, and its hash: a login holds only while that is still the account's password. */
export type VerifiedUser = { userId: number; passwordHash: string };

/** How many of the newest logins are searched for the caller's address. */
const MAX_KNOWN_LOGINS = 50;

/**
 * Returns the user when the password is right and the account may be used; null otherwise, after the same work whether
 * or not the account exists. Throws tooFrequent after five wrong passwords in a row from one address, and after fifty
 * from all addresses together; names without an account are locked as well. An address from which the account has
 * logged in before is only subject to its own limit of five, so that nobody elsewhere can lock the owner out. Where
 * no account exists, wrong passwords are counted under `name`, the phone or address that was typed.
 */
export const checkPassword = (
  ctx: Ctx,
  who: UserKey,
  name: string,
  password: string | null,
): Promise<VerifiedUser | null> => withHashingSlot(() => check(ctx, who, name, password));

async function check(ctx: Ctx, who: UserKey, name: string, password: string | null): Promise<VerifiedUser | null> {
  const user = await selectCredentials(ctx.db, who);
  const address = addressGroup(ctx.request.ip);
  const accountKey = lockKey(ctx, user ? String(user.id) : name);
  const addressKey = `${accountKey}@${ctx.signer.sign('login-failures', address)}`;
  await countTry(ctx, addressKey, MAX_LOGIN_FAILURES);
  const isKnown = user !== null && (await isKnownAddress(ctx, user.id, address));
  if (!isKnown) await countTry(ctx, accountKey, MAX_LOGIN_FAILURES_EVERYWHERE);
  const isRight = await isPassword(user?.passwordHash ?? null, password);
  if (!isRight || user?.state !== 'active' || user.passwordHash === null) return null;
  await deleteLoginFailures(ctx.db, isKnown ? [addressKey] : [addressKey, accountKey]);
  return { userId: user.id, passwordHash: user.passwordHash };
}

/** Removes the lock of an account whose owner has proven themselves in another way. */
export const unlockPassword = (ctx: TransactionCtx, userId: number) =>
  deleteAllLoginFailures(ctx.db, lockKey(ctx, String(userId)));

/**
 * Returns the key of a lock as a keyed hash: the table must not tell which names people try (some type a password
 * there).
 */
const lockKey = (ctx: TransactionCtx, key: string) => ctx.signer.sign('login-failures', key);

async function isKnownAddress(ctx: Ctx, userId: number, address: string): Promise<boolean> {
  const known = await selectLoginAddresses(ctx.db, userId, MAX_KNOWN_LOGINS);
  return known.some((ip) => ip !== '' && addressGroup(ip) === address);
}

async function countTry(ctx: Ctx, accountKey: string, max: number): Promise<void> {
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
  // Null: the lock was removed in this very moment.
  throw tooFrequent(lockedUntil ? Math.ceil((lockedUntil.getTime() - now) / 1000) : 1);
}
