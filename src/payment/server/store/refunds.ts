import { and, arrayContains, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import { hasOpenJob } from '../../../platform/jobs/jobs.ts';
import { orderRefunds, orders, type Order, type Refund } from '../tables.ts';

/** Inserts the refund of an order. Returns false when it has one already. */
export async function insertRefund(
  db: Db,
  refund: Pick<Refund, 'orderId' | 'refundNo' | 'amountFen' | 'reason' | 'note' | 'createdAt'> &
    Partial<Pick<Refund, 'state' | 'finishedAt' | 'isPaidElsewhere' | 'keepsGoods'>>,
): Promise<boolean> {
  const rows = await db.insert(orderRefunds).values(refund).onConflictDoNothing().returning({ id: orderRefunds.id });
  return rows.length > 0;
}

export const selectRefund = (db: Db, refundNo: string) => selectOne(db, eq(orderRefunds.refundNo, refundNo));

/** Returns the refund that has this number, or had it before WeChat Pay closed it; null when there is none. */
export const selectRefundOnceNumbered = (db: Db, refundNo: string) =>
  selectOne(db, or(eq(orderRefunds.refundNo, refundNo), arrayContains(orderRefunds.closedNumbers, [refundNo])));

async function selectOne(db: Db, condition: SQL | undefined): Promise<(Refund & { order: Order }) | null> {
  const [row] = await selectWithOrders(db, condition);
  return row ?? null;
}

export async function selectRefundOf(db: Db, orderId: number): Promise<Refund | null> {
  const [row] = await db.select().from(orderRefunds).where(eq(orderRefunds.orderId, orderId));
  return row ?? null;
}

/** Returns the refunds of these orders by the id of the order. */
export async function selectRefundsOf(db: Db, orderIds: number[]): Promise<Map<number, Refund>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db.select().from(orderRefunds).where(inArray(orderRefunds.orderId, orderIds));
  return new Map(rows.map((row) => [row.orderId, row]));
}

/** Moves a refund that is not finished; false when another has finished it. */
export async function updateRefund(
  db: Db,
  id: number,
  to: Partial<
    Pick<
      Refund,
      | 'refundNo'
      | 'state'
      | 'failure'
      | 'finishedAt'
      | 'closedNumbers'
      | 'note'
      | 'isPaidElsewhere'
      | 'askedAt'
      | 'slowAt'
    >
  >,
): Promise<boolean> {
  const rows = await db
    .update(orderRefunds)
    .set(to)
    .where(and(eq(orderRefunds.id, id), ne(orderRefunds.state, 'succeeded')))
    .returning({ id: orderRefunds.id });
  return rows.length > 0;
}

/** Returns the numbers of unfinished refunds that no job will look at any more. */
export async function selectForgottenRefunds(db: Db): Promise<string[]> {
  const rows = await rowsOf<{ refund_no: string }>(
    db,
    sql`select refund_no from order_refunds where state in ('asked', 'processing')
      and not ${hasOpenJob(sql`'payment-refund ' || refund_no`)} order by id limit 500`,
  );
  return rows.map((row) => row.refund_no);
}

/** Refunds that were asked for before `before`, and that the provider has not finished. */
const isSlow = (before: Date) =>
  and(
    inArray(orderRefunds.state, ['asked', 'processing']),
    sql`coalesce(${orderRefunds.askedAt}, ${orderRefunds.createdAt}) < ${before.toISOString()}::timestamptz`,
  );

/** Marks slow refunds and returns the numbers of their orders: each refund once, until it is sent again. */
export async function updateSlow(db: Db, before: Date, at: Date): Promise<string[]> {
  const marked = await db
    .update(orderRefunds)
    .set({ slowAt: at })
    .where(and(isSlow(before), isNull(orderRefunds.slowAt)))
    .returning({ orderId: orderRefunds.orderId });
  const ids = marked.map(({ orderId }) => orderId);
  if (ids.length === 0) return [];
  const rows = await db
    .select({ no: orders.outTradeNo })
    .from(orders)
    .where(inArray(orders.id, ids))
    .orderBy(orders.id);
  return rows.map(({ no }) => no);
}

export const selectRefundsIn = (db: Db, states: Refund['state'][]) =>
  selectWithOrders(db, inArray(orderRefunds.state, states));
export const selectSlowRefunds = (db: Db, before: Date) => selectWithOrders(db, isSlow(before));

async function selectWithOrders(db: Db, condition: SQL | undefined): Promise<(Refund & { order: Order })[]> {
  const rows = await db
    .select({ refund: orderRefunds, order: orders })
    .from(orderRefunds)
    .innerJoin(orders, eq(orders.id, orderRefunds.orderId))
    .where(condition)
    .orderBy(orderRefunds.id)
    .limit(500);
  return rows.map(({ refund, order }) => ({ ...refund, order }));
}
