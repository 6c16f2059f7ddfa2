import { and, count, desc, eq, isNull, sql, type Placeholder } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '../../accounts/server/tables.ts';
import { documents, files } from '../../library/server/tables.ts';
import { DUPLICATE_KEY, isSqlState, preparedOnce, rowsOf, type Db } from '../../platform/db/client.ts';
import { NO_MEMBERSHIP, tierAt, type Clocks, type Standing } from '../rules.ts';
import { coinAccounts, entitlements, memberReads, membershipGrants, memberships, quotaUses } from './tables.ts';

/**
 * The Shanghai day (2026-11-21) and month (2026-11) of an instant, computed by PostgreSQL. The instant is the caller's
 * `ctx.clock`, never `now()`, so that every statement of one download falls into the same period.
 */
export const dayOf = (at: Instant) =>
  sql`to_char(${textOf(at)}::timestamptz at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`;
export const monthOf = (at: Instant) =>
  sql`to_char(${textOf(at)}::timestamptz at time zone 'Asia/Shanghai', 'YYYY-MM')`;

/** A placeholder stands for the text of the instant (ISO 8601) in a prepared query. */
type Instant = Date | Placeholder;
const textOf = (at: Instant) => (at instanceof Date ? at.toISOString() : at);
const AT = sql.placeholder('at');
const USER_ID = sql.placeholder('userId');

const today = alias(quotaUses, 'today');
const month = alias(quotaUses, 'month');
const monthReads = alias(quotaUses, 'month_reads');

const STANDING = {
  standardEndAt: memberships.standardEndAt,
  advancedEndAt: memberships.advancedEndAt,
  balance: sql<number>`coalesce(${coinAccounts.balance}, 0)`,
  todayUsed: sql<number>`coalesce(${today.used}, 0)`,
  monthUsed: sql<number>`coalesce(${month.used}, 0)`,
};

/** How many documents were read in full in the month. */
const READS = sql<number>`coalesce(${monthReads.used}, 0)`;

const isToday = (at: Instant) =>
  and(eq(today.userId, users.id), eq(today.kind, 'coupon-day'), eq(today.period, dayOf(at)));
const isMonth = (at: Instant) =>
  and(eq(month.userId, users.id), eq(month.kind, 'download-month'), eq(month.period, monthOf(at)));

const isMonthOfReads = (at: Instant) =>
  and(eq(monthReads.userId, users.id), eq(monthReads.kind, 'read-month'), eq(monthReads.period, monthOf(at)));

/** Returns the two clocks of a user; both null for a user who never was a member. */
export async function selectClocks(db: Db, userId: number): Promise<Clocks> {
  const [row] = await CLOCKS(db).execute({ userId });
  return row ?? NO_MEMBERSHIP;
}

const CLOCKS = preparedOnce((db) =>
  db
    .select({ standardEndAt: memberships.standardEndAt, advancedEndAt: memberships.advancedEndAt })
    .from(memberships)
    .where(eq(memberships.userId, USER_ID))
    .prepare('clocks_of_user'),
);

/**
 * Returns the clocks, coins and coupons of a user at an instant, and as `reads` the number of documents that the user
 * has read in full in its month; null when there is no such user.
 */
export async function selectStanding(
  db: Db,
  userId: number,
  at: Date,
): Promise<(Clocks & Standing & { reads: number }) | null> {
  const [row] = await STANDING_OF_USER(db).execute({ userId, at: at.toISOString() });
  return row ? { ...row, tier: tierAt(row, at.getTime()) } : null;
}

const STANDING_OF_USER = preparedOnce((db) =>
  db
    .select({ ...STANDING, reads: READS })
    .from(users)
    .leftJoin(memberships, eq(memberships.userId, users.id))
    .leftJoin(coinAccounts, eq(coinAccounts.userId, users.id))
    .leftJoin(today, isToday(AT))
    .leftJoin(month, isMonth(AT))
    .leftJoin(monthReads, isMonthOfReads(AT))
    .where(eq(users.id, USER_ID))
    .prepare('standing_of_user'),
);

type MemberRead = { userId: number; documentId: number; at: Date };

