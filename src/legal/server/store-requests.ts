import { and, asc, count, desc, eq, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { privacyRequests } from './tables.ts';

export type PrivacyRequest = typeof privacyRequests.$inferSelect;

const MAX_ROWS = 500;

export async function insertRequest(db: Db, request: typeof privacyRequests.$inferInsert): Promise<void> {
  await db.insert(privacyRequests).values(request);
}

/** Returns the requests that wait for an answer, the first due first; with `dueUntil` (YYYY-MM-DD) those that are due by that day. */
export function selectOpenRequests(db: Db, dueUntil: string | null): Promise<PrivacyRequest[]> {
  return db
    .select()
    .from(privacyRequests)
    .where(
      and(isNull(privacyRequests.answeredAt), dueUntil === null ? undefined : lte(privacyRequests.dueOn, dueUntil)),
    )
    .orderBy(asc(privacyRequests.dueOn), asc(privacyRequests.id))
    .limit(MAX_ROWS);
}

/** Counts the requests that wait for an answer: all, those due by `dueUntil`, and those due before `today` (YYYY-MM-DD). */
export async function countOpenRequests(
  db: Db,
  { dueUntil, today }: { dueUntil: string; today: string },
): Promise<{ open: number; due: number; overdue: number }> {
  const [row] = await db
    .select({
      open: count(),
      due: sql<number>`count(*) filter (where ${lte(privacyRequests.dueOn, dueUntil)})`,
      overdue: sql<number>`count(*) filter (where ${lt(privacyRequests.dueOn, today)})`,
    })
    .from(privacyRequests)
    .where(isNull(privacyRequests.answeredAt));
  return row ?? { open: 0, due: 0, overdue: 0 };
}

/** Counts the requests in every state. */
export async function countAllRequests(db: Db): Promise<number> {
  const [row] = await db.select({ total: count() }).from(privacyRequests);
  return row?.total ?? 0;
}

/** Returns the latest requests in every state, oldest first. */
export async function selectLatestRequests(db: Db): Promise<PrivacyRequest[]> {
  const rows = await db.select().from(privacyRequests).orderBy(desc(privacyRequests.id)).limit(MAX_ROWS);
  return rows.toReversed();
}

export async function selectRequest(db: Db, receiptNo: string): Promise<PrivacyRequest | null> {
  const [row] = await db.select().from(privacyRequests).where(eq(privacyRequests.receiptNo, receiptNo));
  return row ?? null;
}

/** Writes the answer of an open request; false when there is none of that number. */
export async function updateAnswer(
  db: Db,
  receiptNo: string,
  answer: { answer: string; answeredAt: Date },
): Promise<boolean> {
  const rows = await db
    .update(privacyRequests)
    .set(answer)
    .where(and(eq(privacyRequests.receiptNo, receiptNo), isNull(privacyRequests.answeredAt)))
    .returning({ id: privacyRequests.id });
  return rows.length > 0;
}

/** Deletes requests that were answered before `answeredBefore`; returns how many. */
export async function deleteAnsweredRequests(db: Db, answeredBefore: Date): Promise<number> {
  const rows = await db
    .delete(privacyRequests)
    .where(lt(privacyRequests.answeredAt, answeredBefore))
    .returning({ id: privacyRequests.id });
  return rows.length;
}

/** Removes the hashes of addresses that no limit needs any more. */
export async function clearRequestAddresses(db: Db, before: Date): Promise<void> {
  await db
    .update(privacyRequests)
    .set({ addressIndex: null, networkIndex: null })
    .where(and(isNotNull(privacyRequests.addressIndex), lt(privacyRequests.receivedAt, before)));
}

export const selectRequestsOf = (db: Db, userId: number): Promise<PrivacyRequest[]> =>
  db.select().from(privacyRequests).where(eq(privacyRequests.userId, userId)).orderBy(asc(privacyRequests.id));

/** Deletes the answered requests of a user. Those that wait stay without the user: the answer is still owed. */
export async function forgetUser(db: Db, userId: number): Promise<void> {
  await db
    .delete(privacyRequests)
    .where(and(eq(privacyRequests.userId, userId), isNotNull(privacyRequests.answeredAt)));
  await db.update(privacyRequests).set({ userId: null }).where(eq(privacyRequests.userId, userId));
}
