import { refuseSharedAccount } from '../../../accounts/server/demo-accounts.ts';
import { requireSession } from '../../../accounts/server/sessions.ts';
import { findUserBy } from '../../../accounts/server/users.ts';
import { transact, type Ctx, type TransactionCtx } from '../../../context.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { CodedAnswer, sessionInvalid } from '../../../protocol/envelope.ts';
import type * as contract from '../../contract.ts';
import {
  emailMasked,
  INVOICE_TEXT,
  invoiceErrors,
  invoiceInvalid,
  invoiceRequested,
  invoiceStateOf,
  isMasked,
  maskEmail,
  orderWithoutInvoice,
  type InvoiceFields,
} from '../../invoice-rules.ts';
import { joinNotes, orderNotFound, type OrderStatus } from '../../rules.ts';
import { raiseCase } from '../operator/case-alerts.ts';
import { lockOrderAndAccount } from '../settle-order.ts';
import { selectInvoiceOf, updateInvoice, upsertInvoice } from '../store/invoices.ts';
import { selectOwnOrder } from '../store/orders.ts';
import type { Invoice } from '../tables.ts';

/**
 * Records the caller's request for the invoice of a paid order (C-119): once for each order, and again after the operator
 * refused it, then with the masked address of the list for the address as it was. Throws invalid (40), orderNotFound (4), `failed` in a shared demo
 * account, whose other users would read it, and conflict (60) for an order that is not paid, whose money goes
 * back, or that has a request.
 */
export async function requestInvoice(
  ctx: Ctx,
  input: Parsed<typeof contract.requestInvoice>,
): Promise<CodedAnswer<Output<typeof contract.requestInvoice>>> {
  const { userId } = requireSession(ctx);
  refuseSharedAccount(ctx, await findUserBy(ctx, { id: userId }));
  const fields = fieldsOf(input);
  const [error] = invoiceErrors(fields);
  if (error) throw invoiceInvalid(error);
  const own = await selectOwnOrder(ctx.db, userId, input.out_trade_no);
  if (!own) throw orderNotFound();
  const invoice = await transact(ctx, (tx) => insertRequest(tx, own.outTradeNo, fields));
  ctx.log.info({ order: own.outTradeNo, userId }, 'invoice requested');
  return new CodedAnswer(CODE.ok, '发票申请已提交', {
    out_trade_no: own.outTradeNo,
    invoice: toInvoice(invoice, 'fulfilled'),
  });
}

function fieldsOf(input: Parsed<typeof contract.requestInvoice>): InvoiceFields {
  const kind = input.title_type === 'person' ? 'person' : 'company';
  return { kind, title: input.title, taxNo: kind === 'person' ? '' : input.tax_no, email: input.email };
}

/** The lock on the order keeps a refund from starting between the look at the order and the request. */
async function insertRequest(ctx: TransactionCtx, outTradeNo: string, fields: InvoiceFields): Promise<Invoice> {
  const locked = await lockOrderAndAccount(ctx, outTradeNo);
  if (!locked?.hasAccount) throw sessionInvalid();
  const { order } = locked;
  const refusal = orderWithoutInvoice(order.status);
  if (refusal) throw refusal;
  const requestedAt = new Date(ctx.clock.now());
  const before = await selectInvoiceOf(ctx.db, order.id);
  const isSame = before !== null && fields.email === maskEmail(before.email);
  if (!isSame && isMasked(fields.email)) throw emailMasked();
  const email = isSame ? before.email : fields.email;
  if (!(await upsertInvoice(ctx.db, { orderId: order.id, ...fields, email, requestedAt }))) throw invoiceRequested();
  await raiseCase(ctx, 'invoice-requested', outTradeNo);
  const invoice = await selectInvoiceOf(ctx.db, order.id);
  if (!invoice) throw new Error('the request was inserted in this transaction');
  return invoice;
}

