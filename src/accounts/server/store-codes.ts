import { and, desc, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { SMS_CODE_TRIES, type CodePurpose } from '../rules.ts';
import { smsCodes } from './tables.ts';

/** First numbers of the two advisory locks below: nothing else may use them. */
const PHONE_LOCK = 7_021_010;
const ADDRESS_LOCK = 7_021_011;

/** Requests about one phone, and those from one address, come one after another until the transaction ends. */
export async function lockSending(db: Db, phoneIndex: Buffer, ipIndex: Buffer): Promise<void> {
  // Always the phone first: two requests never hold what the other waits for.
  await db.execute(sql`select pg_advisory_xact_lock(${PHONE_LOCK}, ${phoneIndex.readInt32BE(0)})`);
  await db.execute(sql`select pg_advisory_xact_lock(${ADDRESS_LOCK}, ${ipIndex.readInt32BE(0)})`);
}

/** Epoch milliseconds of the newest messages to a phone, or from an address, since `since`. */
export async function listSendings(
  db: Db,
  by: { phoneIndex: Buffer } | { ipIndex: Buffer },
  since: Date,
  limit: number,
): Promise<number[]> {
  const isBy = 'phoneIndex' in by ? eq(smsCodes.phoneIndex, by.phoneIndex) : eq(smsCodes.ipIndex, by.ipIndex);
  const rows = await db
    .select({ at: smsCodes.createdAt })
    .from(smsCodes)
    .where(and(isBy, gt(smsCodes.createdAt, since)))
    .orderBy(desc(smsCodes.createdAt))
    .limit(limit);
  return rows.map((row) => row.at.getTime());
}

export type NewCode = {
  phoneIndex: Buffer;
  ipIndex: Buffer;
  purpose: '' | CodePurpose;
  codeHash: string;
  createdAt: Date;
};

export async function insertCode(db: Db, code: NewCode): Promise<number> {
  const [row] = await db.insert(smsCodes).values(code).returning({ id: smsCodes.id });
  if (!row) throw new Error('the new code was not returned');
  return row.id;
}

export const setCodeState = (db: Db, id: number, state: 'sent' | 'unknown' | 'refused') =>
  db.update(smsCodes).set({ state }).where(eq(smsCodes.id, id));

/**
 * Counts one try at the newest code of a phone that serves the purpose: its hash, or null when there is none asked for
 * since `since`, or it is used up. The count stands before anybody compares, so that parallel guesses get no extra try.
 */
export async function tryCode(db: Db, phoneIndex: Buffer, purpose: CodePurpose, since: Date) {
  const newest = db
    .select({ id: smsCodes.id })
    .from(smsCodes)
    .where(
      and(
        eq(smsCodes.phoneIndex, phoneIndex),
        inArray(smsCodes.purpose, ['', purpose]),
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

/** True for the one caller that uses the code up. */
export async function useCode(db: Db, id: number, at: Date): Promise<boolean> {
  const used = await db
    .update(smsCodes)
    .set({ usedAt: at })
    .where(and(eq(smsCodes.id, id), isNull(smsCodes.usedAt)))
    .returning({ id: smsCodes.id });
  return used.length > 0;
}

export const deleteOldCodes = (db: Db, before: Date) => db.delete(smsCodes).where(lt(smsCodes.createdAt, before));

export const deleteCodesOf = (db: Db, phoneIndex: Buffer) =>
  db.delete(smsCodes).where(eq(smsCodes.phoneIndex, phoneIndex));
