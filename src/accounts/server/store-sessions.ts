import { and, desc, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { preparedOnce, type Db } from '../../platform/db/client.ts';
import { endedTokens, sessions, users } from './tables.ts';

type NewSession = {
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

/** Returns a session by the hash of its token or of its browser cookie, with what decides whether it still counts. */
export async function selectSession(db: Db, which: 'token' | 'browser', hash: Buffer) {
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

/** Prepared, because every call and every page of a member runs one of them. */
const SESSION_BY = {
  token: preparedOnce(sessionBy('session_by_token', sessions.tokenHash)),
  browser: preparedOnce(sessionBy('session_by_browser', sessions.browserHash)),
};

/** Marks open sessions as revoked; sessions that ended earlier keep their reason. Returns how many ended. */
async function updateRevoked(db: Db, which: SQL | undefined, reason: string, at: Date): Promise<number> {
  const ended = await db
    .update(sessions)
    .set({ revokedAt: at, revokeReason: reason })
    .where(and(isNull(sessions.revokedAt), which))
    .returning({ id: sessions.id });
  return ended.length;
}

export const updateSessionRevoked = (db: Db, id: number, reason: string, at: Date) =>
  updateRevoked(db, eq(sessions.id, id), reason, at);

export const updateSessionsRevoked = (db: Db, userId: number, reason: string, at: Date) =>
  updateRevoked(db, eq(sessions.userId, userId), reason, at);

/** Revokes all of a user's sessions except `exceptId`. */
export const updateOtherSessionsRevoked = (db: Db, userId: number, exceptId: number, reason: string, at: Date) =>
  updateRevoked(db, and(eq(sessions.userId, userId), ne(sessions.id, exceptId)), reason, at);

/** Revokes one session of a user. Returns 0 when the user has no such open session. */
export const updateOpenSessionRevoked = (db: Db, userId: number, id: number, at: Date) =>
  updateRevoked(db, and(eq(sessions.userId, userId), eq(sessions.id, id), gt(sessions.expiresAt, at)), 'user', at);

/** Returns a user's open sessions, newest first. */
export function selectOpenSessions(db: Db, userId: number, now: Date, limit: number) {
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

/** Returns all sessions of a user that are still kept, newest first, without what proves a login. */
export function selectSessions(db: Db, userId: number) {
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
    .orderBy(desc(sessions.id));
}

/** Deletes a user's sessions. Of each only the hash of its token is kept, which names nobody. */
export async function deleteSessions(db: Db, userId: number): Promise<void> {
  const gone = await db
    .delete(sessions)
    .where(eq(sessions.userId, userId))
    .returning({ tokenHash: sessions.tokenHash, expiresAt: sessions.expiresAt });
  if (gone.length > 0) await db.insert(endedTokens).values(gone).onConflictDoNothing();
}

/** Returns the row of a token whose account was erased; null for any other token. */
export async function selectEndedToken(db: Db, tokenHash: Buffer, now: Date) {
  const [row] = await db
    .select({ expiresAt: endedTokens.expiresAt })
    .from(endedTokens)
    .where(and(eq(endedTokens.tokenHash, tokenHash), gt(endedTokens.expiresAt, now)));
  return row ?? null;
}

/** Returns when the session was opened, and when a scan last proved its owner. Null for a session that is gone. */
export async function selectProofTimes(db: Db, sessionId: number) {
  const [row] = await db
    .select({ createdAt: sessions.createdAt, provedAt: sessions.provedAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row ?? null;
}

export const updateProvedAt = (db: Db, sessionId: number, at: Date) =>
  db.update(sessions).set({ provedAt: at }).where(eq(sessions.id, sessionId));

/** Returns the addresses a user has logged in from, newest first. */
export async function selectLoginAddresses(db: Db, userId: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ ip: sessions.ip })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.id))
    .limit(limit);
  return rows.map((row) => row.ip);
}

/** Revokes all but the newest `keep` open sessions of a user (C-43). */
export function updateOldestSessionsRevoked(db: Db, userId: number, keep: number, at: Date): Promise<number> {
  const surplus = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, at)))
    .orderBy(desc(sessions.id))
    .offset(keep);
  return updateRevoked(db, inArray(sessions.id, surplus), 'session-limit', at);
}

/** Deletes the sessions that expired or were revoked before `before`. Returns how many were deleted. */
export async function deleteOldSessions(db: Db, before: Date): Promise<number> {
  const gone = await db
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, before), lt(sessions.revokedAt, before)))
    .returning({ id: sessions.id });
  return gone.length;
}

export const deleteExpiredTokens = (db: Db, now: Date) => db.delete(endedTokens).where(lt(endedTokens.expiresAt, now));
