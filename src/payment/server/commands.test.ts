import { once } from 'node:events';
import { createServer } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkOrders, openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { typeCommand } from '../../../tests/type-command.ts';
import { dayText } from '../../library/rules.ts';
import { expectOk } from '../../protocol/call.ts';
import { listOrders } from '../contract.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { askForBills, compareBill } from './operator/bills.ts';
import { upsertBill } from './store/bills.ts';
import { paymentCommands } from './commands.ts';
import { applyRefund, recordPaidBack, sendRefund } from './refunds.ts';
import { selectRefundOf } from './store/refunds.ts';
import { sweepOrders } from './sweep.ts';

let paying: PayingApp;
beforeAll(async () => {
  paying = await openPayingApp();
});
afterAll(() => paying.app.close());
afterEach(() => checkOrders(paying.app));

const ceku = (...argv: string[]) =>
  typeCommand((program) => paymentCommands(program, (work) => work(paying.app.ctx)), ['order', ...argv]);

async function ordered(itemId = paying.pack.id) {
  const buyer = await paying.addBuyer();
  return { ...buyer, no: await paying.order(buyer.token, itemId) };
}

async function paid(itemId = paying.pack.id) {
  const bought = await ordered(itemId);
  await paying.notify('wechat', paying.wechat.pay(bought.no));
  return bought;
}

const UNKNOWN = 'M202603020030000000000000';

/** The merchant refunds an order on WeChat Pay's console: the site did not ask for it. */
function refundAtConsole(no: string): void {
  const trade = paying.wechat.trades.get(no);
  if (!trade) throw new Error('it was ordered');
  trade.refund = { outTradeNo: no, refundNo: 'by hand', refundFen: 1_000, totalFen: 1_000, reason: '', notifyUrl: '' };
}

