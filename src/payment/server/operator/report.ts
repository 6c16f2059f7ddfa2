import type { Ctx } from '../../../context.ts';
import { yuanText } from '../../../prices/server/price-list.ts';
import { CHANNEL_NAME } from '../../rules.ts';
import { selectBills, selectOrdersIn, selectRefunds, selectRefusals, selectSales } from '../store/bills.ts';
import { countInvoiceRequests, selectInvoicesToVoid } from '../store/invoices.ts';
import { selectOpenDifferences, selectUnappliedNotices } from '../store/notices.ts';
import { selectRefundsIn } from '../store/refunds.ts';

const MAX_CASES = 500;

/** A case that waits for a person, and the command that ends it. */
type OpenCase = { outTradeNo: string; what: string; command: string };

/** Returns all open cases of any day. */
async function listOpenCases(ctx: Ctx): Promise<OpenCase[]> {
  const [putAside, failed, differences, strays, toVoid] = await Promise.all([
    selectOrdersIn(ctx.db, ['mismatch'], MAX_CASES),
    selectRefundsIn(ctx.db, ['failed']),
    selectOpenDifferences(ctx.db),
    selectUnappliedNotices(ctx.db),
    selectInvoicesToVoid(ctx.db),
  ]);
  return [
    ...putAside.map(({ outTradeNo, mismatch }) => ({
      outTradeNo,
      what: `payment put aside: ${mismatch}`,
      command: `ceku order resolve ${outTradeNo} --accept, or --refund`,
    })),
    ...failed.map(({ order: { outTradeNo }, amountFen, failure }) => ({
      outTradeNo,
      what: `refund of ${yuanText(amountFen)} failed: ${failure}`,
      command: `ceku order refund ${outTradeNo}`,
    })),
    ...differences.map(({ outTradeNo, detail }) => ({
      outTradeNo,
      what: detail,
      command: `ceku order resolve ${outTradeNo} --note <what you did>`,
    })),
    ...strays.map(({ outTradeNo, channel, deliveries }) => ({
      outTradeNo: outTradeNo ?? '',
      what: `${CHANNEL_NAME[channel]} notified ${deliveries} times of a payment for a number that is not known here`,
      command: `look it up with the provider, then: ceku order resolve ${outTradeNo} --note <what you did>`,
    })),
    ...toVoid.map(({ outTradeNo, invoiceNo }) => ({
      outTradeNo,
      what: `refunded, and invoice ${invoiceNo} was issued for it`,
      command: `void it with the tax authority (红冲), then: ceku order invoice void ${outTradeNo} --note <number of the red invoice>`,
    })),
  ];
}

/** Returns the report of a Shanghai day: sales by channel and item, refunds, bills, refused notifications, waiting invoices, open cases. */
export async function reportDay(ctx: Ctx, day: string) {
  const [sales, refunds, bills, refused, cases, invoices] = await Promise.all([
    selectSales(ctx.db, day),
    selectRefunds(ctx.db, day),
    selectBills(ctx.db, day),
    selectRefusals(ctx.db, day),
    listOpenCases(ctx),
    countInvoiceRequests(ctx.db),
  ]);
  return { day, sales, refunds, bills, refused, invoiceRequests: invoices, cases };
}

type DayReport = Awaited<ReturnType<typeof reportDay>>;

/** Returns the report in words for the operator. */
export function reportText({ day, sales, refunds, bills, refused, invoiceRequests, cases }: DayReport): string {
  const sum = (rows: readonly { fen: number }[]) => yuanText(rows.reduce((total, { fen }) => total + fen, 0));
  const kept = sales.filter(({ status }) => status === 'fulfilled');
  const lines = [
    `${day}: ${sum(sales)} paid, ${sum(kept)} of it for goods, ${sum(refunds)} paid back`,
    ...sales.map(
      ({ channel, item, status, orders, fen }) =>
        `  ${CHANNEL_NAME[channel]}  ${item}  ${orders} × ${status}  ${yuanText(fen)}`,
    ),
    ...refunds.map(
      ({ channel, reason, refunds: count, fen }) =>
        `  ${CHANNEL_NAME[channel]}  ${count} refunds (${reason})  ${yuanText(fen)}`,
    ),
    ...bills.map(
      ({ channel, payments, paidFen, refunds: count, refundedFen }) =>
        `  bill of ${CHANNEL_NAME[channel]}: ${payments} payments ${yuanText(paidFen)}, ${count} refunds ${yuanText(refundedFen)}`,
    ),
    ...refused.map(
      ({ channel, reason, count }) => `  refused notifications of ${CHANNEL_NAME[channel]}: ${count} × ${reason}`,
    ),
    `invoice requests that wait: ${invoiceRequests}${invoiceRequests > 0 ? ' (ceku order invoice list)' : ''}`,
    `open cases: ${cases.length}`,
    ...cases.map(({ outTradeNo, what, command }) => `  ${outTradeNo}  ${what}\n    ${command}`),
  ];
  return lines.join('\n');
}
