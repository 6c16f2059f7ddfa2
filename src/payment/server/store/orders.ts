import { and, count, desc, eq, exists, gt, inArray, isNull, lt, ne, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '../../../accounts/server/tables.ts';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import { hasOpenJob } from '../../../platform/jobs/jobs.ts';
import { offsetOf, type PageWanted } from '../../../protocol/paging.ts';
import type { Channel, Payment } from '../../ports.ts';
import { isTradeNumber, OPEN, PAID, UNPAID, type OrderStatus } from '../../rules.ts';
import { orderRefunds, orders, type Order } from '../tables.ts';

type NewOrder = Omit<
  typeof orders.$inferInsert,
  'id' | 'status' | 'codeContent' | 'codedAt' | 'askedAt' | 'supersededAt' | 'closedAt'
>;

export async function selectOrder(db: Db, outTradeNo: string): Promise<Order | null> {
  const [row] = await db.select().from(orders).where(eq(orders.outTradeNo, outTradeNo));
  return row ?? null;
}

/** Returns an order that belongs to the user; another user's, and what is no number at all, is as if it did not exist. */
export async function selectOwnOrder(db: Db, userId: number, outTradeNo: string): Promise<Order | null> {
  // Characters that PostgreSQL refuses end here as well.
  if (!isTradeNumber(outTradeNo)) return null;
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.outTradeNo, outTradeNo), eq(orders.userId, userId)));
  return row ?? null;
}

/** Locks and returns an order until the transaction ends; null when there is none. */
export async function lockOrder(db: Db, outTradeNo: string): Promise<Order | null> {
  const [row] = await db.select().from(orders).where(eq(orders.outTradeNo, outTradeNo)).for('update');
  return row ?? null;
}

/**
 * Locks all orders of a user for one item in the order of their ids, so that two of them are never settled at once, and
 * returns them.
 */
export function lockOrdersOfItem(db: Db, userId: number, itemId: number): Promise<Order[]> {
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.itemId, itemId)))
    .orderBy(orders.id)
    .for('update');
}

/**
 * Returns whether the account still exists, and keeps it so until the transaction ends: an erasure waits, or was before. Whatever
 * creates, settles or refunds orders of a user takes this lock first, so that two of them never wait for each other: each of
 * them locks several orders, and a membership for life writes the row of the user.
 */
export async function lockAccount(db: Db, userId: number): Promise<boolean> {
  const [row] = await db.select({ state: users.state }).from(users).where(eq(users.id, userId)).for('no key update');
  return row !== undefined && row.state !== 'erased';
}

/**
 * Returns the newest open order of the same choice that was made after `since`; null when there is none. An order of a membership that is older
 * than what came for the same item is none: a payment of it would be a duplicate, and go back (C-57).
 */
export async function selectReusable(
  db: Db,
  choice: Pick<
    Order,
    'userId' | 'itemId' | 'channel' | 'description' | 'tier' | 'priceFen' | 'coins' | 'days' | 'notifyUrl'
  >,
  since: Date,
): Promise<Order | null> {
  const { userId, itemId, channel, description, tier, priceFen, coins, days, notifyUrl } = choice;
  const other = alias(orders, 'other');
  const fulfilledLater = db
    .select({ id: other.id })
    .from(other)
    .where(
      and(
        eq(other.userId, userId),
        eq(other.itemId, itemId),
        eq(other.status, 'fulfilled'),
        gt(other.fulfilledAt, orders.createdAt),
      ),
    );
  const [row] = await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.userId, userId),
        eq(orders.itemId, itemId),
        eq(orders.channel, channel),
        // A price or a term that has changed since makes another choice of it.
        eq(orders.description, description),
        tier === null ? isNull(orders.tier) : eq(orders.tier, tier),
        eq(orders.priceFen, priceFen),
        eq(orders.coins, coins),
        eq(orders.days, days),
        eq(orders.notifyUrl, notifyUrl),
        inArray(orders.status, OPEN),
        gt(orders.createdAt, since),
        or(ne(orders.kind, 'vip'), notExists(fulfilledLater)),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(1);
  return row ?? null;
}

export async function insertOrder(db: Db, order: NewOrder): Promise<Order> {
  const [row] = await db.insert(orders).values(order).returning();
  if (!row) throw new Error('an insert returned no row');
  return row;
}

/** Marks the user's other open orders as superseded by the chosen one, and the chosen one as not superseded. */
export async function updateSuperseded(db: Db, userId: number, chosenId: number, at: Date): Promise<void> {
  await db
    .update(orders)
    .set({ supersededAt: at })
    .where(
      and(
        eq(orders.userId, userId),
        ne(orders.id, chosenId),
        inArray(orders.status, OPEN),
        isNull(orders.supersededAt),
      ),
    );
  await db.update(orders).set({ supersededAt: null }).where(eq(orders.id, chosenId));
}

/** Stores the content of a QR code, also for an order that has changed state meanwhile. */
export async function updateCode(db: Db, id: number, content: string, at: Date): Promise<void> {
  await db.update(orders).set({ codeContent: content, codedAt: at }).where(eq(orders.id, id));
  await db
    .update(orders)
    .set({ status: 'pending' })
    .where(and(eq(orders.id, id), eq(orders.status, 'created')));
}

/** Returns true for the one caller who may ask the provider about this order now. */
export async function updateAsked(db: Db, id: number, at: Date, notSince: Date): Promise<boolean> {
  const rows = await db
    .update(orders)
    .set({ askedAt: at })
    .where(and(eq(orders.id, id), or(isNull(orders.askedAt), lt(orders.askedAt, notSince))))
    .returning({ id: orders.id });
  return rows.length > 0;
}