describe('ceku order', () => {
  test('show: states, payment and notifications of an order', async () => {
    const { no, id } = await paid();
    const { code, out } = await ceku('show', no);
    expect(code).toBe(0);
    expect(out).toContain(`${no}  WeChat Pay  100 喵币  ¥10.00  fulfilled`);
    expect(out).toContain(`user ${id}, made `);
    expect(out).toMatch(/paid .+: 1000 fen CNY, transaction 4200/);
    expect(out).toContain('of paid: fulfilled, delivered 1 times');
    expect(JSON.parse((await ceku('show', no, '--json')).out)).toMatchObject({ outTradeNo: no, status: 'fulfilled' });
  });

  test.each([
    [['show', UNKNOWN], 65, /no order of that number/],
    [['show', 'x'], 2, /M and 24/],
    [['report', '--day', '2026-02-30'], 2, /like 2026-03-01/],
    [['reconcile', '--hours', '0'], 2, /whole number/],
    [['resolve', UNKNOWN], 2, /--accept, --refund or --note/],
    [['resolve', UNKNOWN, '--accept', '--refund'], 2, /--accept, --refund or --note/],
    [['resolve', UNKNOWN, '--accept', '--note', 'x'], 2, /--accept, --refund or --note/],
    [['resolve', UNKNOWN, '--note', 'x'], 65, /no open case/],
    [['resolve', UNKNOWN, '--note', ' '], 2, /--accept, --refund or --note/],
    [['reconcile', '--day', '2999-01-01'], 65, /2999-01-01 is not over in Shanghai/],
    [['refund', UNKNOWN], 65, /no order of that number/],
  ])('%j ends with %i in plain words', async (argv, expected, words) => {
    const { code, err } = await ceku(...argv);
    expect(code).toBe(expected);
    expect(err).toMatch(words);
    expect(err).not.toContain('    at ');
  });

  test('query applies what the provider says; a provider that is away is said', async () => {
    const { no } = await ordered();
    expect((await ceku('query', no)).out).toContain('Nothing changed.');
    paying.wechat.pay(no);
    paying.wechat.away.add('findPayment');
    const failed = await ceku('query', no);
    expect([failed.code, failed.err]).toEqual([69, expect.stringContaining('is not available: is away. Try again.')]);
    paying.wechat.away.clear();
    expect((await ceku('query', no)).out).toContain('fulfilled\nIt was pending.');
  });

  test('query of a fulfilled order whose money the provider has sent back: a case, and it is said', async () => {
    const { no } = await paid();
    expect((await ceku('query', no)).out).toMatch(/fulfilled\nNothing changed\.$/m);
    refundAtConsole(no);
    for (const _again of [1, 2])
      expect((await ceku('query', no)).out).toContain('WeChat Pay says that money of this order was sent back');
    const report = (await ceku('report')).out.split(no).length - 1;
    expect(report).toBeGreaterThan(0);
    expect((await ceku('refund', no, '--paid-back', '--note', 'console')).code).toBe(0);
    expect((await ceku('report')).out).not.toContain(no);
    expect((await ceku('query', no)).out).toContain('refunded\nNothing changed.');
  });

  test('close closes with the provider; a paid order is fulfilled instead', async () => {
    const [unpaid, late] = [await ordered(), await ordered()];
    expect((await ceku('close', unpaid.no)).out).toContain('closed\nIt was pending.');
    expect(paying.wechat.trades.get(unpaid.no)?.isClosed).toBe(true);
    paying.wechat.pay(late.no);
    expect((await ceku('close', late.no)).out).toContain('fulfilled\nIt was pending.');
    expect((await ceku('close', late.no)).out).toMatch(/fulfilled\nNothing changed\.$/m);
  });

  test('refund: once, of a paid order only', async () => {
    const { no } = await paid();
    const { no: unpaid } = await ordered();
    expect((await ceku('refund', unpaid)).err).toContain('The order is pending: there is nothing to pay back.');
    expect((await ceku('refund', no, '--note', 'wish')).out).toContain(
      '¥10.00 go back; the site sends it to WeChat Pay.',
    );
    expect((await ceku('refund', no)).code).toBe(65);
    await sendRefund(
      paying.app.ctx,
      (await selectRefundOf(paying.app.ctx.db, (await paying.orderOf(no)).id)) ?? { refundNo: '' },
    );
    expect((await ceku('show', no)).out).toContain('(operator): succeeded; note: wish');
  });

  test('refund --keep-goods is kept with the refund, and a refund that left goods without it is a violation', async () => {
    const { no, token } = await paid();
    expect((await ceku('refund', no, '--keep-goods', '--note', 'goodwill')).code).toBe(0);
    expect((await paying.mine(token)).balance).toBe(paying.pack.coins);
    expect((await ceku('show', no)).out).toContain('(operator): asked; the buyer keeps the goods; note: goodwill');
    const { db } = paying.app.ctx;
    const { id } = await paying.orderOf(no);
    await db.execute(sql`update order_refunds set keeps_goods = false where order_id = ${id}`);
    const { code, out } = await ceku('verify');
    await db.execute(sql`update order_refunds set keeps_goods = true where order_id = ${id}`);
    expect([code, out]).toEqual([1, expect.stringContaining(`leaves them with the buyer: ${no}: refund R`)]);
  });

  test('resolve: a payment that was put aside is accepted or paid back', async () => {
    const [one, two] = [await ordered(), await ordered()];
    for (const { no } of [one, two]) await paying.notify('wechat', paying.wechat.pay(no, { amountFen: 1 }));
    const report = (await ceku('report')).out;
    expect(report).toContain(`${one.no}  payment put aside: paid 1 fen instead of 1000 fen`);
    expect((await ceku('resolve', one.no, '--accept')).out).toContain('is fulfilled');
    expect((await ceku('resolve', one.no, '--accept')).err).toContain('The order is fulfilled, not put aside');
    expect((await ceku('resolve', two.no, '--refund')).out).toContain('¥0.01 go back');
    expect((await paying.mine(one.token)).balance).toBe(paying.pack.coins);
    expect((await paying.mine(two.token)).balance).toBe(0);
    // A refund that succeeded after all, and a later one, have different reasons.
    expect((await ceku('refund', one.no)).out).toContain('go back');
    const reasonOf = async (token: string) =>
      expectOk(await paying.app.call(listOrders, {}, token)).items.map((item) => item.refund_reason);
    expect([await reasonOf(one.token), await reasonOf(two.token)]).toEqual([['operator'], ['mismatch']]);
    expect((await ceku('report')).out).not.toContain('payment put aside');
  });

  test('resolve: a payment for an unknown number waits, until somebody has looked', async () => {
    const payment = { ...paying.wechat.pay((await ordered()).no), outTradeNo: UNKNOWN };
    expect((await paying.notify('wechat', payment, { id: 'stray' })).status).toBe(503);
    expect((await ceku('report')).out).toContain(`${UNKNOWN}  WeChat Pay notified 1 times of a payment for a number`);
    expect((await ceku('resolve', UNKNOWN, '--note', 'another shop')).out).toContain('Closed: 1.');
    expect((await ceku('report')).out).not.toContain(UNKNOWN);
    expect((await paying.notify('wechat', payment, { id: 'stray' })).status).toBe(200);
  });

  test('reconcile asks about all unpaid orders', async () => {
    const { no } = await ordered();
    paying.wechat.pay(no);
    paying.alipay.away.add('findPayment');
    const buyer = await paying.addBuyer();
    await paying.order(buyer.token, paying.pack.id, 'alipay');
    const { code, out } = await ceku('reconcile');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/Asked about \d+ orders: \d+ changed, \d+ without an answer/),
    ]);
    expect(await paying.statusOf(no)).toBe('fulfilled');
    paying.alipay.away.clear();
    expect((await ceku('reconcile', '--hours', '1')).code).toBe(0);
  });

  test('verify says that everything agrees, and finds what does not', async () => {
    const { app } = paying;
    const { no } = await paid(paying.year.id);
    expect((await ceku('verify')).out).toMatch(/checked: \d+ orders, \d+ paid, \d+ refunds\nviolations: 0/);
    await app.ctx.db.execute(sql`update membership_grants set days = days + 1 where ref = ${no}`);
    const broken = await ceku('verify');
    expect([broken.code, broken.out]).toEqual([1, expect.stringContaining(`exactly its goods (INV-10): ${no}`)]);
    await app.ctx.db.execute(sql`update membership_grants set days = days - 1 where ref = ${no}`);
  });
});

