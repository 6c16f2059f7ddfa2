import { and, eq, inArray, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import type { Channel } from '../../ports.ts';
import { orders, paymentBills, paymentRefusals, type Order } from '../tables.ts';

/** Returns the condition that a time lies on a day (YYYY-MM-DD) in Shanghai. */
const isOn = (column: typeof orders.paidAt, day: string) =>
  sql`${column} >= ${day}::date::timestamp at time zone 'Asia/Shanghai'
    and ${column} < (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'`;

export async function upsertBill(db: Db, bill: typeof paymentBills.$inferInsert): Promise<void> {
  const { channel: _channel, day: _day, ...sums } = bill;
  await db
    .insert(paymentBills)
    .values(bill)
    .onConflictDoUpdate({ target: [paymentBills.channel, paymentBills.day], set: sums });
}

/**
 * Returns the Shanghai days (YYYY-MM-DD) of a range whose bill of the channel was not compared, from the first bill or the first
 * order of the channel on; the last day of the range always when its bill was not compared.
 */
export async function selectDaysWithoutBill(
  db: Db,
  channel: Channel,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const rows = await rowsOf<{ day: string }>(
    db,
    sql`select each.on_day::date::text as day from generate_series(
        greatest(${from}::date, least(${to}::date,
          (select min(day) from payment_bills where channel = ${channel}),
          (select min((created_at at time zone 'Asia/Shanghai')::date) from orders where channel = ${channel}))),
        ${to}::date, interval '1 day') as each (on_day)
      where not exists (select from payment_bills b where b.channel = ${channel} and b.day = each.on_day::date)
      order by 1`,
  );
  return rows.map(({ day }) => day);
}

/** Returns the orders of a channel that were paid on a Shanghai day. */
export const selectPaidOn = (db: Db, channel: Channel, day: string) =>
  db
    .select({ outTradeNo: orders.outTradeNo, paidFen: orders.paidFen })
    .from(orders)
    .where(and(eq(orders.channel, channel), isOn(orders.paidAt, day)));

export const selectBills = (db: Db, day: string) => db.select().from(paymentBills).where(eq(paymentBills.day, day));

export const selectRefusals = (db: Db, day: string) =>
  db.select().from(paymentRefusals).where(eq(paymentRefusals.day, day));

type SalesLine = { channel: Channel; item: string; status: string; orders: number; fen: number };

/** Returns what was paid on a Shanghai day, by channel, item and what became of it. */
export const selectSales = (db: Db, day: string) =>
  rowsOf<SalesLine>(
    db,
    sql`select channel, description as item, status, count(*) as orders, sum(paid_fen)::bigint as fen from orders
      where ${isOn(orders.paidAt, day)} group by 1, 2, 3 order by 1, 2, 3`,
  );

/** Returns what was paid back on a Shanghai day, by channel and reason. */
export const selectRefunds = (db: Db, day: string) =>
  rowsOf<{ channel: Channel; reason: string; refunds: number; fen: number }>(
    db,
    sql`select o.channel, case when r.is_paid_elsewhere then 'by another way' else r.reason end as reason, count(*) as refunds, sum(r.amount_fen)::bigint as fen
      from order_refunds r join orders o on o.id = r.order_id
      where r.finished_at >= ${day}::date::timestamp at time zone 'Asia/Shanghai'
        and r.finished_at < (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'
      group by 1, 2 order by 1, 2`,
  );

/** Returns the orders in one of these states, oldest first. */
export const selectOrdersIn = (db: Db, statuses: Order['status'][], limit: number): Promise<Order[]> =>
  db.select().from(orders).where(inArray(orders.status, statuses)).orderBy(orders.id).limit(limit);

/** Returns the unpaid orders made after `since`, oldest first. */
export const selectUnpaidSince = (db: Db, since: Date, limit: number): Promise<Order[]> =>
  db
    .select()
    .from(orders)
    .where(
      and(inArray(orders.status, ['created', 'pending', 'closed']), sql`${orders.createdAt} > ${since.toISOString()}`),
    )
    .orderBy(orders.id)
    .limit(limit);