/** Returns whether a read of this document is counted in the month of `at`. */
export async function hasMemberRead(db: Db, { userId, documentId, at }: MemberRead): Promise<boolean> {
  const rows = await MEMBER_READ(db).execute({ userId, documentId, at: at.toISOString() });
  return rows.length > 0;
}

const MEMBER_READ = preparedOnce((db) =>
  db
    .select({ documentId: memberReads.documentId })
    .from(memberReads)
    .where(
      and(
        eq(memberReads.userId, USER_ID),
        eq(memberReads.documentId, sql.placeholder('documentId')),
        eq(memberReads.month, monthOf(AT)),
      ),
    )
    .prepare('member_read'),
);

/**
 * Counts a read in the month of `at`, all or nothing in one statement: the quota rises by one and the document is
 * recorded. Returns `used-up` when the count would exceed `max`, and `lost` when a concurrent request has counted this
 * document. Never call it inside a transaction: a lost race ends the statement with an error.
 */
export async function insertMemberRead(
  db: Db,
  { userId, documentId, at }: MemberRead,
  max: number,
): Promise<'counted' | 'used-up' | 'lost'> {
  try {
    const rows = await rowsOf(
      db,
      sql`
        with counted as (
          insert into quota_uses (user_id, kind, period, used) values (${userId}, 'read-month', ${monthOf(at)}, 1)
          on conflict (user_id, kind, period) do update set used = quota_uses.used + 1 where quota_uses.used < ${max}
          returning user_id, period
        )
        insert into member_reads (user_id, document_id, month)
        select user_id, ${documentId}, period from counted
        returning document_id`,
    );
    return rows.length > 0 ? 'counted' : 'used-up';
  } catch (error) {
    if (isSqlState(error, DUPLICATE_KEY)) return 'lost';
    throw error;
  }
}

export type DownloadFacts = NonNullable<Awaited<ReturnType<typeof selectDownloadFacts>>>;

/** Returns in one query everything that decides a download; null when there is no such document or user. */
export async function selectDownloadFacts(db: Db, userId: number, documentId: number, at: Date) {
  const [row] = await DOWNLOAD(db).execute({ userId, documentId, at: at.toISOString() });
  if (!row) return null;
  const { document, file, ...standing } = row;
  return { document, file, standing: { ...standing, tier: tierAt(standing, at.getTime()) } };
}