describe('the bill of a day', () => {
  const today = () => dayText(new Date(paying.app.ctx.clock.now()));
  const casesOf = async (no: string) =>
    (await ceku('report')).out.split('\n').filter((line) => line.trim().startsWith(no));

  test('applies payments that nobody told of, and differs where the provider differs', async () => {
    const { app, wechat } = paying;
    const [silent, gone] = [await ordered(), await paid()];
    wechat.pay(silent.no);
    // The provider lost one, and has one that was never ordered here.
    const lost = wechat.trades.get(gone.no);
    wechat.trades.delete(gone.no);
    const stray = { ...lost, payment: lost?.payment && { ...lost.payment, outTradeNo: UNKNOWN } };
    if (!lost || !stray.payment) throw new Error('it was paid');
    wechat.trades.set(UNKNOWN, { ...lost, payment: stray.payment });
    const result = await compareBill(app.ctx, 'wechat', today());
    expect(result.settled).toBe(1);
    expect(await paying.statusOf(silent.no)).toBe('fulfilled');
    expect(await casesOf(gone.no)).toEqual([expect.stringContaining('not in the bill')]);
    expect(await casesOf(UNKNOWN)).toEqual([expect.stringContaining('a number that is not known here')]);
    expect((await compareBill(app.ctx, 'wechat', today())).differences).toBe(0);
    expect((await ceku('resolve', UNKNOWN, '--note', 'another shop')).out).toContain('Closed: 1.');
    expect(await casesOf(UNKNOWN)).toEqual([]);
    wechat.trades.delete(UNKNOWN);
    wechat.trades.set(gone.no, lost);
    const report = (await ceku('report', '--day', today())).out;
    expect(report).toMatch(/bill of WeChat Pay: \d+ payments ¥/);
    expect(report).toMatch(/WeChat Pay {2}100 喵币 {2}\d+ × fulfilled {2}¥/);
  });

  test('a refund that was made by hand with the provider is a case', async () => {
    const { no } = await paid();
    const trade = paying.wechat.trades.get(no);
    if (!trade) throw new Error('it was ordered');
    trade.refund = { outTradeNo: no, refundNo: 'by hand', refundFen: 5, totalFen: 1_000, reason: '', notifyUrl: '' };
    await compareBill(paying.app.ctx, 'wechat', today());
    expect(await casesOf(no)).toEqual([expect.stringContaining('a refund of 5 fen that was not made here')]);
  });

  test('every day without a bill is asked for again, thirty days back, from the first bill or order on', async () => {
    const { app } = paying;
    const dayBefore = (days: number) => dayText(new Date(app.ctx.clock.now() - days * 86_400_000));
    const askedDays = async (channel: string) => {
      const rows = await rowsOf<{ key: string }>(
        app.ctx.db,
        sql`select key from graphile_worker.jobs where key like ${`payment-bill ${channel} %`} order by key`,
      );
      return rows.map(({ key }) => key.slice(-10));
    };
    await app.ctx.db.execute(sql`delete from payment_bills`);
    await askForBills(app.ctx);
    expect(await askedDays('wechat')).toEqual([dayBefore(1)]);
    for (const days of [5, 3])
      await upsertBill(app.ctx.db, {
        channel: 'wechat',
        day: dayBefore(days),
        payments: 0,
        paidFen: 0,
        refunds: 0,
        refundedFen: 0,
        comparedAt: new Date(),
      });
    await askForBills(app.ctx);
    expect(await askedDays('wechat')).toEqual([dayBefore(4), dayBefore(2), dayBefore(1)]);
    const { offsetMs } = app.clock;
    app.clock.offsetMs += 100 * 86_400_000;
    await askForBills(app.ctx);
    app.clock.offsetMs = offsetMs;
    expect(await askedDays('wechat')).toHaveLength(33);
    await app.ctx.db.execute(sql`delete from payment_bills`);
    await app.ctx.db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);
  });

  test('reconcile --day compares what it can, and names the provider that has no bill', async () => {
    const day = dayText(new Date(paying.app.ctx.clock.now() - 86_400_000));
    paying.wechat.away.add('findBill');
    const { code, out, err } = await ceku('reconcile', '--day', day);
    paying.wechat.away.clear();
    expect([code, err]).toEqual([1, expect.stringContaining('Not every bill was compared.')]);
    expect(out).toMatch(/^Alipay: \d+ lines, .+\nWeChat Pay: not compared\. .+\.$/m);
    expect((await ceku('reconcile', '--day', day)).out).toMatch(/^WeChat Pay: \d+ lines/m);
    expect((await ceku('reconcile', '--day', today())).err).toContain('is not over in Shanghai');
  });

  test('a bill that is not ready, or a provider that is away, postpones the job', async () => {
    const { app, alipay } = paying;
    alipay.away.add('findBill');
    await expect(compareBill(app.ctx, 'alipay', today())).rejects.toMatchObject({ seconds: 300 });
    alipay.away.clear();
    const gateways = { ...app.ctx.gateways, alipay: { ...alipay.gateway, findBill: async () => 'not-ready' as const } };
    await expect(compareBill({ ...app.ctx, gateways }, 'alipay', today())).rejects.toMatchObject({ seconds: 1_800 });
  });
});

