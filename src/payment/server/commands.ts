import { InvalidArgumentError, type Command } from 'commander';
import { ProviderRefused, ProviderUnavailable } from '../../accounts/ports.ts';
import type { Ctx, Open } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { commandGroup, EXIT, OperatorError, printResult, wholeNumber, type Json } from '../../platform/command-line.ts';
import { JobPostponed } from '../../platform/jobs/postpone.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { yuanText } from '../../prices/server/price-list.ts';
import { invoiceStateOf } from '../invoice-rules.ts';
import { CHANNELS, type Channel } from '../ports.ts';
import { CHANNEL_NAME, isOpen, isTradeNumber, isUnpaid } from '../rules.ts';
import { compareBill } from './operator/bills.ts';
import { closeOrder, lookUpOrder } from './check-order.ts';
import { invoiceCommands } from './invoices/invoice-commands.ts';
import { recordPaidBack, startRefund } from './refunds.ts';
import { reportDay, reportText } from './operator/report.ts';
import { testPayment } from './operator/self-test.ts';
import { acceptMismatch, FOREIGN_REFUND } from './settle-order.ts';
import { selectUnpaidSince } from './store/bills.ts';
import {
  hasOpenDifference,
  selectNoticesOf,
  updateDifferencesResolved,
  updateNoticesResolved,
} from './store/notices.ts';
import { selectInvoiceOf } from './store/invoices.ts';
import { selectOrder } from './store/orders.ts';
import { selectRefundOf } from './store/refunds.ts';
import type { Order, Refund } from './tables.ts';
import { verifyOrders } from './operator/verify-orders.ts';

const MAX_QUERIES = 5_000;

/** Adds `ceku order show|query|close|refund|reconcile|resolve|report|verify|check`, and `ceku order invoice …`. */
export function paymentCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'order', 'orders and payments');
  const ofOrder = commandsOfOrder(group);
  ofOrder('show', 'show an order: its states, its payment, its notifications, its refund').action(
    (number: string, options: Json) => open((ctx) => show(ctx, number, options)),
  );
  ofOrder('query', 'ask the provider about an order, and apply what it says').action((number: string, options: Json) =>
    open((ctx) =>
      change(
        ctx,
        number,
        options,
        (order) => lookUpOrder(ctx, order),
        (order) => whyNotDone(ctx, order),
      ),
    ),
  );
  ofOrder('close', 'close an unpaid order with the provider, so that nobody can pay it any more').action(
    (number: string, options: Json) =>
      open((ctx) =>
        change(
          ctx,
          number,
          options,
          (order) => (isUnpaid(order.status) ? closeOrder(ctx, order) : order),
          whyNotClosed,
        ),
      ),
  );
  ofOrder('refund', 'pay a paid order back, and take its coins or days back; sends a failed refund again')
    .option('--note <text>', 'why, kept with the refund', '')
    .option('--keep-goods', 'leave the coins or the days with the buyer')
    .option(
      '--paid-back',
      'send nothing: the money went back by another way, which --note says without names and accounts of persons',
    )
    .action((number: string, options: Json & RefundOptions) =>
      open((ctx) => (options.paidBack ? paidBack(ctx, number, options) : refund(ctx, number, options))),
    );
  ofOrder('resolve', 'decide a case that "ceku order report" shows')
    .option('--accept', 'grant the goods of a payment that was put aside')
    .option('--refund', 'pay a payment that was put aside back')
    .option('--note <text>', 'why, with --refund; alone: close the other cases of this number, and say what you did')
    .action((number: string, options: Json & Resolution) => open((ctx) => resolve(ctx, number, options)));
  group
    .command('reconcile')
    .description('ask the providers about all unpaid orders of the last hours, or compare the bills of a day')
    .option('--day <day>', 'compare the bills of this day (YYYY-MM-DD)', shanghaiDay)
    .option('--hours <count>', 'ask about unpaid orders made in these last hours', wholeNumber(1, 720), 24)
    .option('--json', 'as JSON')
    .action((options: Json & { day?: string; hours: number }) => open((ctx) => reconcile(ctx, options)));
  group
    .command('report')
    .description('sales and refunds of a day, refused notifications, and every open case')
    .option('--day <day>', 'YYYY-MM-DD; today unless given', shanghaiDay)
    .option('--json', 'as JSON')
    .action((options: Json & { day?: string }) => open((ctx) => report(ctx, options)));
  group
    .command('verify')
    .description('check that orders, goods and refunds agree')
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => verify(ctx, options)));
  group
    .command('check')
    .description('try out accounts, keys, notification addresses and NOTIFY_URL, while the site runs; sells nothing')
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => check(ctx, options)));
  const invoices = group.command('invoice').description('invoices that buyers asked for (发票)');
  invoiceCommands(invoices, open, commandsOfOrder(invoices));
}

