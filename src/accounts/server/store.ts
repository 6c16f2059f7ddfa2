import { and, desc, eq, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import { preparedOnce, rowsOf, type Db } from '../../platform/db/client.ts';
import { userIdentities, users, type Provider, type UserState } from './tables.ts';

const person = {
  id: users.id,
  username: users.username,
  nickname: users.nickname,
  avatar: users.avatar,
  phoneSealed: users.phoneSealed,
  state: users.state,
  eraseAt: users.eraseAt,
  isDemo: users.isDemo,
  hasPassword: sql<boolean>`${users.passwordHash} is not null`,
  createdAt: users.createdAt,
};

/** A phone as it is stored: encrypted, and the keyed hash by which it is found (phones.ts). */
export type StoredPhone = { phoneSealed: Buffer | null; phoneIndex: Buffer | null };
type NewUser = StoredPhone & {
  username: string | null;
  passwordHash: string | null;
  nickname: string;
  isDemo?: boolean;
};
export type UserKey = { id: number } | { username: string } | { phoneIndex: Buffer };
export type User = Awaited<ReturnType<typeof selectUsers>>[number];

const isUser = (who: UserKey) => {
  if ('id' in who) return eq(users.id, who.id);
  return 'username' in who ? eq(users.username, who.username) : eq(users.phoneIndex, who.phoneIndex);
};

/** Inserts a user and returns the new id. Throws PostgreSQL's 23505 when the user name or the phone is taken. */
export async function insertUser(db: Db, user: NewUser): Promise<number> {
  const [row] = await db.insert(users).values(user).returning({ id: users.id });
  if (!row) throw new Error('the new user was not returned');
  return row.id;
}

export async function selectUser(db: Db, who: UserKey): Promise<User | null> {
  const [row] = await db.select(person).from(users).where(isUser(who));
  return row ?? null;
}

/** Returns users, newest first. */
export function selectUsers(db: Db, limit: number) {
  return db.select(person).from(users).orderBy(desc(users.id)).limit(limit);
}

export async function selectPhoneIndex(db: Db, userId: number): Promise<Buffer | null> {
  const [row] = await db.select({ phoneIndex: users.phoneIndex }).from(users).where(eq(users.id, userId));
  return row?.phoneIndex ?? null;
}

export async function selectCredentials(db: Db, who: UserKey) {
  const [row] = await db
    .select({ id: users.id, passwordHash: users.passwordHash, state: users.state })
    .from(users)
    .where(isUser(who));
  return row ?? null;
}

/**
 * Locks the user's row until the transaction ends, and returns what logins and the erasure decide by; null when there is no such user. Logins, changes of
 * the account and the erasure of one user come one after another.
 */
export async function lockUser(db: Db, userId: number) {
  const [row] = await db
    .select({
      state: users.state,
      hasLifetimeSessions: users.hasLifetimeSessions,
      eraseAt: users.eraseAt,
      passwordHash: users.passwordHash,
      phoneIndex: users.phoneIndex,
      isDemo: users.isDemo,
    })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  return row ?? null;
}

type UserChange = Partial<StoredPhone> & {
  state?: UserState;
  username?: null;
  passwordHash?: string | null;
  isDemo?: boolean;
  nickname?: string;
  avatar?: string;
  eraseAt?: Date | null;
};

/**
 * Updates a user. Throws PostgreSQL's 23505 when the phone belongs to another account. Returns false for an account
 * that was erased in the meantime: it is never written to, or a phone would stay with nobody for ever.
 */
export async function updateUser(db: Db, id: number, change: UserChange): Promise<boolean> {
  const changed = await db
    .update(users)
    .set(change)
    .where(and(eq(users.id, id), ne(users.state, 'erased')))
    .returning({ id: users.id });
  return changed.length > 0;
}

/**
 * Replaces the phone of an account and, when `passwordHash` is given, sets its first password. `from` is the blind index of
 * the phone that the caller has read (null: none), `provenHash` the hash of the password that proved the owner (null: something
 * else did). Returns false, and changes nothing, when the account has another phone or password by now, already has a
 * password although a first one is given, or was erased: so one of two simultaneous requests wins.
 * Throws PostgreSQL's 23505 when `phone` belongs to another account.
 */
export async function updatePhone(
  db: Db,
  id: number,
  change: { from: Buffer | null; phone: StoredPhone; passwordHash: string | null; provenHash: string | null },
): Promise<boolean> {
  const { from, phone, passwordHash, provenHash } = change;
  const changed = await db
    .update(users)
    .set({ ...phone, ...(passwordHash !== null && { passwordHash }) })
    .where(
      and(
        eq(users.id, id),
        ne(users.state, 'erased'),
        from === null ? isNull(users.phoneIndex) : eq(users.phoneIndex, from),
        passwordHash === null ? undefined : isNull(users.passwordHash),
        provenHash === null ? undefined : eq(users.passwordHash, provenHash),
      ),
    )
    .returning({ id: users.id });
  return changed.length > 0;
}

/** `eraseAt` is the text that PostgreSQL writes, because a Date would lose its microseconds. */
type DueErasure = { id: number; eraseAt: string };

/** Returns at most `limit` users whose cooling-off is over, the first due first: those that come after `after`, or from the first one on. */
export function selectUsersToErase(db: Db, now: Date, after: DueErasure | null, limit: number): Promise<DueErasure[]> {
  const isLater =
    after === null ? undefined : sql`(${users.eraseAt}, ${users.id}) > (${after.eraseAt}::timestamptz, ${after.id})`;
  return db
    .select({ id: users.id, eraseAt: sql<string>`${users.eraseAt}::text` })
    .from(users)
    .where(and(lte(users.eraseAt, now), isLater))
    .orderBy(users.eraseAt, users.id)
    .limit(limit);
}

/** Sets whether a user may keep as many sessions open as a member for life. */
export const updateLifetimeSessions = (db: Db, id: number, hasLifetimeSessions: boolean) =>
  db.update(users).set({ hasLifetimeSessions }).where(eq(users.id, id));

/** Returns whether a user may keep as many sessions open as a member for life; null when there is no such user. */
export async function selectLifetimeSessions(db: Db, id: number): Promise<boolean | null> {
  const [row] = await db.select({ isForLife: users.hasLifetimeSessions }).from(users).where(eq(users.id, id));
  return row?.isForLife ?? null;
}

// WeChat identities

export type Identity = { provider: Provider; openid: string; unionid: string | null };

/** Returns the user with that openid; null when the openid is unknown. */
export async function selectUserByOpenid(db: Db, provider: Provider, openid: string): Promise<number | null> {
  const [row] = await db
    .select({ userId: userIdentities.userId })
    .from(userIdentities)
    .where(and(eq(userIdentities.provider, provider), eq(userIdentities.openid, openid)));
  return row?.userId ?? null;
}

/** Returns the user who has been known longest under that unionid, by either kind of login. */
export async function selectUserByUnionid(db: Db, unionid: string): Promise<number | null> {
  const [row] = await db
    .select({ userId: userIdentities.userId })
    .from(userIdentities)
    .where(eq(userIdentities.unionid, unionid))
    .orderBy(userIdentities.createdAt)
    .limit(1);
  return row?.userId ?? null;
}

/** Prepared, because every page of a member runs this query. */
const PROFILE = preparedOnce((db) =>
  db
    .select({
      nickname: users.nickname,
      avatar: users.avatar,
      phoneSealed: users.phoneSealed,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      openid: sql<string | null>`(select ${userIdentities.openid} from ${userIdentities}
        where ${userIdentities.userId} = ${sql.placeholder('userId')}
        order by ${userIdentities.createdAt}, ${userIdentities.provider} limit 1)`,
    })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('profile_of_user'),
);

/** Returns what a user sees of their own account, with the openid they first came with; null when the user is gone. */
export async function selectProfile(db: Db, userId: number) {
  const [row] = await PROFILE(db).execute({ userId });
  return row ?? null;
}

/** Returns the openid with which a user first logged in; null when they never used WeChat. */
export async function selectOpenid(db: Db, userId: number): Promise<string | null> {
  const [row] = await db
    .select({ openid: userIdentities.openid })
    .from(userIdentities)
    .where(eq(userIdentities.userId, userId))
    .orderBy(userIdentities.createdAt, userIdentities.provider)
    .limit(1);
  return row?.openid ?? null;
}

export function selectIdentities(db: Db, userId: number) {
  return db.select().from(userIdentities).where(eq(userIdentities.userId, userId)).limit(100);
}

/** Inserts the identity. An identity that is known without a unionid gets it. */
export const upsertIdentity = (db: Db, identity: Identity, userId: number, at: Date) =>
  db
    .insert(userIdentities)
    .values({ ...identity, userId, createdAt: at })
    .onConflictDoUpdate({
      target: [userIdentities.provider, userIdentities.openid],
      set: { unionid: sql`coalesce(${userIdentities.unionid}, excluded.unionid)` },
    });

export const deleteIdentities = (db: Db, userId: number) =>
  db.delete(userIdentities).where(eq(userIdentities.userId, userId));

/** Locks an identity until the transaction ends, so that one request at a time decides whose it is. */
export const lockIdentity = (db: Db, key: string) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`identity:${key}`}, 0))`);

// Phones that an older release stored in the clear

/** Returns one encrypted phone of any user, which shows the key in use; null when there is none. */
export async function selectSealedPhone(db: Db): Promise<Buffer | null> {
  const [row] = await db
    .select({ phoneSealed: users.phoneSealed })
    .from(users)
    .where(isNotNull(users.phoneIndex))
    .limit(1);
  return row?.phoneSealed ?? null;
}

/**
 * Locks and returns rows with a phone in the clear; skips rows that another node has locked. The column is not declared
 * in tables.ts: only this migration step knows it.
 */
export const lockPlainPhones = (db: Db, limit: number) =>
  rowsOf<{ id: number; phone: string }>(
    db,
    sql`select id, phone from users where phone is not null order by id limit ${limit} for update skip locked`,
  );

export const updatePlainPhone = (db: Db, id: number, { phoneSealed, phoneIndex }: StoredPhone) =>
  db.execute(
    sql`update users set phone_sealed = ${phoneSealed}, phone_index = ${phoneIndex}, phone = null where id = ${id}`,
  );
