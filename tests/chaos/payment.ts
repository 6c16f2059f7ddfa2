// Three nodes over one PostgreSQL take orders and payments while the nodes are killed (kill -9), PostgreSQL crashes, and both
// payment providers fail and lie at random. In the end what the providers were paid is compared with the orders. Run:
// npx node tests/chaos/payment.ts [--orders 10000] [--kills 50] [--crashes 5] [--seed 1] [--minutes 30]
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSession } from '../../src/accounts/server/sessions.ts';
import { createUser } from '../../src/accounts/server/users.ts';
import { verifyLedger } from '../../src/membership/server/verify-ledger.ts';
import { accountsOf, openOutside } from '../../src/outside/server.ts';
import { refundedFen as alipayRefundedFen } from '../../src/outside/alipay/trades.ts';
import { refundedFen as wechatRefundedFen } from '../../src/outside/wechat-pay/refunds.ts';
import { gatewaysOfOutside, openGateways } from '../../src/payment/server/adapters/gateways.ts';
import { lookUpOrder } from '../../src/payment/server/check-order.ts';
import { sendRefund } from '../../src/payment/server/refunds.ts';
import { selectUnpaidSince } from '../../src/payment/server/store/bills.ts';
import { selectRefundsIn } from '../../src/payment/server/store/refunds.ts';
import { orders as orderTable } from '../../src/payment/server/tables.ts';
import { verifyOrders } from '../../src/payment/server/operator/verify-orders.ts';
import { createLog } from '../../src/platform/log.ts';
import { listPrices } from '../../src/prices/contract.ts';
import { expectOk } from '../../src/protocol/call.ts';
import { post } from '../money/http-nodes.ts';
import { control } from '../outside.ts';
import { openScratchDatabase } from '../scratch-database.ts';
import { openTestApp } from '../test-app.ts';
import { openChaosNodes, randomOf, type ChaosNodes } from './nodes.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '50' },
    crashes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
  },
});
const ORDERS = Math.min(Number(values.orders), 100_000);
const KILLS = Math.min(Number(values.kills), 500);
const CRASHES = Math.min(Number(values.crashes), 50);
const GIVE_UP_AT = Date.now() + Number(values.minutes) * 60_000;
const CLIENTS = 16;
const USERS = 400;
/** All orders must be settled this long after the last fault. */
const CONVERGE_MS = 60_000;
const ASKED_AT_ONCE = 12;
/** Waits between repeated notifications, as a part of the vendors' own: 15 s are 15 ms. */
const RETRY_SCALE = 0.001;

const CHANNELS = ['wechat', 'alipay'] as const;
const CODE_PATHS = { wechat: '/api/pay/wxpayQrcode', alipay: '/api/pay/alipayQrcode' };
const CHECK_PATHS = { wechat: '/api/pay/checkOrder', alipay: '/api/pay/checkAlipayOrder' };
const CONTROLS = { wechat: 'wechat-pay', alipay: 'alipay' };
/** Faults that both providers know, with the calls they may meet. */
const FAULTS = ['reset', '500', '429', 'lost', 'unsigned', 'wrong-sign', 'html', 'wrong-out-trade-no', 'dup-json-key'];
const NOTIFY_FAULTS = ['never', 'twice', 'reorder', 'unsigned', 'wrong-sign', 'html', 'lost'];
const CALLS = {
  wechat: ['native', 'query', 'close', 'refund', 'refund-query'],
  alipay: ['precreate', 'query', 'close', 'refund', 'refund-query'],
};

type User = { id: number; token: string };
type Channel = (typeof CHANNELS)[number];

const random = randomOf(Number(values.seed));
const startedAt = Date.now();
const problems: string[] = [];
const counts = { orders: 0, paid: 0, unanswered: 0, faults: 0, wrongAmounts: 0, late: 0 };
/** Numbers that a client was told are paid. */
const shownPaid = new Set<string>();
let isOver = false;

