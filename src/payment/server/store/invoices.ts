import { and, count, desc, eq, inArray, or } from 'drizzle-orm';
import type { Db } from '../../../platform/db/client.ts';
import type { StoredInvoiceState } from '../../invoice-rules.ts';
import { orderInvoices, orders, type Invoice } from '../tables.ts';

const MAX_ROWS = 500;

/**
 * Records a request, or replaces one that the operator refused. Returns false when the order has a request that stands:
 * the unique key decides between requests that come at once.
 */
export async function upsertInvoice(
  db: Db,
  request: Pick<Invoice, 'orderId' | 'kind' | 'title' | 'taxNo' | 'email' | 'requestedAt'>,
): Promise<boolean> {
  const { orderId: _orderId, ...fields } = request;
  const rows = await db
    .insert(orderInvoices)
    .values(request)
    .onConflictDoUpdate({
      target: orderInvoices.orderId,
      set: { ...fields, state: 'requested', reason: '', answeredAt: null },
      setWhere: eq(orderInvoices.state, 'refused'),
    })
    .returning({ id: orderInvoices.id });
  return rows.length > 0;
}

export async function selectInvoiceOf(db: Db, orderId: number): Promise<Invoice | null> {
  const [row] = await db.select().from(orderInvoices).where(eq(orderInvoices.orderId, orderId));
  return row ?? null;
}

/** Returns the requests of these orders by the id of the order. */
export async function selectInvoicesOf(db: Db, orderIds: number[]): Promise<Map<number, Invoice>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db.select().from(orderInvoices).where(inArray(orderInvoices.orderId, orderIds));
  return new Map(rows.map((row) => [row.orderId, row]));
}

/** Takes a request from one state to another; false when it is not in the first. */
export async function updateInvoice(
  db: Db,
  orderId: number,
  from: StoredInvoiceState,
  to:
    | { state: 'issued'; invoiceNo: string; note: string; answeredAt: Date }
    | { state: 'refused'; reason: string; answeredAt: Date }
    | { state: 'voided'; note: string; voidedAt: Date },
): Promise<boolean> {
  const rows = await db
    .update(orderInvoices)
    .set(to)
    .where(and(eq(orderInvoices.orderId, orderId), eq(orderInvoices.state, from)))
    .returning({ id: orderInvoices.id });
  return rows.length > 0;
}

const withOrders = (db: Db) =>
  db
    .select({
      outTradeNo: orders.outTradeNo,
      status: orders.status,
      item: orders.description,
      paidFen: orders.paidFen,
      paidAt: orders.paidAt,
      kind: orderInvoices.kind,
      title: orderInvoices.title,
      taxNo: orderInvoices.taxNo,
      email: orderInvoices.email,
      state: orderInvoices.state,
      invoiceNo: orderInvoices.invoiceNo,
      reason: orderInvoices.reason,
      note: orderInvoices.note,
      requestedAt: orderInvoices.requestedAt,
      answeredAt: orderInvoices.answeredAt,
      voidedAt: orderInvoices.voidedAt,
    })
    .from(orderInvoices)
    .innerJoin(orders, eq(orders.id, orderInvoices.orderId));

/** Requests that wait for the operator: of paid orders, not of those whose money goes back. */
const isWaiting = and(eq(orderInvoices.state, 'requested'), eq(orders.status, 'fulfilled'));
/** Invoices that were issued for money that goes back. */
const isToVoid = and(eq(orderInvoices.state, 'issued'), inArray(orders.status, ['refunding', 'refunded']));

/** Returns requests with their orders, oldest first: those that wait for the operator, or the latest of every state. */
export async function selectInvoices(db: Db, { isEvery }: { isEvery: boolean }) {
  if (!isEvery) return withOrders(db).where(or(isWaiting, isToVoid)).orderBy(orderInvoices.requestedAt).limit(MAX_ROWS);
  const rows = await withOrders(db).orderBy(desc(orderInvoices.requestedAt)).limit(MAX_ROWS);
  return rows.toReversed();
}
export type InvoiceLine = Awaited<ReturnType<typeof selectInvoices>>[number];

export async function countInvoiceRequests(db: Db): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(orderInvoices)
    .innerJoin(orders, eq(orders.id, orderInvoices.orderId))
    .where(isWaiting);
  return row?.total ?? 0;
}

export const selectInvoicesToVoid = (db: Db) =>
  withOrders(db).where(isToVoid).orderBy(orderInvoices.requestedAt).limit(MAX_ROWS);

export const selectInvoicesForCopy = (db: Db, userId: number) =>
  withOrders(db).where(eq(orders.userId, userId)).orderBy(orderInvoices.requestedAt);

/**
 * Removes the requests of a user that became no invoice, and the addresses that invoices were sent to. The invoices stay
 * with their titles, as the books must.
 */
export async function deleteInvoiceRequests(db: Db, userId: number): Promise<void> {
  const ofUser = inArray(
    orderInvoices.orderId,
    db.select({ id: orders.id }).from(orders).where(eq(orders.userId, userId)),
  );
  await db.delete(orderInvoices).where(and(ofUser, inArray(orderInvoices.state, ['requested', 'refused'])));
  await db.update(orderInvoices).set({ email: '' }).where(ofUser);
}
