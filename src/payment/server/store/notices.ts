import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/db/client.ts';
import type { Channel } from '../../ports.ts';
import { orders, paymentDifferences, paymentNotices, paymentRefusals } from '../tables.ts';

type Notice = Pick<
  typeof paymentNotices.$inferSelect,
  'channel' | 'eventId' | 'kind' | 'outTradeNo' | 'sha256' | 'receivedAt'
> & { body: Buffer | null };

/**
 * Puts a notification into the inbox and locks its row: repetitions that come at once wait for each other here. `isNew`
 * is false for one that was applied before, `isFirst` for every repetition.
 */
export async function upsertNotice(db: Db, notice: Notice): Promise<{ id: number; isNew: boolean; isFirst: boolean }> {
  const [row] = await db
    .insert(paymentNotices)
    .values(notice)
    .onConflictDoUpdate({
      target: [paymentNotices.channel, paymentNotices.eventId],
      set: { deliveries: sql`${paymentNotices.deliveries} + 1` },
    })
    .returning({
      id: paymentNotices.id,
      appliedAt: paymentNotices.appliedAt,
      deliveries: paymentNotices.deliveries,
    });
  if (!row) throw new Error('an insert returned no row');
  return { id: row.id, isNew: row.appliedAt === null, isFirst: row.deliveries === 1 };
}

/** Counts a repetition of a notification that was applied before, in one statement. Returns false when it was not. */
export async function countRepetition(db: Db, channel: Channel, eventId: string): Promise<boolean> {
  const rows = await db
    .update(paymentNotices)
    .set({ deliveries: sql`${paymentNotices.deliveries} + 1` })
    .where(
      and(
        eq(paymentNotices.channel, channel),
        eq(paymentNotices.eventId, eventId),
        sql`${paymentNotices.appliedAt} is not null`,
      ),
    )
    .returning({ id: paymentNotices.id });
  return rows.length > 0;
}

export async function updateNotice(db: Db, id: number, outcome: string, appliedAt: Date | null): Promise<void> {
  await db.update(paymentNotices).set({ outcome, appliedAt }).where(eq(paymentNotices.id, id));
}

export const selectNoticesOf = (db: Db, outTradeNo: string) =>
  db
    .select({
      eventId: paymentNotices.eventId,
      kind: paymentNotices.kind,
      outcome: paymentNotices.outcome,
      deliveries: paymentNotices.deliveries,
      receivedAt: paymentNotices.receivedAt,
    })
    .from(paymentNotices)
    .where(eq(paymentNotices.outTradeNo, outTradeNo))
    .orderBy(paymentNotices.id)
    .limit(200);

/** Counts a request that was not the provider's, on its Shanghai day. */
export async function countRefusals(
  db: Db,
  channel: Channel,
  day: string,
  reason: string,
  times: number,
): Promise<void> {
  await db
    .insert(paymentRefusals)
    .values({ channel, day, reason: reason.slice(0, 100), count: times })
    .onConflictDoUpdate({
      target: [paymentRefusals.channel, paymentRefusals.day, paymentRefusals.reason],
      set: { count: sql`${paymentRefusals.count} + ${times}` },
    });
}

/** Records what the operator has to look at; the same case again changes nothing. */
export async function insertDifference(
  db: Db,
  difference: Pick<typeof paymentDifferences.$inferSelect, 'channel' | 'outTradeNo' | 'kind' | 'detail' | 'foundAt'>,
): Promise<boolean> {
  const rows = await db
    .insert(paymentDifferences)
    .values({ ...difference, outTradeNo: difference.outTradeNo.slice(0, 64), detail: difference.detail.slice(0, 300) })
    .onConflictDoNothing()
    .returning({ id: paymentDifferences.id });
  return rows.length > 0;
}

export const selectOpenDifferences = (db: Db) =>
  db
    .select()
    .from(paymentDifferences)
    .where(isNull(paymentDifferences.resolvedAt))
    .orderBy(desc(paymentDifferences.id))
    .limit(500);

/** Returns whether a number has an open case of this kind. */
export async function hasOpenDifference(db: Db, outTradeNo: string, kind: string): Promise<boolean> {
  const rows = await db
    .select({ id: paymentDifferences.id })
    .from(paymentDifferences)
    .where(
      and(
        eq(paymentDifferences.outTradeNo, outTradeNo),
        eq(paymentDifferences.kind, kind),
        isNull(paymentDifferences.resolvedAt),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Closes the cases of a number, all or those of one kind; returns how many were open. */
export async function updateDifferencesResolved(
  db: Db,
  outTradeNo: string,
  note: string,
  at: Date,
  kind?: string,
): Promise<number> {
  const rows = await db
    .update(paymentDifferences)
    .set({ resolvedAt: at, note })
    .where(
      and(
        eq(paymentDifferences.outTradeNo, outTradeNo),
        isNull(paymentDifferences.resolvedAt),
        kind === undefined ? undefined : eq(paymentDifferences.kind, kind),
      ),
    )
    .returning({ id: paymentDifferences.id });
  return rows.length;
}

/** Genuine notifications of payments for numbers that are not ours. */
export const selectUnappliedNotices = (db: Db) =>
  db
    .select({
      channel: paymentNotices.channel,
      outTradeNo: paymentNotices.outTradeNo,
      outcome: paymentNotices.outcome,
      deliveries: paymentNotices.deliveries,
      receivedAt: paymentNotices.receivedAt,
    })
    .from(paymentNotices)
    .where(isNull(paymentNotices.appliedAt))
    .orderBy(paymentNotices.id)
    .limit(500);

/** Marks waiting notifications for an unknown number as done; returns how many. Their repetition is acknowledged from now on. */
export async function updateNoticesResolved(db: Db, outTradeNo: string, note: string, at: Date): Promise<number> {
  const rows = await db
    .update(paymentNotices)
    .set({ appliedAt: at, outcome: `resolved: ${note}`.slice(0, 200) })
    .where(and(eq(paymentNotices.outTradeNo, outTradeNo), isNull(paymentNotices.appliedAt)))
    .returning({ id: paymentNotices.id });
  return rows.length;
}

/** Removes the bytes of old notifications, which name the payer's account. Returns how many. */
export async function clearOldBodies(db: Db, before: Date): Promise<number> {
  const rows = await db
    .update(paymentNotices)
    .set({ body: null })
    .where(and(lt(paymentNotices.receivedAt, before), sql`${paymentNotices.body} is not null`))
    .returning({ id: paymentNotices.id });
  return rows.length;
}

/** Removes the bytes of the notifications about a user's orders, and what led to the orders. */
export async function clearPersonalData(db: Db, userId: number): Promise<void> {
  const numbers = db.select({ no: orders.outTradeNo }).from(orders).where(eq(orders.userId, userId));
  await db
    .update(paymentNotices)
    .set({ body: null })
    .where(sql`${paymentNotices.outTradeNo} in (${numbers})`);
  await db.update(orders).set({ documentId: null }).where(eq(orders.userId, userId));
}