const log = createLog('silent');
const scratch = await openScratchDatabase({});
const outside = await openOutside({ host: '127.0.0.1', port: 0 });
const accounts = accountsOf(outside.world);
const gateways = openGateways(gatewaysOfOutside(accounts), { clock: { now: Date.now }, log });
const operator = await openTestApp({ database: scratch.database, gateways });
let chaos: ChaosNodes | null = null;
let convergedMs = 0;
try {
  for (const channel of CHANNELS)
    await control(outside, 'PUT', `${CONTROLS[channel]}/clock`, { retryScale: RETRY_SCALE });
  const users = await addUsers();
  const { items, vip, miao } = expectOk(await operator.call(listPrices, {}));
  const itemIds = [...items, ...vip, ...miao].map(({ id }) => id);
  const running = await openChaosNodes({
    program: 'tests/chaos/payment-node.ts',
    scratch,
    operator,
    env: { CHAOS_ACCOUNTS: JSON.stringify(accounts), WORKERS: '1' },
  });
  chaos = running;
  const work = Array.from({ length: CLIENTS }, () => buyForever(users, itemIds));
  await breakThings(running);
  isOver = true;
  await Promise.all(work);
  for (const channel of CHANNELS) await control(outside, 'DELETE', `${CONTROLS[channel]}/faults`);
  convergedMs = await converge();
  await running.killAll();
  await check();
} finally {
  isOver = true;
  await chaos?.killAll();
  await operator.close();
  await outside.close();
  await scratch.close();
}
const failures = chaos?.failures ?? [];
if (failures.length > 0) problems.push(`${failures.length} calls or more failed unexpectedly`);
console.log(
  JSON.stringify({
    suite: 'payment-chaos',
    seed: Number(values.seed),
    ...counts,
    ...chaos?.counts,
    shownPaid: shownPaid.size,
    convergedMs,
    seconds: seconds(),
    violations: problems.length,
    problems: problems.slice(0, 20),
    failures,
  }),
);
process.exitCode = problems.length > 0 ? 1 : 0;

async function addUsers(): Promise<User[]> {
  const users: User[] = [];
  for (let index = 0; index < USERS; index += 1) {
    const id = await createUser(operator.ctx, { username: null, password: null, phone: null, nickname: '小策' });
    const login = id === null ? null : await openSession(operator.ctx, [], id);
    if (id === null || !login) throw new Error('the user was not created');
    users.push({ id, token: login.authToken });
  }
  return users;
}

/** Spreads kills and crashes over the orders, and returns when all of them are made. */
async function breakThings(nodes: ChaosNodes): Promise<void> {
  const events = KILLS + CRASHES;
  for (let event = 1; event <= events; event += 1) {
    await reach(Math.floor((ORDERS * event) / (events + 1)));
    const crashesByNow = Math.floor((CRASHES * event) / events);
    if (nodes.counts.crashes < crashesByNow) await nodes.crashDatabase();
    else await nodes.killAndStart();
    const { kills, crashes } = nodes.counts;
    console.error(`${counts.orders} orders, ${counts.paid} paid, ${kills} kills, ${crashes} crashes, ${seconds()} s`);
  }
  await reach(ORDERS);
  await nodes.whenStarted();
}

async function reach(orders: number): Promise<void> {
  while (counts.orders < orders) {
    if (Date.now() > GIVE_UP_AT) throw new Error(`out of time after ${counts.orders} orders`);
    await wait(20);
  }
}

function seconds(): number {
  return Math.round((Date.now() - startedAt) / 1000);
}

async function buyForever(users: User[], itemIds: number[]): Promise<void> {
  while (!isOver) {
    const user = users[random(users.length)];
    const itemId = itemIds[random(itemIds.length)];
    if (!user || itemId === undefined) continue;
    // Now and then the same item through both channels, or two items: codes that are all paid.
    const channels = random(5) === 0 ? CHANNELS : [CHANNELS[random(2)] ?? 'wechat'];
    const made = await Promise.all(channels.map((channel) => order(user, channel, itemId)));
    await Promise.all(made.flatMap((one) => (one && random(10) < 8 ? [payAndLook(user, one)] : [])));
  }
}

type Made = { channel: Channel; no: string; fen: number };

async function order(user: User, channel: Channel, itemId: number): Promise<Made | null> {
  await scriptSometimes(channel);
  const reply = await ask(user, CODE_PATHS[channel], { item_id: itemId });
  if (reply?.code !== 0) {
    if (reply && ![60, 503].includes(reply.code)) problems.push(`${CODE_PATHS[channel]} answered ${reply.code}`);
    return null;
  }
  counts.orders += 1;
  return { channel, no: String(reply.data['out_trade_no']), fen: Number(reply.data['total_fee']) };
}

async function payAndLook(user: User, { channel, no, fen }: Made): Promise<void> {
  const path = `${CONTROLS[channel]}/pay`;
  const isWrong = random(100) === 0;
  const isLate = channel === 'wechat' && random(20) === 0;
  if (isLate) {
    await control(outside, 'POST', `${CONTROLS[channel]}/close`, { no }).catch(() => undefined);
    counts.late += 1;
  }
  const paid = control(outside, 'POST', path, {
    no,
    ...(isWrong && { amountFen: fen + 1 }),
    ...(isLate && { isLate: true }),
  }).then(
    () => (counts.paid += 1),
    () => undefined,
  );
  if (isWrong) counts.wrongAmounts += 1;
  for (let poll = 0; poll < 3; poll += 1) {
    const reply = await ask(user, CHECK_PATHS[channel], { out_trade_no: no });
    const state = reply?.code === 0 ? String(reply.data['trade_state']) : '';
    if (/SUCCESS$/.test(state)) shownPaid.add(no);
    // INV-17: once shown paid, never unpaid again.
    else if (shownPaid.has(no) && state !== '' && !/REFUND|CLOSED/.test(state))
      problems.push(`${no} was paid and is ${state}`);
    await wait(random(40));
  }
  await paid;
}