describe('ceku order refund --paid-back: money that went back by another way', () => {
  const back = (no: string, ...more: string[]) => ceku('refund', no, '--paid-back', '--note', 'bank transfer', ...more);
  const refundOf = async (no: string) => selectRefundOf(paying.app.ctx.db, (await paying.orderOf(no)).id);
  const send = async (no: string) => sendRefund(paying.app.ctx, (await refundOf(no)) ?? { refundNo: '' });
  const compareToday = () => compareBill(paying.app.ctx, 'wechat', dayText(new Date(paying.app.ctx.clock.now())));
  const hasCase = async (no: string) => (await ceku('report')).out.includes(no);

  async function failed() {
    const bought = await paid();
    await ceku('refund', bought.no);
    paying.wechat.answerRefunds({ state: 'failed', why: 'TRADE_HAS_FINISHED' });
    await send(bought.no);
    paying.wechat.answerRefunds(null);
    return bought;
  }

  test('a refund that the provider refuses for ever ends, and is no case any more', async () => {
    const { no, token } = await failed();
    expect(await hasCase(no)).toBe(true);
    const { code, out } = await back(no);
    expect([code, out]).toEqual([0, expect.stringContaining('¥10.00 are recorded as paid back.')]);
    expect(await paying.statusOf(no)).toBe('refunded');
    expect(await refundOf(no)).toMatchObject({ state: 'succeeded', failure: '', note: 'bank transfer' });
    expect((await ceku('show', no)).out).toContain('(operator): succeeded by another way: bank transfer');
    expect((await paying.mine(token)).balance).toBe(0);
    expect(await hasCase(no)).toBe(false);
    const again = await back(no);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing changed.')]);
    expect((await refundOf(no))?.finishedAt).not.toBeNull();
  });

  test.each([
    [[], 0],
    [['--keep-goods'], 100],
  ])('of a fulfilled order that was refunded at the console, with %j: its case ends as well', async (flags, left) => {
    const { no, token } = await paid();
    refundAtConsole(no);
    await compareToday();
    expect(await hasCase(no)).toBe(true);
    expect((await back(no, ...flags)).code).toBe(0);
    expect([await paying.statusOf(no), (await paying.mine(token)).balance]).toEqual(['refunded', left]);
    await compareToday();
    expect(await hasCase(no)).toBe(false);
  });

  test('a bill that has the money after it is a case, because it may have gone back twice', async () => {
    const { no } = await paid();
    await back(no);
    refundAtConsole(no);
    for (const _again of [1, 2]) await compareToday();
    const lines = (await ceku('report')).out.split('\n').filter((line) => line.includes(no));
    expect(lines).toEqual([
      expect.stringContaining('a refund of 1000 fen that was not made here'),
      expect.stringContaining(`else: ceku order resolve ${no} --note`),
    ]);
    await ceku('resolve', no, '--note', 'the same money');
    expect(await hasCase(no)).toBe(false);
  });

  test('ends a refund that the provider has not finished after a day, and keeps why it was begun', async () => {
    const { no } = await paid();
    await ceku('refund', no, '--note', 'too late');
    paying.app.clock.offsetMs += 86_401_000;
    expect((await ceku('report')).out).toContain(`ceku order refund ${no} --paid-back`);
    expect((await back(no, '--keep-goods')).out).toContain('The goods were dealt with when the refund began.');
    expect(await refundOf(no)).toMatchObject({ state: 'succeeded', note: 'too late; bank transfer' });
    expect(await paying.statusOf(no)).toBe('refunded');
  });

  test('a refund that WeChat Pay holds for the merchant is not to be recorded', async () => {
    const { no } = await paid();
    await ceku('refund', no);
    paying.wechat.answerRefunds({ state: 'failed', why: 'ABNORMAL' });
    await send(no);
    paying.wechat.answerRefunds(null);
    expect((await ceku('report')).out).toContain('it then ends by itself, record nothing');
    await back(no);
  });

  test('the provider carries the refused refund out after all: the money went back twice, which is a case', async () => {
    const { no } = await failed();
    await back(no);
    const refund = await refundOf(no);
    const trade = paying.wechat.trades.get(no);
    if (!refund || !trade) throw new Error('there is a refund');
    const { refundNo } = refund;
    trade.refund = { outTradeNo: no, refundNo, refundFen: 1_000, totalFen: 1_000, reason: '', notifyUrl: '' };
    await compareToday();
    expect((await ceku('report')).out).toContain('1000 fen were paid back by another way, and by the provider');
    await ceku('resolve', no, '--note', 'seen');
  });

  test('of a payment that was put aside', async () => {
    const { no } = await ordered();
    await paying.notify('wechat', paying.wechat.pay(no, { amountFen: 7 }));
    expect((await back(no)).out).toContain('¥0.07 are recorded as paid back.');
    expect(await paying.statusOf(no)).toBe('refunded');
  });

  test('is refused without a payment, without a note, while the provider is at work, and when the coins were spent', async () => {
    const [unpaid, underWay, spent] = [await ordered(), await paid(), await paid()];
    expect((await back(unpaid.no)).err).toContain('The order is pending: there is nothing to pay back.');
    expect((await ceku('refund', underWay.no, '--paid-back')).code).toBe(2);
    await ceku('refund', underWay.no);
    expect((await back(underWay.no)).err).toContain('WeChat Pay may still carry it out');
    expect(await paying.statusOf(underWay.no)).toBe('refunding');
    await send(underWay.no);
    const { postTransfer } = await import('../../membership/server/ledger.ts');
    await postTransfer(paying.app.ctx, { userId: spent.id, amount: -1, kind: 'reversal', ref: 'spent', note: '' });
    expect((await back(spent.no)).err).toContain('The coins of this order were spent.');
    expect(await paying.statusOf(spent.no)).toBe('fulfilled');
    expect((await back(spent.no, '--keep-goods')).code).toBe(0);
  });

  test('ten at once are one', async () => {
    const { no, token } = await paid();
    const record = () => recordPaidBack(paying.app.ctx, no, { note: 'bank transfer', keepsGoods: false });
    const outcomes = await Promise.all(Array.from({ length: 10 }, record));
    expect(outcomes.toSorted()).toEqual([...Array(9).fill('known'), 'recorded']);
    expect((await paying.mine(token)).balance).toBe(0);
  });
});

