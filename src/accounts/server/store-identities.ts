import { and, eq, sql } from 'drizzle-orm';
import { preparedOnce, type Db } from '../../platform/db/client.ts';
import { userIdentities, users, type Provider } from './tables.ts';

export type Identity = { provider: Provider; openid: string; unionid: string | null };

/** The user of that openid; null when it was never seen. */
export async function findUserOfOpenid(db: Db, provider: Provider, openid: string): Promise<number | null> {
  const [row] = await db
    .select({ userId: userIdentities.userId })
    .from(userIdentities)
    .where(and(eq(userIdentities.provider, provider), eq(userIdentities.openid, openid)));
  return row?.userId ?? null;
}

/** The oldest user known under that unionid, whichever way they came in. */
export async function findUserOfUnionid(db: Db, unionid: string): Promise<number | null> {
  const [row] = await db
    .select({ userId: userIdentities.userId })
    .from(userIdentities)
    .where(eq(userIdentities.unionid, unionid))
    .orderBy(userIdentities.createdAt)
    .limit(1);
  return row?.userId ?? null;
}

/** A user's row with the openid they first came with: asked at every page of a member. */
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
export async function findProfile(db: Db, userId: number) {
  const [row] = await PROFILE(db).execute({ userId });
  return row ?? null;
}

/** The openid a user first came with; null when they never came by WeChat. */
export async function findOpenid(db: Db, userId: number): Promise<string | null> {
  const [row] = await db
    .select({ openid: userIdentities.openid })
    .from(userIdentities)
    .where(eq(userIdentities.userId, userId))
    .orderBy(userIdentities.createdAt, userIdentities.provider)
    .limit(1);
  return row?.openid ?? null;
}

export function listIdentities(db: Db, userId: number) {
  return db.select().from(userIdentities).where(eq(userIdentities.userId, userId)).limit(100);
}

/** Adds the identity, or only its unionid to one that is known without. */
export const keepIdentity = (db: Db, identity: Identity, userId: number, at: Date) =>
  db
    .insert(userIdentities)
    .values({ ...identity, userId, createdAt: at })
    .onConflictDoUpdate({
      target: [userIdentities.provider, userIdentities.openid],
      set: { unionid: sql`coalesce(${userIdentities.unionid}, excluded.unionid)` },
    });

export const deleteIdentities = (db: Db, userId: number) =>
  db.delete(userIdentities).where(eq(userIdentities.userId, userId));

/** Until the transaction ends, nobody else decides who this person is. */
export const lockPerson = (db: Db, key: string) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`identity:${key}`}, 0))`);
