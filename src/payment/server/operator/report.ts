import type { Ctx } from '../../../context.ts';
import type { Measurement } from '../../../platform/metrics.ts';
import { yuanText } from '../../../prices/server/price-list.ts';
import { dayText } from '../../../library/rules.ts';
import { CHANNELS } from '../../ports.ts';
import { CHANNEL_NAME, SLOW_REFUND_SECONDS } from '../../rules.ts';
import { FOREIGN_REFUND } from '../settle-order.ts';
import { selectBills, selectOrdersIn, selectRefunds, selectRefusals, selectSales } from '../store/bills.ts';
import { countInvoiceRequests, selectInvoicesToVoid } from '../store/invoices.ts';
import { selectOpenDifferences, selectUnappliedNotices } from '../store/notices.ts';
import { selectRefundsIn, selectSlowRefunds } from '../store/refunds.ts';
import type { CaseKind } from '../tables.ts';

const MAX_CASES = 500;
/** WeChat Pay's state of a refund to an account that takes no money (wechat-pay-values.ts). */
const ABNORMAL = 'ABNORMAL';

/** A case that waits for a person, and the command that ends it. */
type OpenCase = { kind: CaseKind; outTradeNo: string; what: string; command: string };

/** Returns all open cases of any day. */
async function listOpenCases(ctx: Ctx): Promise<OpenCase[]> {
  const [putAside, failed, slow, differences, strays, toVoid] = await Promise.all([
    selectOrdersIn(ctx.db, ['mismatch'], MAX_CASES),
    selectRefundsIn(ctx.db, ['failed']),
    selectSlowRefunds(ctx.db, new Date(ctx.clock.now() - SLOW_REFUND_SECONDS * 1_000)),
    selectOpenDifferences(ctx.db),
    selectUnappliedNotices(ctx.db),
    selectInvoicesToVoid(ctx.db),
  ]);
  return [
    ...putAside.map(({ outTradeNo, mismatch }) => ({
      kind: 'put-aside' as const,
      outTradeNo,
      what: `payment put aside: ${mismatch}`,
      command: `ceku order resolve ${outTradeNo} --accept, or --refund; ceku order refund ${outTradeNo} --paid-back --note <how> when the money went back already`,
    })),
    ...failed.map(({ order: { outTradeNo }, amountFen, failure }) => ({
      kind: 'refund-failed' as const,
      outTradeNo,
      what: `refund of ${yuanText(amountFen)} failed: ${failure}`,
      command:
        failure === ABNORMAL
          ? 'name another account for it on the console of WeChat Pay (异常退款): it then ends by itself, record nothing'
          : `ceku order refund ${outTradeNo}, or with --paid-back --note <how> when the money went back by another way`,
    })),
    ...slow.map(({ order: { outTradeNo, channel }, amountFen, askedAt, createdAt }) => ({
      kind: 'refund-slow' as const,
      outTradeNo,
      what: `${CHANNEL_NAME[channel]} has not finished the refund of ${yuanText(amountFen)} since ${dayText(askedAt ?? createdAt)}`,
      command: `look at the log and at the refund with the provider, which the site goes on asking while it is configured; when the money went back by another way: ceku order refund ${outTradeNo} --paid-back --note <how>`,
    })),
    ...differences.map(({ outTradeNo, kind, detail }) => ({
      kind: 'difference' as const,
      outTradeNo,
      what: detail,
      command:
        kind === FOREIGN_REFUND
          ? `the whole amount, and not recorded yet: ceku order refund ${outTradeNo} --paid-back --note <how>; else: ceku order resolve ${outTradeNo} --note <what you did>`
          : `ceku order resolve ${outTradeNo} --note <what you did>`,
    })),
    ...strays.map(({ outTradeNo, channel, deliveries }) => ({
      kind: 'unknown-number' as const,
      outTradeNo: outTradeNo ?? '',
      what: `${CHANNEL_NAME[channel]} notified ${deliveries} times of a payment for a number that is not known here`,
      command: `look it up with the provider, then: ceku order resolve ${outTradeNo} --note <what you did>`,
    })),
    ...toVoid.map(({ outTradeNo, invoiceNo }) => ({
      kind: 'invoice-to-void' as const,
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

const CASE_KINDS: CaseKind[] = [
  'put-aside',
  'refund-failed',
  'refund-slow',
  'difference',
  'unknown-number',
  'invoice-to-void',
];

/** Measures what of payments waits for a person, and how the providers' clocks differ, for /metrics. */
export async function measurePayment(ctx: Ctx): Promise<Measurement[]> {
  const [cases, invoices, refused] = await Promise.all([
    listOpenCases(ctx),
    countInvoiceRequests(ctx.db),
    selectRefusals(ctx.db, dayText(new Date(ctx.clock.now()))),
  ]);
  const gateways = CHANNELS.flatMap((channel) => ctx.gateways[channel] ?? []);
  const sum = (rows: readonly { count: number }[]) => rows.reduce((total, { count }) => total + count, 0);
  return [
    {
      name: 'ceku_payment_cases',
      help: 'Open cases of payments that wait for the operator: ceku order report lists them.',
      values: CASE_KINDS.map((kind) => ({
        labels: { kind },
        value: cases.filter((each) => each.kind === kind).length,
      })),
    },
    {
      name: 'ceku_invoice_requests',
      help: 'Invoices that members asked for and that wait for the operator.',
      values: [{ value: invoices }],
    },
    {
      name: 'ceku_payment_notifications_refused_today',
      help: 'Requests to the notification addresses that were not genuine, on this day in Shanghai.',
      values: gateways.map(({ channel }) => ({
        labels: { channel },
        value: sum(refused.filter((row) => row.channel === channel)),
      })),
    },
    {
      name: 'ceku_payment_provider_clock_ahead_seconds',
      help: "How far the clock of a payment provider is ahead of this machine's, at its last answer.",
      values: gateways.flatMap((gateway) => {
        const value = gateway.clockAheadSeconds();
        return value === null ? [] : [{ labels: { channel: gateway.channel }, value }];
      }),
    },
  ];
}
