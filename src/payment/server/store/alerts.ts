import { sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import { paymentCaseAlerts, type CaseKind } from '../tables.ts';

/** Records that a case waits for a person. A case that was told before and comes back is to be told again. */
export async function upsertAlert(db: Db, kind: CaseKind, outTradeNo: string, raisedAt: Date): Promise<void> {
  await db
    .insert(paymentCaseAlerts)
    .values({ kind, outTradeNo: outTradeNo.slice(0, 64), raisedAt })
    .onConflictDoUpdate({
      target: [paymentCaseAlerts.kind, paymentCaseAlerts.outTradeNo],
      set: { raisedAt, toldAt: null },
    });
}

/** Returns alerts that were not told yet, oldest first, without those whose case a person has ended meanwhile. */
export const selectUntoldAlerts = (db: Db, limit: number) =>
  rowsOf<{ kind: CaseKind; outTradeNo: string; raisedAt: string }>(
    db,
    sql`select a.kind, a.out_trade_no as "outTradeNo", a.raised_at::text as "raisedAt" from payment_case_alerts a
      where a.told_at is null and case a.kind
        when 'put-aside' then exists (
          select from orders o where o.out_trade_no = a.out_trade_no and o.status = 'mismatch')
        when 'refund-failed' then exists (
          select from orders o join order_refunds r on r.order_id = o.id
          where o.out_trade_no = a.out_trade_no and r.state = 'failed')
        when 'refund-slow' then exists (
          select from orders o join order_refunds r on r.order_id = o.id
          where o.out_trade_no = a.out_trade_no and r.state in ('asked', 'processing') and r.slow_at is not null)
        when 'difference' then exists (
          select from payment_differences d where d.out_trade_no = a.out_trade_no and d.resolved_at is null)
        when 'invoice-requested' then exists (
          select from orders o join order_invoices i on i.order_id = o.id
          where o.out_trade_no = a.out_trade_no and i.state = 'requested' and o.status = 'fulfilled')
        when 'invoice-to-void' then exists (
          select from orders o join order_invoices i on i.order_id = o.id
          where o.out_trade_no = a.out_trade_no and i.state = 'issued')
        else exists (
          select from payment_notices n where n.out_trade_no = a.out_trade_no and n.applied_at is null)
        end
      order by a.raised_at, a.out_trade_no limit ${limit}`,
  );

/** Marks alerts as told, except for those that were raised again since they were read. */
export async function updateAlertsTold(
  db: Db,
  alerts: readonly { kind: CaseKind; outTradeNo: string; raisedAt: string }[],
  at: Date,
): Promise<void> {
  await db.execute(sql`update payment_case_alerts a set told_at = ${at.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(alerts)}::json) as told ("kind" text, "outTradeNo" text, "raisedAt" timestamptz)
    where a.kind = told."kind" and a.out_trade_no = told."outTradeNo" and a.raised_at = told."raisedAt"`);
}

/** Returns when alerts were told last; null for never. */
export async function selectLastToldAt(db: Db): Promise<Date | null> {
  const [row] = await rowsOf<{ at: string | null }>(db, sql`select max(told_at)::text as at from payment_case_alerts`);
  return row?.at ? new Date(row.at) : null;
}
