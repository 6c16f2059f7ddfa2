import { and, desc, eq, gt, inArray, isNull, lt, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { preparedOnce, type Db } from '../../platform/db/client.ts';
import { endedTokens, loginFailures, sessions, users, type UserState } from './tables.ts';

const person = {
  id: users.id,
  username: users.username,
  nickname: users.nickname,
  avatar: users.avatar,
  phoneSealed: users.phoneSealed,
  state: users.state,
  eraseAt: users.eraseAt,
  sessionLimit: users.sessionLimit,
  isDemo: users.isDemo,
  hasPassword: sql<boolean>`${users.passwordHash} is not null`,
  createdAt: users.createdAt,
};

/** A phone as it is stored (phones.ts). */
export type StoredPhone = { phoneSealed: Buffer | null; phoneIndex: Buffer | null };
export type NewUser = StoredPhone & {
  username: string | null;
  passwordHash: string | null;
  nickname: string;
  isDemo?: boolean;
};
export type Who = { id: number } | { username: string } | { phoneIndex: Buffer };
export type User = Awaited<ReturnType<typeof listUsers>>[number];

const isWho = (who: Who) => {
  if ('id' in who) return eq(users.id, who.id);
  return 'username' in who ? eq(users.username, who.username) : eq(users.phoneIndex, who.phoneIndex);
};

/** Throws PostgreSQL's 23505 when the user name or the phone is taken. */
export async function insertUser(db: Db, user: NewUser): Promise<number> {
  const [row] = await db.insert(users).values(user).returning({ id: users.id });
  if (!row) throw new Error('the new user was not returned');
  return row.id;
}

export async function findUser(db: Db, who: Who): Promise<User | null> {
  const [row] = await db.select(person).from(users).where(isWho(who));
  return row ?? null;
}

/** Newest first. */
export function listUsers(db: Db, limit: number) {
  return db.select(person).from(users).orderBy(desc(users.id)).limit(limit);
}

export async function phoneIndexOf(db: Db, userId: number): Promise<Buffer | null> {
  const [row] = await db.select({ phoneIndex: users.phoneIndex }).from(users).where(eq(users.id, userId));
  return row?.phoneIndex ?? null;
}

export async function findCredentials(db: Db, who: Who) {
  const [row] = await db
    .select({ id: users.id, passwordHash: users.passwordHash, state: users.state })
    .from(users)
    .where(isWho(who));
  return row ?? null;
}

/** Holds the user's row until the transaction ends, so that logins of one user come one after another. */
export async function lockUser(db: Db, userId: number) {
  const [row] = await db
    .select({
      state: users.state,
      sessionLimit: users.sessionLimit,
      eraseAt: users.eraseAt,
      passwordHash: users.passwordHash,
      isDemo: users.isDemo,
    })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  return row ?? null;
}

export type UserChange = Partial<StoredPhone> & {
  state?: UserState;
  username?: null;
  passwordHash?: string | null;
  isDemo?: boolean;
  nickname?: string;
  avatar?: string;
  eraseAt?: Date | null;
};

/**
 * Throws PostgreSQL's 23505 when the phone is another's. False for an account that was erased meanwhile: nothing is written
 * to it any more, or a phone would belong to nobody for ever.
 */
export async function setUser(db: Db, id: number, change: UserChange): Promise<boolean> {
  const changed = await db
    .update(users)
    .set(change)
    .where(and(eq(users.id, id), ne(users.state, 'erased')))
    .returning({ id: users.id });
  return changed.length > 0;
}

/** Users whose cooling-off is over, at most `limit`. */
export async function listUsersToErase(db: Db, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(lte(users.eraseAt, now))
    .orderBy(users.eraseAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Never lowers it. */
export const raiseSessionLimit = (db: Db, id: number, limit: number) =>
  db
    .update(users)
    .set({ sessionLimit: limit })
    .where(and(eq(users.id, id), lt(users.sessionLimit, limit)));

// Sessions

export type NewSession = {
  userId: number;
  tokenHash: Buffer;
  browserHash: Buffer;
  sid: string;
  ip: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
};

export const insertSession = (db: Db, session: NewSession) => db.insert(sessions).values(session);

/** One row by a unique key, with what decides whether it still counts. `which` is the cookie or the header's token. */
export async function findSessionRow(db: Db, which: 'token' | 'browser', hash: Buffer) {
  const [row] = await SESSION_BY[which](db).execute({ hash });
  return row ?? null;
}

const sessionBy = (name: string, column: typeof sessions.tokenHash | typeof sessions.browserHash) => (db: Db) =>
  db
    .select({
      id: sessions.id,
      userId: sessions.userId,
      sid: sessions.sid,
      tokenHash: sessions.tokenHash,
      expiresAt: sessions.expiresAt,
      revokedAt: sessions.revokedAt,
      userState: users.state,
      isDemoUser: users.isDemo,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(column, sql.placeholder('hash')))
    .prepare(name);

/** Asked at every call and every page of a member. */
const SESSION_BY = {
  token: preparedOnce(sessionBy('session_by_token', sessions.tokenHash)),
  browser: preparedOnce(sessionBy('session_by_browser', sessions.browserHash)),
};

/** Ends sessions that are still open; the others keep the reason they ended for. Returns how many ended now. */
async function revoke(db: Db, which: SQL | undefined, reason: string, at: Date): Promise<number> {
  const ended = await db
    .update(sessions)
    .set({ revokedAt: at, revokeReason: reason })
    .where(and(isNull(sessions.revokedAt), which))
    .returning({ id: sessions.id });
  return ended.length;
}

export const revokeSession = (db: Db, id: number, reason: string, at: Date) =>
  revoke(db, eq(sessions.id, id), reason, at);

export const revokeSessionsOf = (db: Db, userId: number, reason: string, at: Date) =>
  revoke(db, eq(sessions.userId, userId), reason, at);

/** All but `exceptId`, when one is given. */
export const revokeOtherSessions = (db: Db, userId: number, exceptId: number, reason: string, at: Date) =>
  revoke(db, and(eq(sessions.userId, userId), ne(sessions.id, exceptId)), reason, at);

/** False when the user has no such open session. */
export const revokeSessionOf = (db: Db, userId: number, id: number, at: Date) =>
  revoke(db, and(eq(sessions.userId, userId), eq(sessions.id, id), gt(sessions.expiresAt, at)), 'user', at);

/** Open ones, newest first. */
export function listOpenSessions(db: Db, userId: number, now: Date, limit: number) {
  return db
    .select({
      id: sessions.id,
      ip: sessions.ip,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.id))
    .limit(limit);
}

/** All that is still kept, newest first, without what proves a login. */
export function listSessionsOf(db: Db, userId: number, limit: number) {
  return db
    .select({
      ip: sessions.ip,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
      revokedAt: sessions.revokedAt,
      revokeReason: sessions.revokeReason,
    })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.id))
    .limit(limit);
}

/** Removes a user's sessions; what stays of each is the hash of its token, which names nobody. */
export async function deleteSessionsOf(db: Db, userId: number): Promise<void> {
  const gone = await db
    .delete(sessions)
    .where(eq(sessions.userId, userId))
    .returning({ tokenHash: sessions.tokenHash, expiresAt: sessions.expiresAt });
  if (gone.length > 0) await db.insert(endedTokens).values(gone).onConflictDoNothing();
}

/** Whether this was the token of an account that is erased now. */
export async function isEndedToken(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const [row] = await db
    .select({ expiresAt: endedTokens.expiresAt })
    .from(endedTokens)
    .where(and(eq(endedTokens.tokenHash, tokenHash), gt(endedTokens.expiresAt, now)));
  return row !== undefined;
}

/** When the session was opened, and when a scan last proved its owner. Null for a session that is gone. */
export async function findProofTimes(db: Db, sessionId: number) {
  const [row] = await db
    .select({ createdAt: sessions.createdAt, provedAt: sessions.provedAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row ?? null;
}

export const setProvedAt = (db: Db, sessionId: number, at: Date) =>
  db.update(sessions).set({ provedAt: at }).where(eq(sessions.id, sessionId));

/** Addresses a user has logged in from, newest first. */
export async function listLoginAddresses(db: Db, userId: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ ip: sessions.ip })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.id))
    .limit(limit);
  return rows.map((row) => row.ip);
}

