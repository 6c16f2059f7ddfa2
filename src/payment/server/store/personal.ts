import { and, count, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../../platform/db/client.ts';
import { orderRefunds, orders } from '../tables.ts';

/** Returns all orders of a user with their refunds, oldest first. */
export const selectOrdersForCopy = (db: Db, userId: number) =>
  db
    .select({
      outTradeNo: orders.outTradeNo,
      channel: orders.channel,
      item: orders.description,
      days: orders.days,
      coins: orders.coins,
      priceFen: orders.priceFen,
      documentId: orders.documentId,
      status: orders.status,
      createdAt: orders.createdAt,
      paidFen: orders.paidFen,
      paidAt: orders.paidAt,
      transactionId: orders.transactionId,
      fulfilledAt: orders.fulfilledAt,
      refundFen: orderRefunds.amountFen,
      refundState: orderRefunds.state,
      refundedAt: orderRefunds.finishedAt,
    })
    .from(orders)
    .leftJoin(orderRefunds, eq(orderRefunds.orderId, orders.id))
    .where(eq(orders.userId, userId))
    .orderBy(orders.id);

/** Counts the orders of a user that were paid, and are neither fulfilled nor refunded. */
export async function selectUnfinished(db: Db, userId: number): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(orders)
    .where(and(eq(orders.userId, userId), inArray(orders.status, ['mismatch', 'refunding'])));
  return row?.total ?? 0;
}