const DOWNLOAD = preparedOnce((db) =>
  db
    .select({
      document: {
        id: documents.id,
        name: documents.name,
        priceCoins: documents.priceCoins,
        state: documents.state,
        hiddenReason: documents.hiddenReason,
        isOwned: sql<boolean>`${entitlements.userId} is not null`,
      },
      file: {
        id: files.id,
        sha256: files.sha256,
        fileType: files.fileType,
        sizeBytes: files.sizeBytes,
        flags: files.flags,
        damagedAt: files.damagedAt,
      },
      ...STANDING,
      reads: READS,
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .innerJoin(users, eq(users.id, USER_ID))
    .leftJoin(entitlements, and(eq(entitlements.documentId, documents.id), eq(entitlements.userId, users.id)))
    .leftJoin(memberships, eq(memberships.userId, users.id))
    .leftJoin(coinAccounts, eq(coinAccounts.userId, users.id))
    .leftJoin(today, isToday(AT))
    .leftJoin(month, isMonth(AT))
    .leftJoin(monthReads, isMonthOfReads(AT))
    .where(eq(documents.id, sql.placeholder('documentId')))
    .prepare('download_facts'),
);

/** Returns the file that a signed link leads to, in any state of its document. */
export async function selectLinkedFile(db: Db, documentId: number, fileId: number) {
  const [row] = await db
    .select({
      id: files.id,
      documentId: documents.id,
      name: documents.name,
      state: documents.state,
      hiddenReason: documents.hiddenReason,
      sha256: files.sha256,
      fileType: files.fileType,
      sizeBytes: files.sizeBytes,
      flags: files.flags,
      createdAt: files.createdAt,
      damagedAt: files.damagedAt,
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .where(and(eq(documents.id, documentId), eq(files.id, fileId)));
  return row ?? null;
}

/** Returns what a user's entitlement was paid with; null when there is none. */
export async function selectEntitlement(db: Db, userId: number, documentId: number) {
  const [row] = await ENTITLEMENT(db).execute({ userId, documentId });
  return row ?? null;
}

const ENTITLEMENT = preparedOnce((db) =>
  db
    .select({ method: entitlements.method, coins: entitlements.coins, createdAt: entitlements.createdAt })
    .from(entitlements)
    .where(and(eq(entitlements.userId, USER_ID), eq(entitlements.documentId, sql.placeholder('documentId'))))
    .prepare('entitlement_of_user'),
);

/** Returns the entitlements of a user, the newest first. */
export function selectEntitlements(db: Db, userId: number, page: { limit: number; offset: number }) {
  const { documentId, method, coins, createdAt } = entitlements;
  return db
    .select({ documentId, method, coins, createdAt })
    .from(entitlements)
    .where(eq(entitlements.userId, userId))
    .orderBy(desc(createdAt), desc(documentId))
    .limit(page.limit)
    .offset(page.offset);
}

export async function countEntitlements(db: Db, userId: number): Promise<number> {
  const [row] = await db.select({ total: count() }).from(entitlements).where(eq(entitlements.userId, userId));
  return row?.total ?? 0;
}

/** Returns which of the documents a user has an entitlement for. */
export async function selectEntitledDocuments(db: Db, userId: number, documentIds: number[]): Promise<number[]> {
  const rows = await ENTITLED(db).execute({ userId, documentIds });
  return rows.map((row) => row.documentId);
}

// One array instead of a parameter for each document keeps the text of the query constant.
const ENTITLED = preparedOnce((db) =>
  db
    .select({ documentId: entitlements.documentId })
    .from(entitlements)
    .where(
      and(
        eq(entitlements.userId, USER_ID),
        sql`${entitlements.documentId} = any(${sql.placeholder('documentIds')}::bigint[])`,
      ),
    )
    .prepare('entitled_documents'),
);

// Membership

export type NewGrant = {
  userId: number;
  tier: 1 | 2;
  days: number;
  kind: 'operator' | 'order';
  ref: string;
  reason: string;
};

/** Inserts a grant. Returns false when (kind, ref) was granted before, to any user. */
export async function insertGrant(db: Db, grant: NewGrant, at: Date): Promise<boolean> {
  const made = await db
    .insert(membershipGrants)
    .values({ ...grant, createdAt: at })
    .onConflictDoNothing()
    .returning({ id: membershipGrants.id });
  return made.length > 0;
}

export async function selectGrant(db: Db, kind: NewGrant['kind'], ref: string) {
  const [row] = await db
    .select({ userId: membershipGrants.userId, tier: membershipGrants.tier, days: membershipGrants.days })
    .from(membershipGrants)
    .where(and(eq(membershipGrants.kind, kind), eq(membershipGrants.ref, ref)));
  return row ?? null;
}

/** Marks a grant as taken back and returns its user; null when there is none, or it was taken back before. */
export async function updateGrantRevoked(db: Db, { kind, ref }: Pick<NewGrant, 'kind' | 'ref'>, at: Date) {
  const [row] = await db
    .update(membershipGrants)
    .set({ revokedAt: at })
    .where(and(eq(membershipGrants.kind, kind), eq(membershipGrants.ref, ref), isNull(membershipGrants.revokedAt)))
    .returning({ userId: membershipGrants.userId });
  return row?.userId ?? null;
}

/** Returns the grants of a user that count, oldest first. */
export const selectGrants = (db: Db, userId: number) =>
  db
    .select({ tier: membershipGrants.tier, days: membershipGrants.days, createdAt: membershipGrants.createdAt })
    .from(membershipGrants)
    .where(and(eq(membershipGrants.userId, userId), isNull(membershipGrants.revokedAt)))
    .orderBy(membershipGrants.createdAt, membershipGrants.id);

/**
 * Locks and returns the user's clocks until the transaction ends, so that grants of one user come one after another.
 */
export async function lockClocks(db: Db, userId: number): Promise<Clocks> {
  await db.insert(memberships).values({ userId }).onConflictDoNothing();
  const [row] = await db
    .select({ standardEndAt: memberships.standardEndAt, advancedEndAt: memberships.advancedEndAt })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .for('update');
  return row ?? NO_MEMBERSHIP;
}

export const updateClocks = (db: Db, userId: number, clocks: Clocks) =>
  db.update(memberships).set(clocks).where(eq(memberships.userId, userId));