async function scriptSometimes(channel: Channel): Promise<void> {
  if (random(4) !== 0) return;
  const isNotify = random(2) === 0;
  const [calls, faults] = isNotify ? [['notify'], NOTIFY_FAULTS] : [CALLS[channel], FAULTS];
  const [call, fault] = [calls[random(calls.length)], faults[random(faults.length)]];
  counts.faults += 1;
  await control(outside, 'POST', `${CONTROLS[channel]}/faults`, { call, fault, n: 5 });
}

/** Asks any node; null when there was no answer. */
async function ask(user: User, path: string, body: object) {
  const node = chaos?.nodes[random(chaos.nodes.length)];
  const reply = node && (await post(node.origin, path, user.token, body).catch(() => null));
  if (reply && reply.code !== 503) return reply;
  counts.unanswered += 1;
  // A node that is down refuses at once: without a pause the clients would do nothing but ask it.
  await wait(10);
  return reply ?? null;
}

/** Does what `ceku order reconcile` and the refund jobs do until nothing is open; returns how long that took. */
async function converge(): Promise<number> {
  const from = Date.now();
  for (;;) {
    const unpaid = await selectUnpaidSince(operator.ctx.db, new Date(startedAt - 1_000), 100_000);
    // The workers of three nodes ask about the same number of orders at once.
    for (let at = 0; at < unpaid.length; at += ASKED_AT_ONCE)
      await Promise.all(unpaid.slice(at, at + ASKED_AT_ONCE).map((one) => lookUpOrder(operator.ctx, one)));
    for (const refund of await selectRefundsIn(operator.ctx.db, ['asked', 'processing']))
      await sendRefund(operator.ctx, refund).catch(() => undefined);
    const open = await selectRefundsIn(operator.ctx.db, ['asked', 'processing', 'failed']);
    const tookMs = Date.now() - from;
    if (open.length === 0) return tookMs;
    if (tookMs > CONVERGE_MS * 2) {
      problems.push(`${open.length} refunds are still open: ${open[0]?.state} ${open[0]?.failure}`);
      return tookMs;
    }
    await wait(100);
  }
}

/** Compares the records of each provider with the orders. */
async function check(): Promise<void> {
  if (convergedMs > CONVERGE_MS) problems.push(`it took ${convergedMs} ms to converge`);
  const violations = [
    ...(await verifyOrders(operator.ctx)).violations,
    ...(await verifyLedger(operator.ctx)).violations,
  ];
  problems.push(...violations.map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`));

  const { wechatPay, alipay } = outside.world;
  const truth = new Map<string, { paidFen: number; refundedFen: number }>();
  for (const one of wechatPay.orders.values())
    if (one.paidAt !== null)
      truth.set(one.outTradeNo, { paidFen: one.paidFen, refundedFen: wechatRefundedFen(wechatPay, one) });
  for (const one of alipay.trades.values())
    if (one.paidAt !== null) truth.set(one.outTradeNo, { paidFen: one.totalFen, refundedFen: alipayRefundedFen(one) });

  const rows = await operator.ctx.db.select().from(orderTable);
  for (const { outTradeNo: no, status, paidFen } of rows) {
    const known = truth.get(no);
    if (!known && paidFen !== null) problems.push(`${no} is ${status}, and nobody has paid it`);
    if (!known) continue;
    if (paidFen !== known.paidFen) problems.push(`${no} is ${status}: ${paidFen} fen here, ${known.paidFen} there`);
    const refundedHere = status === 'refunded' ? paidFen : 0;
    if (refundedHere !== known.refundedFen)
      problems.push(`${no}: ${refundedHere} paid back here, ${known.refundedFen} there`);
    truth.delete(no);
  }
  for (const no of truth.keys()) problems.push(`${no} was paid, and there is no such order`);
  const byNumber = new Map(rows.map((row) => [row.outTradeNo, row]));
  for (const no of shownPaid)
    if (byNumber.get(no)?.fulfilledAt == null)
      problems.push(`${no} was shown as paid, and is ${byNumber.get(no)?.status}`);
}
