import { sql, type SQL } from 'drizzle-orm';
import type { TransactionCtx } from '../../../context.ts';
import type { Violation } from '../../../membership/server/verify-ledger.ts';
import { rowsOf } from '../../../platform/db/client.ts';

/** Maximum of reported violations a rule. */
const MAX_PER_RULE = 100;

type OrderReport = { checked: { orders: number; paid: number; refunds: number }; violations: Violation[] };

/**
 * Checks that orders, goods and refunds agree (INV-10 to -19), while the site runs: all rules read one snapshot and change
 * nothing. At most 100 violations a rule. The coins themselves are checked by verifyLedger.
 */
export function verifyOrders(ctx: TransactionCtx): Promise<OrderReport> {
  return ctx.db.transaction(
    async (db) => {
      const violations: Violation[] = [];
      for (const [rule, statement] of Object.entries(RULES)) {
        const rows = await rowsOf<{ subject: string; detail: string }>(
          db,
          sql`select subject::text, detail::text from (${statement}) as broken (subject, detail) limit ${MAX_PER_RULE}`,
        );
        violations.push(...rows.map(({ subject, detail }) => ({ rule, subject, detail })));
      }
      const [checked] = await rowsOf<OrderReport['checked']>(
        db,
        sql`select count(*) as orders, count(*) filter (where transaction_id is not null) as paid,
          (select count(*) from order_refunds) as refunds from orders`,
      );
      return { checked: checked ?? { orders: 0, paid: 0, refunds: 0 }, violations };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only', isUnlimited: true },
  );
}

/** The goods that an order has granted: one row for each topup and each grant, also a revoked one. */
const GOODS = sql`
  select ref as out_trade_no, user_id, amount as coins, 0 as days, null::integer as tier, false as is_revoked
    from ledger_entries where kind = 'topup' and user_id <> 0
  union all
  select ref, user_id, 0, days, tier, revoked_at is not null from membership_grants where kind = 'order'`;

/** A name for each rule, and a query for the rows that break it. */
const RULES: Record<string, SQL> = {
  'a fulfilled order has granted exactly its goods (INV-10)': sql`
    select o.out_trade_no, format('%s coins and %s days ordered, %s grants of %s coins and %s days', o.coins, o.days,
      count(g.out_trade_no), coalesce(sum(g.coins), 0), coalesce(sum(g.days), 0))
    from orders o left join (${GOODS}) as g
      on g.out_trade_no = o.out_trade_no and g.user_id = o.user_id and g.tier is not distinct from o.tier and not g.is_revoked
    where o.status = 'fulfilled' group by o.id
    having count(g.out_trade_no) <> 1 or sum(g.coins) <> o.coins or sum(g.days) <> o.days`,
  'goods are granted for fulfilled orders only (INV-11, INV-13)': sql`
    select g.out_trade_no, format('goods of user %s, and the order is %s', g.user_id, coalesce(o.status, 'missing'))
    from (${GOODS}) as g left join orders o on o.out_trade_no = g.out_trade_no and o.user_id = g.user_id
    where o.id is null or o.fulfilled_at is null`,
  'a fulfilled order was paid in full (INV-11)': sql`
    select out_trade_no, format('%s fen of %s paid, %s', paid_fen, price_fen, paid_currency) from orders
    where status = 'fulfilled' and mismatch = '' and (paid_fen <> price_fen or paid_currency <> 'CNY')`,
  'money that came is fulfilled, put aside or on its way back (INV-12)': sql`
    select out_trade_no, format('paid and %s', status) from orders
    where transaction_id is not null and status not in ('fulfilled', 'mismatch', 'refunding', 'refunded')`,
  'a notification of a payment was applied or is waiting (INV-12)': sql`
    select n.out_trade_no, format('notification %s says paid, the order is %s', n.event_id, o.status)
    from payment_notices n join orders o on o.out_trade_no = n.out_trade_no and o.channel = n.channel
    where n.kind = 'paid' and n.applied_at is not null and o.transaction_id is null`,
  'a transaction pays one order (INV-14)': sql`
    select format('%s %s', channel, transaction_id), format('%s orders', count(*)) from orders
    where transaction_id is not null group by channel, transaction_id having count(*) > 1`,
  'no second payment of one membership was kept (INV-19)': sql`
    select o.out_trade_no, format('ordered before %s was fulfilled, and fulfilled after it', earlier.out_trade_no)
    from orders o join orders earlier on earlier.user_id = o.user_id and earlier.item_id = o.item_id
      and earlier.id <> o.id and earlier.status = 'fulfilled' and earlier.fulfilled_at > o.created_at
      and (earlier.fulfilled_at < o.fulfilled_at or (earlier.fulfilled_at = o.fulfilled_at and earlier.id < o.id))
    where o.kind = 'vip' and o.status = 'fulfilled' and o.mismatch = '' and earlier.mismatch = ''`,
  'an order on its way back has a refund of what was paid': sql`
    select o.out_trade_no, format('%s, refund of %s fen %s', o.status, r.amount_fen, r.state)
    from orders o left join order_refunds r on r.order_id = o.id
    where o.status in ('refunding', 'refunded') and
      (r.id is null or r.amount_fen <> o.paid_fen or (o.status = 'refunded') <> (r.state = 'succeeded'))`,
  'a refund took the goods back unless it leaves them with the buyer': sql`
    select o.out_trade_no, format('refund %s, and %s coins and %s days are still granted', r.refund_no, o.coins, o.days)
    from order_refunds r join orders o on o.id = r.order_id
    where o.fulfilled_at is not null and not r.keeps_goods
      and not exists (select 1 from ledger_entries l
        where l.kind = 'reversal' and l.ref = o.out_trade_no and l.user_id = o.user_id and l.amount = -o.coins)
      and not exists (select 1 from (${GOODS}) as g
        where g.out_trade_no = o.out_trade_no and g.user_id = o.user_id and g.is_revoked)`,
  'a refund that the provider closed is not sent again under its number': sql`
    select refund_no, format('%s under a number that is closed', state) from order_refunds
    where refund_no = any (closed_numbers) and (state in ('asked', 'processing') or (state = 'succeeded' and not is_paid_elsewhere))`,
  'an invoice was asked for by the buyer of a paid order (C-119)': sql`
    select o.out_trade_no, format('invoice %s, and the order is %s', i.state, o.status)
    from order_invoices i join orders o on o.id = i.order_id where o.fulfilled_at is null`,
  'a refund belongs to an order on its way back': sql`
    select r.refund_no, format('order %s is %s', o.out_trade_no, o.status)
    from order_refunds r join orders o on o.id = r.order_id where o.status not in ('refunding', 'refunded')`,
};