test('a refund that the provider closed is sent again under a new number, and the closed one is remembered', async () => {
  const { ctx } = paying.app;
  const { no } = await paid();
  await ceku('refund', no, '--note', 'wish');
  const refundOf = async () => {
    const refund = await selectRefundOf(ctx.db, (await paying.orderOf(no)).id);
    if (!refund) throw new Error('there is a refund');
    return refund;
  };
  const { refundNo: closed } = await refundOf();
  paying.wechat.answerRefunds({ state: 'failed', why: 'CLOSED', isNumberClosed: true });
  await sendRefund(ctx, await refundOf());
  paying.wechat.answerRefunds(null);
  const again = (await ceku('refund', no, '--keep-goods', '--note', 'closed at the console')).out;
  expect(again).toContain('The refund is sent again');
  expect(again).toContain('The goods were dealt with when the refund began.');
  const { refundNo, note, keepsGoods } = await refundOf();
  expect([note, keepsGoods]).toEqual(['wish; closed at the console', false]);
  expect(refundNo).not.toBe(closed);
  // What is still told of the closed number changes nothing of the new one.
  await applyRefund(ctx, { refundNo: closed, outTradeNo: no, channel: 'wechat' }, { state: 'failed', why: 'CLOSED' });
  expect((await refundOf()).state).toBe('asked');
  await sendRefund(ctx, { refundNo: closed });
  expect((await refundOf()).state).toBe('asked');
  await sendRefund(ctx, await refundOf());
  expect([await paying.statusOf(no), paying.wechat.trades.get(no)?.refund?.refundNo]).toEqual(['refunded', refundNo]);
  expect((await ceku('show', no)).out).toContain(`closed by the provider: ${closed}`);
  expect((await ceku('report')).out).not.toContain(no);
  const success = { state: 'succeeded', refundFen: 1_000, refundedAt: null } as const;
  await applyRefund(ctx, { refundNo: closed, outTradeNo: no, channel: 'wechat' }, success);
  expect((await ceku('report')).out).toContain(`refund ${closed}, which had been closed and replaced, was carried out`);
  await ceku('resolve', no, '--note', 'seen');
});