/** Ends all but the newest `keep` sessions of a user (C-43). */
export function revokeOldest(db: Db, userId: number, keep: number, at: Date): Promise<number> {
  const surplus = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, at)))
    .orderBy(desc(sessions.id))
    .offset(keep);
  return revoke(db, inArray(sessions.id, surplus), 'session-limit', at);
}

// Wrong passwords

/** When the lock of this account ends; null when it is open. */
export async function findLock(db: Db, accountKey: string, now: Date): Promise<Date | null> {
  const [row] = await db
    .select({ lockedUntil: loginFailures.lockedUntil })
    .from(loginFailures)
    .where(and(eq(loginFailures.accountKey, accountKey), gt(loginFailures.lockedUntil, now)));
  return row?.lockedUntil ?? null;
}

/**
 * Counts one try before the password is looked at, so that of parallel guesses, on however many nodes, no more than `max`
 * are: the last of them locks the account, unless it is right and all are forgotten. False while it is locked. Tries older
 * than the lock's own length are forgotten.
 */
export async function takeTry(
  db: Db,
  options: { accountKey: string; now: Date; max: number; lockedUntil: Date; forgetBefore: Date },
): Promise<boolean> {
  const { accountKey, now, max, lockedUntil, forgetBefore } = options;
  const isStale = or(lte(loginFailures.lockedUntil, now), lt(loginFailures.updatedAt, forgetBefore));
  const failures = sql`case when ${isStale} then 1 else ${loginFailures.failures} + 1 end`;
  const taken = await db
    .insert(loginFailures)
    .values({ accountKey, failures: 1, updatedAt: now })
    .onConflictDoUpdate({
      target: loginFailures.accountKey,
      set: {
        failures,
        updatedAt: now,
        lockedUntil: sql`case when ${failures} >= ${max} then ${lockedUntil}::timestamptz end`,
      },
      setWhere: or(isNull(loginFailures.lockedUntil), lte(loginFailures.lockedUntil, now)),
    })
    .returning({ accountKey: loginFailures.accountKey });
  return taken.length > 0;
}

export const forgetFailures = (db: Db, accountKeys: string[]) =>
  db.delete(loginFailures).where(inArray(loginFailures.accountKey, accountKeys));

/** The failures of an account at every address: their keys begin with the account's own. */
export const forgetAllFailures = (db: Db, accountKey: string) =>
  db
    .delete(loginFailures)
    .where(
      or(eq(loginFailures.accountKey, accountKey), sql`starts_with(${loginFailures.accountKey}, ${`${accountKey}@`})`),
    );