export async function updateClosed(db: Db, id: number, at: Date): Promise<boolean> {
  const rows = await db
    .update(orders)
    .set({ status: 'closed', closedAt: at })
    .where(and(eq(orders.id, id), inArray(orders.status, OPEN)))
    .returning({ id: orders.id });
  return rows.length > 0;
}

/** The columns of a payment. */
const paidOf = (payment: Payment) => ({
  transactionId: payment.transactionId,
  paidFen: payment.amountFen,
  paidCurrency: payment.currency.slice(0, 16),
  paidAt: payment.paidAt,
});

/** Takes an order that nothing was paid for along the edge to `fulfilled`, `mismatch` or `refunding`; false when it is not such. */
export async function updatePaid(
  db: Db,
  id: number,
  payment: Payment,
  to: { status: 'fulfilled'; fulfilledAt: Date } | { status: 'mismatch'; mismatch: string } | { status: 'refunding' },
): Promise<boolean> {
  const rows = await db
    .update(orders)
    .set({ ...paidOf(payment), ...to })
    .where(and(eq(orders.id, id), inArray(orders.status, UNPAID)))
    .returning({ id: orders.id });
  return rows.length > 0;
}

/** Takes an order along one edge; false when the order is not where the edge begins. */
export async function updateStatus(
  db: Db,
  id: number,
  from: OrderStatus,
  to: { status: 'fulfilled'; fulfilledAt: Date } | { status: 'refunding' } | { status: 'refunded' },
): Promise<boolean> {
  const rows = await db
    .update(orders)
    .set(to)
    .where(and(eq(orders.id, id), eq(orders.status, from)))
    .returning({ id: orders.id });
  return rows.length > 0;
}

/** Returns the number of another order that this transaction of the provider has paid; null when there is none. */
export async function selectOtherOfTransaction(db: Db, channel: Channel, transactionId: string, outTradeNo: string) {
  const [row] = await db
    .select({ outTradeNo: orders.outTradeNo })
    .from(orders)
    .where(
      and(eq(orders.channel, channel), eq(orders.transactionId, transactionId), ne(orders.outTradeNo, outTradeNo)),
    );
  return row?.outTradeNo ?? null;
}

/** Returns the user's newest order through a channel that was made after `since`; null when there is none. */
export async function selectNewestOrder(
  db: Db,
  wanted: { userId: number; channel: Channel; since: Date; outTradeNo: string | null },
): Promise<Order | null> {
  const [row] = await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.userId, wanted.userId),
        eq(orders.channel, wanted.channel),
        gt(orders.createdAt, wanted.since),
        wanted.outTradeNo === null ? undefined : eq(orders.outTradeNo, wanted.outTradeNo),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(1);
  return row ?? null;
}

/**
 * `paid`: orders that money came for. `all`: every order. `chosen`: these, and the order that can still be paid; not what the buyer
 * let run out, also while the provider does not close it, nor what a later choice has superseded.
 */
export type OrdersWanted = 'paid' | 'all' | 'chosen';

type Wanted = { which: OrdersWanted; now: Date };

function ofUser(userId: number, { which, now }: Wanted) {
  const isPaid = inArray(orders.status, PAID);
  const isPayable = and(inArray(orders.status, OPEN), isNull(orders.supersededAt), gt(orders.expiresAt, now));
  const isWanted = { paid: isPaid, all: undefined, chosen: or(isPaid, isPayable) }[which];
  return and(eq(orders.userId, userId), isWanted);
}

/** Returns a page of a user's orders, newest first. */
export function selectOrders(db: Db, userId: number, wanted: PageWanted & Wanted): Promise<Order[]> {
  return db
    .select()
    .from(orders)
    .where(ofUser(userId, wanted))
    .orderBy(desc(orders.id))
    .limit(wanted.pageSize)
    .offset(offsetOf(wanted));
}

export async function countOrders(db: Db, userId: number, wanted: Wanted): Promise<number> {
  const [row] = await db.select({ total: count() }).from(orders).where(ofUser(userId, wanted));
  return row?.total ?? 0;
}

/**
 * Returns at most 20 of the user's orders: those that were fulfilled after `since`, then those whose money goes back since then,
 * and those whose money was put aside and was paid, or asked about last, after `asideSince`.
 */
export async function selectToldSince(
  db: Db,
  userId: number,
  { since, asideSince }: { since: Date; asideSince: Date },
): Promise<Order[]> {
  const isAside = and(eq(orders.status, 'mismatch'), or(gt(orders.paidAt, asideSince), gt(orders.askedAt, asideSince)));
  const refund = db
    .select({ one: sql`1` })
    .from(orderRefunds)
    .where(
      and(
        eq(orderRefunds.orderId, orders.id),
        or(gt(orderRefunds.createdAt, since), gt(orderRefunds.finishedAt, since)),
      ),
    );
  const goesBack = and(inArray(orders.status, ['refunding', 'refunded']), exists(refund));
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), or(gt(orders.fulfilledAt, since), isAside, goesBack)))
    .orderBy(desc(eq(orders.status, 'fulfilled')), desc(orders.id))
    .limit(20);
}

/** Returns open orders that no job will look at any more, oldest first. */
export async function selectForgotten(db: Db, expiredBefore: Date): Promise<string[]> {
  const rows = await rowsOf<{ out_trade_no: string }>(
    db,
    sql`select out_trade_no from orders
      where status in ('created', 'pending') and expires_at < ${expiredBefore.toISOString()}::timestamptz
        and not ${hasOpenJob(sql`'payment-check ' || out_trade_no`)}
      order by id limit 500`,
  );
  return rows.map((row) => row.out_trade_no);
}

/** Tells every node that orders of this user changed, once the transaction commits. */
export async function notifyOrderChange(db: Db, userId: number): Promise<void> {
  await db.execute(sql`select pg_notify('order_change', ${String(userId)})`);
}
