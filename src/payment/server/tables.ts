import { sql } from 'drizzle-orm';
import { bigint, boolean, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, id, time } from '../../platform/db/columns.ts';
import type { InvoiceKind, StoredInvoiceState } from '../invoice-rules.ts';
import type { Channel } from '../ports.ts';
import type { OrderStatus } from '../rules.ts';

const channel = () => text('channel').$type<Channel>().notNull();
const fen = (name: string) => bigint(name, { mode: 'number' });

/**
 * The item columns (kind … priceFen) are those of the price item when the order was made; a trigger refuses every change
 * of them, and every edge that rules.ts does not have. Rows are never deleted.
 */
export const orders = pgTable('orders', {
  id: id(),
  outTradeNo: text('out_trade_no').notNull(),
  userId: bigint('user_id', { mode: 'number' }).notNull(),
  channel: channel(),
  itemId: integer('item_id').notNull(),
  kind: text('kind').$type<'vip' | 'coin'>().notNull(),
  description: text('description').notNull(),
  tier: integer('tier').$type<1 | 2>(),
  days: integer('days').notNull(),
  coins: integer('coins').notNull(),
  priceFen: integer('price_fen').notNull(),
  documentId: bigint('document_id', { mode: 'number' }),
  status: text('status').$type<OrderStatus>().notNull().default('created'),
  codeContent: text('code_content').notNull().default(''),
  codedAt: time('coded_at'),
  notifyUrl: text('notify_url').notNull(),
  askedAt: time('asked_at'),
  supersededAt: time('superseded_at'),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
  closedAt: time('closed_at'),
  transactionId: text('transaction_id'),
  paidFen: fen('paid_fen'),
  paidCurrency: text('paid_currency'),
  paidAt: time('paid_at'),
  fulfilledAt: time('fulfilled_at'),
  mismatch: text('mismatch').notNull().default(''),
});
export type Order = typeof orders.$inferSelect;

/** The kinds of open cases. `invoice-requested`: to be issued; `invoice-to-void`: the order is refunded. */
export type CaseKind =
  | 'put-aside'
  | 'refund-failed'
  | 'refund-slow'
  | 'difference'
  | 'unknown-number'
  | 'invoice-requested'
  | 'invoice-to-void';

export type RefundReason = 'duplicate' | 'operator';

/** One refund an order, of its whole amount. `refundNo` is that of the latest attempt, which began at `askedAt` (null: `createdAt`). */
export const orderRefunds = pgTable('order_refunds', {
  id: id(),
  orderId: bigint('order_id', { mode: 'number' }).notNull(),
  refundNo: text('refund_no').notNull(),
  amountFen: fen('amount_fen').notNull(),
  reason: text('reason').$type<RefundReason>().notNull(),
  note: text('note').notNull().default(''),
  state: text('state').$type<'asked' | 'processing' | 'succeeded' | 'failed'>().notNull().default('asked'),
  failure: text('failure').notNull().default(''),
  closedNumbers: text('closed_numbers').array().notNull().default([]),
  isPaidElsewhere: boolean('is_paid_elsewhere').notNull().default(false),
  keepsGoods: boolean('keeps_goods').notNull().default(false),
  askedAt: time('asked_at'),
  slowAt: time('slow_at'),
  createdAt: time('created_at').notNull(),
  finishedAt: time('finished_at'),
});
export type Refund = typeof orderRefunds.$inferSelect;

/** Requests for invoices, unique by order. `note`: numbers that were mistyped, and what became of the invoice of a refunded order. The state that a buyer sees follows from this one and from the order's. */
export const orderInvoices = pgTable('order_invoices', {
  id: id(),
  orderId: bigint('order_id', { mode: 'number' }).notNull(),
  kind: text('kind').$type<InvoiceKind>().notNull(),
  title: text('title').notNull(),
  taxNo: text('tax_no').notNull(),
  email: text('email').notNull(),
  state: text('state').$type<StoredInvoiceState>().notNull().default('requested'),
  invoiceNo: text('invoice_no').notNull().default(''),
  reason: text('reason').notNull().default(''),
  note: text('note').notNull().default(''),
  requestedAt: time('requested_at').notNull(),
  answeredAt: time('answered_at'),
  voidedAt: time('voided_at'),
});
export type Invoice = typeof orderInvoices.$inferSelect;

/** Genuine notifications, unique by (channel, event_id). `appliedAt` null: it names an order that is not known here. */
export const paymentNotices = pgTable('payment_notices', {
  id: id(),
  channel: channel(),
  eventId: text('event_id').notNull(),
  kind: text('kind').$type<'paid' | 'refund' | 'other'>().notNull(),
  outTradeNo: text('out_trade_no'),
  sha256: text('sha256').notNull(),
  body: bytea('body'),
  deliveries: integer('deliveries')
    .notNull()
    .default(sql`1`),
  outcome: text('outcome').notNull().default(''),
  receivedAt: time('received_at').notNull(),
  appliedAt: time('applied_at'),
});

/** Requests to the notification addresses that are not genuine, counted by Shanghai day and reason. */
export const paymentRefusals = pgTable(
  'payment_refusals',
  {
    channel: channel(),
    day: date('day').notNull(),
    reason: text('reason').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel, table.day, table.reason] })],
);

/** The sums of a provider's bill of a Shanghai day that was compared with the orders. */
export const paymentBills = pgTable(
  'payment_bills',
  {
    channel: channel(),
    day: date('day').notNull(),
    payments: integer('payments').notNull(),
    paidFen: fen('paid_fen').notNull(),
    refunds: integer('refunds').notNull(),
    refundedFen: fen('refunded_fen').notNull(),
    comparedAt: time('compared_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel, table.day] })],
);

/** Cases that NOTIFY_URL is told of. `toldAt` null: not yet. */
export const paymentCaseAlerts = pgTable(
  'payment_case_alerts',
  {
    kind: text('kind').$type<CaseKind>().notNull(),
    outTradeNo: text('out_trade_no').notNull(),
    raisedAt: time('raised_at').notNull(),
    toldAt: time('told_at'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.outTradeNo] })],
);

/** Differences between the orders and the provider, and double payments: cases for the operator, open until resolved. */
export const paymentDifferences = pgTable('payment_differences', {
  id: id(),
  channel: channel(),
  outTradeNo: text('out_trade_no').notNull(),
  kind: text('kind').notNull(),
  detail: text('detail').notNull(),
  foundAt: time('found_at').notNull(),
  resolvedAt: time('resolved_at'),
  note: text('note').notNull().default(''),
});