type RefundOptions = { note: string; keepGoods?: boolean; paidBack?: boolean };
type Resolution = { accept?: boolean; refund?: boolean; note?: string };

/** Returns how a command of `group` begins that takes the number of an order. */
const commandsOfOrder = (group: Command) => (name: string, description: string) =>
  group
    .command(name)
    .description(description)
    .argument('<number>', 'the number of the order (M and 24 characters)', tradeNo)
    .option('--json', 'as JSON');

function tradeNo(text: string): string {
  if (isTradeNumber(text)) return text;
  throw new InvalidArgumentError('A number of an order is M and 24 digits and capital letters.');
}

function shanghaiDay(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T12:00:00+08:00`) : null;
  if (at && !Number.isNaN(at.getTime()) && dayText(at) === text) return text;
  throw new InvalidArgumentError('A day is written like 2026-03-01.');
}

async function findOrder(ctx: Ctx, number: string): Promise<Order> {
  const order = await selectOrder(ctx.db, number);
  if (order) return order;
  throw new OperatorError('There is no order of that number.', EXIT.data);
}

async function show(ctx: Ctx, number: string, options: Json): Promise<void> {
  const order = await findOrder(ctx, number);
  const [refund, notices, invoice] = await Promise.all([
    selectRefundOf(ctx.db, order.id),
    selectNoticesOf(ctx.db, number),
    selectInvoiceOf(ctx.db, order.id),
  ]);
  const { codeContent: _codeContent, ...facts } = order;
  const lines = [
    orderText(order),
    `user ${order.userId}, made ${timeText(order.createdAt)}, expires ${timeText(order.expiresAt)}`,
    ...(order.paidAt
      ? [
          `paid ${timeText(order.paidAt)}: ${order.paidFen} fen ${order.paidCurrency}, transaction ${order.transactionId}`,
        ]
      : []),
    ...(order.fulfilledAt ? [`fulfilled ${timeText(order.fulfilledAt)}`] : []),
    ...(order.mismatch ? [`put aside: ${order.mismatch}`] : []),
    ...(refund
      ? [`refund ${refund.refundNo} of ${yuanText(refund.amountFen)} (${refund.reason}): ${refundText(refund)}`]
      : []),
    ...(invoice
      ? [`invoice for ${invoice.title}: ${invoiceStateOf(invoice.state, order.status)} ${invoice.invoiceNo}`.trim()]
      : []),
    ...notices.map(
      ({ kind, outcome, deliveries, receivedAt }) =>
        `notified ${timeText(receivedAt)} of ${kind}: ${outcome}, delivered ${deliveries} times`,
    ),
  ];
  printResult(options, { ...facts, refund, invoice, notices }, lines.join('\n'));
}

function refundText({ state, failure, isPaidElsewhere, keepsGoods, note, refundNo, closedNumbers }: Refund): string {
  const earlier = closedNumbers.filter((each) => each !== refundNo);
  const facts = [
    isPaidElsewhere ? `${state} by another way: ${note}` : `${state} ${failure}`.trim(),
    earlier.length > 0 && `closed by the provider: ${earlier.join(', ')}`,
    keepsGoods && 'the buyer keeps the goods',
    note && !isPaidElsewhere && `note: ${note}`,
  ];
  return facts.filter(Boolean).join('; ');
}

const orderText = ({ outTradeNo, channel, description, priceFen, status }: Order) =>
  `${outTradeNo}  ${CHANNEL_NAME[channel]}  ${description}  ${yuanText(priceFen)}  ${status}`;

/** Shanghai time to the second. */
const timeText = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().replace('T', ' ').slice(0, 19);

/** Does something with an order and says how it stands then. */
async function change(
  ctx: Ctx,
  number: string,
  options: Json,
  work: (order: Order) => Promise<Order> | Order,
  /** Returns why the command changed nothing, in the operator's words; "" when unknown. */
  why: (order: Order) => Promise<string> | string = () => '',
): Promise<void> {
  const before = await findOrder(ctx, number);
  if (!ctx.gateways[before.channel])
    throw new OperatorError(
      `${CHANNEL_NAME[before.channel]} is not configured here. The pretend one of a demo is there while the site runs.`,
      EXIT.unavailable,
    );
  const after = await sayWhyNot(async () => work(before));
  const words =
    before.status === after.status ? `Nothing changed. ${await why(after)}`.trim() : `It was ${before.status}.`;
  printResult(options, { number, before: before.status, status: after.status }, `${orderText(after)}\n${words}`);
}

/** Says of an order that stands as it did what the provider holds against it. */
const whyNotDone = async (ctx: Ctx, { channel, outTradeNo }: Order) =>
  (await hasOpenDifference(ctx.db, outTradeNo, FOREIGN_REFUND))
    ? `${CHANNEL_NAME[channel]} says that money of this order was sent back: "ceku order report" has the case.`
    : '';

/** Alipay knows an order only once its code was scanned. */
const whyNotClosed = ({ channel, status, expiresAt }: Order) =>
  isOpen(status)
    ? `${CHANNEL_NAME[channel]} does not close it now, as Alipay does with a code that nobody has scanned. It ends by itself at ${timeText(expiresAt)}.`
    : '';

/** Says in plain words why a provider did not do what was asked. */
async function sayWhyNot<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw new OperatorError(`${error.message}. Try again.`, EXIT.unavailable);
    if (error instanceof ProviderRefused) throw new OperatorError(`${error.message}.`, EXIT.data);
    if (error instanceof JobPostponed) throw new OperatorError(`${error.message}.`, EXIT.unavailable);
    throw error;
  }
}

const coinsSpent = () =>
  new OperatorError(
    'The coins of this order were spent. Nothing changed. --keep-goods pays back all the same.',
    EXIT.data,
  );
const notRefundable = ({ status }: Order) =>
  new OperatorError(`The order is ${status}: there is nothing to pay back. Nothing changed.`, EXIT.data);

async function refund(ctx: Ctx, number: string, options: Json & RefundOptions): Promise<void> {
  const order = await findOrder(ctx, number);
  const { note, keepGoods = false } = options;
  const outcome = await startRefund(ctx, number, { note, keepsGoods: keepGoods });
  if (outcome === 'spent') throw coinsSpent();
  if (outcome === 'not-refundable') throw notRefundable(order);
  const words = outcome === 'retried' ? 'The refund is sent again' : `${yuanText(order.paidFen ?? 0)} go back`;
  const goods = outcome === 'retried' && keepGoods ? ' The goods were dealt with when the refund began.' : '';
  printResult(
    options,
    { number, refund: outcome },
    `${words}; the site sends it to ${CHANNEL_NAME[order.channel]}.${goods}`,
  );
}

async function paidBack(ctx: Ctx, number: string, options: Json & RefundOptions): Promise<void> {
  const note = options.note.trim();
  if (note === '') throw new OperatorError('--paid-back needs --note <how the money went back>.', EXIT.usage);
  const order = await findOrder(ctx, number);
  const outcome = await recordPaidBack(ctx, number, { note, keepsGoods: options.keepGoods ?? false });
  if (outcome === 'spent') throw coinsSpent();
  if (outcome === 'not-refundable') throw notRefundable(order);
  if (outcome === 'under-way')
    throw new OperatorError(
      `The refund of this order is not a day old: ${CHANNEL_NAME[order.channel]} may still carry it out. Nothing changed.`,
      EXIT.data,
    );
  const wasBegun =
    order.status === 'refunding' && options.keepGoods ? ' The goods were dealt with when the refund began.' : '';
  const words =
    outcome === 'known'
      ? 'It was refunded before. Nothing changed.'
      : `${yuanText(order.paidFen ?? 0)} are recorded as paid back.${wasBegun}`;
  printResult(options, { number, refund: outcome }, words);
}

async function resolve(ctx: Ctx, number: string, options: Json & Resolution): Promise<void> {
  const { accept = false, refund: isRefund = false } = options;
  // An empty note says nothing of what was done, so it closes no case.
  const note = options.note?.trim() || undefined;
  if (Number(accept) + Number(isRefund) + Number(note !== undefined && !isRefund) !== 1)
    throw new OperatorError(
      'Say one of --accept, --refund or --note <what you did>; --refund may have a --note.',
      EXIT.usage,
    );
  if (!accept && !isRefund) {
    const at = new Date(ctx.clock.now());
    const closed =
      (await updateDifferencesResolved(ctx.db, number, note ?? '', at)) +
      (await updateNoticesResolved(ctx.db, number, note ?? '', at));
    if (closed === 0) throw new OperatorError('There is no open case of that number.', EXIT.data);
    printResult(options, { number, closed }, `Closed: ${closed}.`);
    return;
  }
  const order = await findOrder(ctx, number);
  if (order.status !== 'mismatch')
    throw new OperatorError(`The order is ${order.status}, not put aside. Nothing changed.`, EXIT.data);
  if (isRefund) return refund(ctx, number, { ...options, note: note ?? order.mismatch });
  if (!(await acceptMismatch(ctx, number)))
    throw new OperatorError('The account of this order was erased, or it changed at this moment.', EXIT.data);
  printResult(options, { number, status: 'fulfilled' }, `${number} is fulfilled: the buyer has what was ordered.`);
}

async function reconcile(ctx: Ctx, options: Json & { day?: string; hours: number }): Promise<void> {
  if (options.day !== undefined) return compareDay(ctx, options, options.day);
  const since = new Date(ctx.clock.now() - (options.hours * DAY_MS) / 24);
  const orders = await selectUnpaidSince(ctx.db, since, MAX_QUERIES);
  const counts = { asked: 0, changed: 0, unanswered: 0 };
  for (const order of orders.filter(({ channel }) => ctx.gateways[channel])) {
    counts.asked += 1;
    try {
      if ((await lookUpOrder(ctx, order)).status !== order.status) counts.changed += 1;
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
      counts.unanswered += 1;
    }
  }
  const { asked, changed, unanswered } = counts;
  printResult(options, counts, `Asked about ${asked} orders: ${changed} changed, ${unanswered} without an answer.`);
  if (unanswered > 0) throw new OperatorError('Some orders could not be asked about. Try again.', EXIT.partial);
}

async function compareDay(ctx: Ctx, options: Json, day: string): Promise<void> {
  if (day >= dayText(new Date(ctx.clock.now())))
    throw new OperatorError(`${day} is not over in Shanghai: its bill is made the next morning.`, EXIT.data);
  const channels = CHANNELS.filter((channel) => ctx.gateways[channel]);
  if (channels.length === 0) throw new OperatorError('No payment provider is configured here.', EXIT.unavailable);
  const results = [];
  const failures: { channel: Channel; why: string }[] = [];
  for (const channel of channels) {
    try {
      results.push({ channel, ...(await sayWhyNot(() => compareBill(ctx, channel, day))) });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      failures.push({ channel, why: error.message });
    }
  }
  const words = results.map(
    ({ channel, lines, paidFen, refundedFen, settled, differences }) =>
      `${CHANNEL_NAME[channel]}: ${lines} lines, ${yuanText(paidFen)} paid, ${yuanText(refundedFen)} paid back; ` +
      `${settled} payments applied only now, ${differences} new cases`,
  );
  const notCompared = failures.map(({ channel, why }) => `${CHANNEL_NAME[channel]}: not compared. ${why}`);
  printResult(options, { day, results, failures }, [...words, ...notCompared].join('\n'));
  if (failures.length > 0) throw new OperatorError('Not every bill was compared. Try again.', EXIT.partial);
  if (results.some(({ differences }) => differences > 0))
    throw new OperatorError('The bill and the orders differ: "ceku order report" lists the cases.', EXIT.partial);
}

async function report(ctx: Ctx, options: Json & { day?: string }): Promise<void> {
  const facts = await reportDay(ctx, options.day ?? dayText(new Date(ctx.clock.now())));
  printResult(options, facts, reportText(facts));
}

async function verify(ctx: Ctx, options: Json): Promise<void> {
  const facts = await verifyOrders(ctx);
  const { orders, paid, refunds } = facts.checked;
  const lines = [
    ...facts.violations.map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`),
    `checked: ${orders} orders, ${paid} paid, ${refunds} refunds`,
    `violations: ${facts.violations.length}`,
  ];
  printResult(options, facts, lines.join('\n'));
  if (facts.violations.length > 0) throw new OperatorError('The orders do not add up.', EXIT.partial);
}

async function check(ctx: Ctx, options: Json): Promise<void> {
  const checks = await testPayment(ctx);
  const marks = { true: 'right', false: 'WRONG', null: '–' };
  const lines = checks.map(({ subject, isRight, detail }) => `${marks[`${isRight}`].padEnd(5)}  ${subject}: ${detail}`);
  printResult(options, { checks }, lines.join('\n'));
  if (Object.values(ctx.gateways).every((gateway) => gateway === null))
    throw new OperatorError('No payment provider is configured here.', EXIT.unavailable);
  if (checks.some(({ isRight }) => isRight === false))
    throw new OperatorError('Payment is not ready: docs/operations.md says what each message means.', EXIT.partial);
}
