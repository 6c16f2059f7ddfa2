import { requireSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { monthsOf } from '../../prices/server/prices.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { formatNumber } from '../../protocol/format-number.ts';
import type * as contract from '../contract.ts';
import type { OrderItem } from '../contract.ts';
import { invoiceStateOf, mayRequestInvoice } from '../invoice-rules.ts';
import { isOpen, JUST_PAID_SECONDS, PLATFORM, STATUS_TEXT } from '../rules.ts';
import { toInvoice } from './invoices/invoices.ts';
import { selectInvoicesOf } from './store/invoices.ts';
import { countOrders, selectOrders, type OrdersWanted } from './store/orders.ts';
import { selectRefundsOf } from './store/refunds.ts';
import type { Invoice, Order, Refund } from './tables.ts';

/** Returns a page of the caller's orders, newest first, in both shapes of C-58. */
export async function listOrders(
  ctx: Ctx,
  input: Parsed<typeof contract.listOrders>,
): Promise<Output<typeof contract.listOrders>> {
  const { userId } = requireSession(ctx);
  const { page, pageSize } = input;
  const which: OrdersWanted = input.status === 'all' || input.status === 'chosen' ? input.status : 'paid';
  const now = new Date(ctx.clock.now());
  const [rows, count] = await Promise.all([
    selectOrders(ctx.db, userId, { page, pageSize, which, now }),
    countOrders(ctx.db, userId, { which, now }),
  ]);
  const ids = rows.map(({ id }) => id);
  const [invoices, refunds] = await Promise.all([selectInvoicesOf(ctx.db, ids), selectRefundsOf(ctx.db, ids)]);
  const items = rows.map((order) =>
    toItem(order, {
      invoice: invoices.get(order.id) ?? null,
      refund: refunds.get(order.id) ?? null,
      now: ctx.clock.now(),
    }),
  );
  return { data: items, items, count, page, page_size: pageSize, total: count };
}

function toItem(
  order: Order,
  { invoice, refund, now }: { invoice: Invoice | null; refund: Refund | null; now: number },
): OrderItem {
  const invoiceState = invoice && invoiceStateOf(invoice.state, order.status);
  return {
    id: order.id,
    trade_no: order.outTradeNo,
    orderItemName: itemNameOf(order),
    validMonth: monthsOf(order.days),
    startDate: order.fulfilledAt ? dayText(order.fulfilledAt) : '',
    // The paid amount, or the price before the payment.
    total_fee: order.paidFen ?? order.priceFen,
    pay_platform: PLATFORM[order.channel],
    status: order.status,
    status_text: STATUS_TEXT[order.status],
    create_time: seconds(order.createdAt),
    item_id: order.itemId,
    kind: order.kind,
    expire_at: isOpen(order.status) ? seconds(order.expiresAt) : 0,
    refund_time: refund?.finishedAt ? seconds(refund.finishedAt) : 0,
    refund_elsewhere: refund?.isPaidElsewhere ? 1 : 0,
    refund_reason: refund ? refundReasonOf(order, refund) : '',
    invoice: invoice && toInvoice(invoice, order.status),
    can_invoice: mayRequestInvoice(order.status, invoiceState) ? 1 : 0,
    just_paid: order.status === 'fulfilled' && isWithin(order.fulfilledAt, JUST_PAID_SECONDS, now) ? 1 : 0,
  };
}

/** Returns the name of the item; in that of a pack the number of coins has separators, as everywhere on the site. */
const itemNameOf = ({ description, coins }: Order) => description.replace(String(coins), formatNumber(coins));

/** A refund by the operator of a payment that did not fit its order, and was never fulfilled, is shown as `mismatch`. */
const refundReasonOf = ({ mismatch, fulfilledAt }: Order, { reason }: Refund): OrderItem['refund_reason'] =>
  reason === 'operator' && mismatch !== '' && fulfilledAt === null ? 'mismatch' : reason;

const isWithin = (at: Date | null, limitSeconds: number, now: number) =>
  at !== null && now - at.getTime() < limitSeconds * 1_000;

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