test('the sweep gives orders and refunds that lost their job a new one', async () => {
  const { app } = paying;
  const [{ no }, sold] = [await ordered(), await paid()];
  await ceku('refund', sold.no);
  const refund = await selectRefundOf(app.ctx.db, (await paying.orderOf(sold.no)).id);
  await app.ctx.db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);
  await sweepOrders(app.ctx);
  expect(await paying.jobsOf(`payment-check ${no}`)).toEqual([]);
  expect(await paying.jobsOf(`payment-refund ${refund?.refundNo}`)).toHaveLength(1);
  app.clock.offsetMs += 2_200_000;
  await sweepOrders(app.ctx);
  await sweepOrders(app.ctx);
  expect(await paying.jobsOf(`payment-check ${no}`)).toHaveLength(1);
});

describe('ceku order check', () => {
  let site: ReturnType<typeof createServer>;
  let answer: { status: number; headers?: Record<string, string>; body: string };
  const posted: string[] = [];

  beforeAll(async () => {
    site = createServer((request, response) => {
      if (request.method === 'POST') posted.push(request.url ?? '');
      const { status, headers, body } = request.method === 'POST' ? { status: 204, headers: {}, body: '' } : answer;
      response.writeHead(status, headers).end(body);
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const address = site.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    paying.app.ctx.config.publicUrl = `http://127.0.0.1:${address.port}`;
    paying.app.ctx.config.alertUrl = `http://127.0.0.1:${address.port}/hook`;
  });
  beforeEach(() => {
    answer = { status: 405, body: '{"code":40,"message":"","data":null}' };
  });
  afterAll(() => {
    paying.app.ctx.config.publicUrl = null;
    paying.app.ctx.config.alertUrl = null;
    site.closeAllConnections();
    site.close();
  });

  test('what is right: both providers, both addresses, the receiver', async () => {
    const { code, out } = await ceku('check');
    expect(out.trim().split('\n')).toEqual([
      'right  WeChat Pay, merchant-1: takes our key, and signs with one we hold',
      'right  WeChat Pay, merchant-1: makes a code for our account, and closes it',
      expect.stringMatching(/^right  http.+\/api\/pay\/notify\/wechat: is this site$/),
      'right  Alipay, merchant-1: takes our key, and signs with one we hold',
      'right  Alipay, merchant-1: makes a code for our account, and closes it',
      expect.stringMatching(/^right  http.+\/api\/pay\/notify\/alipay: is this site$/),
      'right  NOTIFY_URL: took a test',
    ]);
    expect([code, posted]).toEqual([0, ['/hook']]);
  });

  test.each([
    [{ status: 302, headers: { location: '/login' }, body: '' }, 'no answer, or a redirect'],
    [{ status: 502, body: '<html>' }, 'HTTP 502 of something else than this site'],
    [{ status: 405, body: '<html>' }, 'HTTP 405 of something else than this site'],
  ])('an address that is answered with %j', async (given, why) => {
    answer = given;
    const { code, out, err } = await ceku('check');
    expect(code).toBe(1);
    expect(out).toContain(`/api/pay/notify/wechat: is not reached from this machine: ${why}`);
    expect(err).toContain('Payment is not ready');
  });

  test('a misspelt variable is named, without its value', async () => {
    vi.stubEnv('WECHAT_PAY_APP_ID', 'secret-value');
    const { code, out } = await ceku('check');
    vi.unstubAllEnvs();
    expect(code).toBe(1);
    expect(out).toContain('WRONG  WECHAT_PAY_APP_ID: is not a variable of Ceku');
    expect(out).not.toContain('secret-value');
  });

  test('a provider that does not answer, and one that is not configured', async () => {
    paying.wechat.away.add('findPayment');
    const { gateways } = paying.app.ctx;
    paying.app.ctx.gateways = { ...gateways, alipay: null };
    const { code, out } = await ceku('check');
    paying.app.ctx.gateways = gateways;
    paying.wechat.away.clear();
    expect(code).toBe(1);
    expect(out).toContain('WRONG  WeChat Pay, merchant-1: stand-in wechat is not available: is away');
    expect(out).toContain('–      Alipay: is not configured');
  });
});