/** Returns a request as its buyer sees it. */
export function toInvoice(invoice: Invoice, order: OrderStatus) {
  const status = invoiceStateOf(invoice.state, order);
  return {
    status,
    status_text: INVOICE_TEXT[status],
    title: invoice.title,
    tax_no: invoice.taxNo,
    email: maskEmail(invoice.email),
    invoice_no: invoice.invoiceNo,
    reason: invoice.reason,
    create_time: Math.floor(invoice.requestedAt.getTime() / 1_000),
  };
}

/**
 * `to-void`: the number is recorded, and the money of the order goes back or is back. `corrected`: another number was recorded
 * before. Nothing was changed with the others. `refunded`: a refusal is of no use any more. `same-number`: it is recorded
 * already. `not-requested`: no request waits for an answer.
 */
export type InvoiceAnswer = 'done' | 'to-void' | 'corrected' | 'refunded' | 'same-number' | 'not-requested';

/**
 * Answers the request of an order by the operator's decision: with the number of the invoice, or with the reason of a
 * refusal. A number is recorded also when a refund has begun meanwhile, because the invoice exists and has to be voided, and
 * replaces a number that was mistyped, which stays in the note.
 */
export function answerInvoice(
  ctx: TransactionCtx,
  outTradeNo: string,
  answer: { invoiceNo: string } | { reason: string },
): Promise<InvoiceAnswer> {
  return transact(ctx, async (tx) => {
    const order = (await lockOrderAndAccount(tx, outTradeNo))?.order;
    const invoice = order && (await selectInvoiceOf(tx.db, order.id));
    if (!order || !invoice) return 'not-requested';
    const answeredAt = new Date(tx.clock.now());
    const isPaid = order.status === 'fulfilled';
    if ('invoiceNo' in answer) return recordNumber(tx, { outTradeNo, isPaid, invoice }, { ...answer, answeredAt });
    if (!isPaid) return 'refunded';
    if (!(await updateInvoice(tx.db, order.id, 'requested', { state: 'refused', ...answer, answeredAt })))
      return 'not-requested';
    tx.log.info({ order: outTradeNo, ...answer }, 'invoice request answered by the operator');
    return 'done';
  });
}

async function recordNumber(
  ctx: TransactionCtx,
  { outTradeNo, isPaid, invoice }: { outTradeNo: string; isPaid: boolean; invoice: Invoice },
  { invoiceNo, answeredAt }: { invoiceNo: string; answeredAt: Date },
): Promise<InvoiceAnswer> {
  const { orderId, state, invoiceNo: was } = invoice;
  if (state !== 'requested' && state !== 'issued') return 'not-requested';
  if (state === 'issued' && was === invoiceNo) return 'same-number';
  const note = joinNotes(invoice.note, was && `was ${was}`);
  await updateInvoice(ctx.db, orderId, state, { state: 'issued', invoiceNo, note, answeredAt });
  ctx.log.info({ order: outTradeNo, invoiceNo, was }, 'number of an invoice recorded by the operator');
  if (state === 'issued') return 'corrected';
  if (isPaid) return 'done';
  await raiseCase(ctx, 'invoice-to-void', outTradeNo);
  return 'to-void';
}

/** `not-refunded`: the money of the order stays, so the invoice stands. `not-issued`: the order has no issued invoice. */
type InvoiceVoid = 'done' | 'not-refunded' | 'not-issued';

/** Records that the invoice of a refunded order was voided with the tax authority (红冲). */
export function voidInvoice(ctx: TransactionCtx, outTradeNo: string, note: string): Promise<InvoiceVoid> {
  return transact(ctx, async (tx) => {
    const order = (await lockOrderAndAccount(tx, outTradeNo))?.order;
    if (!order) return 'not-issued';
    if (order.status !== 'refunding' && order.status !== 'refunded') return 'not-refunded';
    const invoice = await selectInvoiceOf(tx.db, order.id);
    const change = {
      state: 'voided',
      note: joinNotes(invoice?.note ?? '', note),
      voidedAt: new Date(tx.clock.now()),
    } as const;
    return (await updateInvoice(tx.db, order.id, 'issued', change)) ? 'done' : 'not-issued';
  });
}
