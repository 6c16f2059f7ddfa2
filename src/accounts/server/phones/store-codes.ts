import { and, desc, eq, gt, inArray, isNull, lt, ne, sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import { SMS_CODE_TRIES, STRICT_PURPOSES, type CodePurpose } from '../../rules.ts';
import { smsCodes } from '../tables.ts';

/** First keys of the advisory locks below: nothing else may use them. */
const PHONE_LOCK = 7_021_010;
const ADDRESS_LOCK = 7_021_011;
const SITE_LOCK = 7_021_012;

/**
 * Serialises requests for one phone, then those from one address, then all of the site, until the transaction ends. The
 * transaction is short, and a request that a limit refuses never takes the locks.
 */
export async function lockSending(db: Db, phoneIndex: Buffer, ipIndex: Buffer): Promise<void> {
  // Always in this order: two requests never hold the lock that the other waits for.
  await db.execute(sql`select pg_advisory_xact_lock(${PHONE_LOCK}, ${phoneIndex.readInt32BE(0)})`);
  await db.execute(sql`select pg_advisory_xact_lock(${ADDRESS_LOCK}, ${ipIndex.readInt32BE(0)})`);
  await db.execute(sql`select pg_advisory_xact_lock(${SITE_LOCK}, 0)`);
}

/** Returns the epoch milliseconds of all messages to a phone that are still kept, newest first. */
export async function selectSendTimes(db: Db, phoneIndex: Buffer): Promise<number[]> {
  const rows = await db
    .select({ at: smsCodes.createdAt })
    .from(smsCodes)
    .where(eq(smsCodes.phoneIndex, phoneIndex))
    .orderBy(desc(smsCodes.createdAt));
  return rows.map((row) => row.at.getTime());
}

type RecentSends = { phone: number[]; address: number[]; network: number[]; site: number };

/**
 * Returns in one round trip what the limits are decided by: epoch milliseconds of the newest messages since `since` to
 * the phone, from the address and from its network, at most `limit` each; and how many messages the whole site has sent
 * since `siteSince`.
 */
export async function selectRecentSends(
  db: Db,
  by: { phoneIndex: Buffer; ipIndex: Buffer; networkIndex: Buffer | null },
  ask: { since: Date; siteSince: Date; limit: number },
): Promise<RecentSends> {
  const newest = (isBy: SQL) => sql`array(
    select (extract(epoch from created_at) * 1000)::float8 from sms_codes
    where ${isBy} and created_at > ${ask.since.toISOString()}::timestamptz
    order by created_at desc limit ${ask.limit}
  )`;
  const [row] = await rowsOf<RecentSends>(
    db,
    sql`select
      ${newest(sql`phone_index = ${by.phoneIndex}`)} as phone,
      ${newest(sql`ip_index = ${by.ipIndex}`)} as address,
      ${newest(sql`network_index = ${by.networkIndex}`)} as network,
      (select count(*)::int from sms_codes where created_at > ${ask.siteSince.toISOString()}::timestamptz) as site`,
  );
  if (!row) throw new Error('the messages could not be counted');
  return row;
}

/**
 * Returns when the site sent the `count`-th newest of its messages, in epoch milliseconds; null when there are fewer.
 */
export async function selectSiteSendTime(db: Db, count: number): Promise<number | null> {
  const [row] = await db
    .select({ at: smsCodes.createdAt })
    .from(smsCodes)
    .orderBy(desc(smsCodes.createdAt))
    .offset(count - 1)
    .limit(1);
  return row?.at.getTime() ?? null;
}

export async function countSends(db: Db, since: Date): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(smsCodes)
    .where(gt(smsCodes.createdAt, since));
  return row?.count ?? 0;
}

type NewCode = {
  phoneIndex: Buffer;
  ipIndex: Buffer;
  networkIndex: Buffer | null;
  purpose: '' | 'notice' | CodePurpose;
  codeHash: string;
  createdAt: Date;
};

export async function insertCode(db: Db, code: NewCode): Promise<number> {
  const [row] = await db.insert(smsCodes).values(code).returning({ id: smsCodes.id });
  if (!row) throw new Error('the new code was not returned');
  return row.id;
}

export const updateCodeState = (db: Db, id: number, state: 'sent' | 'unknown' | 'refused') =>
  db.update(smsCodes).set({ state }).where(eq(smsCodes.id, id));

/**
 * Counts one try at the newest code of a phone that serves the purpose, and returns its hash. Null when no code was
 * requested since `since`, or its tries are used up. The try is counted before the codes are compared, so that parallel
 * guesses get no extra try.
 */
export async function updateCodeTries(db: Db, phoneIndex: Buffer, purpose: CodePurpose, since: Date) {
  const newest = db
    .select({ id: smsCodes.id })
    .from(smsCodes)
    .where(
      and(
        eq(smsCodes.phoneIndex, phoneIndex),
        inArray(smsCodes.purpose, STRICT_PURPOSES.has(purpose) ? [purpose] : ['', purpose]),
        gt(smsCodes.createdAt, since),
        ne(smsCodes.state, 'refused'),
      ),
    )
    .orderBy(desc(smsCodes.id))
    .limit(1);
  const [row] = await db
    .update(smsCodes)
    .set({ tries: sql`${smsCodes.tries} + 1` })
    .where(and(inArray(smsCodes.id, newest), isNull(smsCodes.usedAt), lt(smsCodes.tries, SMS_CODE_TRIES)))
    .returning({ id: smsCodes.id, codeHash: smsCodes.codeHash });
  return row ?? null;
}

/** Marks a code as used. Returns true for the one caller that used it. */
export async function updateCodeUsed(db: Db, id: number, at: Date): Promise<boolean> {
  const used = await db
    .update(smsCodes)
    .set({ usedAt: at })
    .where(and(eq(smsCodes.id, id), isNull(smsCodes.usedAt)))
    .returning({ id: smsCodes.id });
  return used.length > 0;
}

export const deleteOldCodes = (db: Db, before: Date) => db.delete(smsCodes).where(lt(smsCodes.createdAt, before));

export const deleteCodes = (db: Db, phoneIndex: Buffer) =>
  db.delete(smsCodes).where(eq(smsCodes.phoneIndex, phoneIndex));
