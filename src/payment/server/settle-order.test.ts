import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkOrders, openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { listSessions } from '../../accounts/contract.ts';
import { openSession } from '../../accounts/server/sessions.ts';
import { ProviderRefused, type RefusalReason } from '../../accounts/ports.ts';
import { dayText } from '../../library/rules.ts';
import { expectOk } from '../../protocol/call.ts';
import { compareBill } from './operator/bills.ts';
import { CODE } from '../../protocol/codes.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { listOrders } from '../contract.ts';
import { checkOrderByPlan } from './check-order.ts';
import { applyRefund, recordPaidBack, sendRefund, startRefund } from './refunds.ts';
import { acceptMismatch, settleOrder } from './settle-order.ts';
import { selectRefundOf } from './store/refunds.ts';

let paying: PayingApp;
beforeAll(async () => {
  paying = await openPayingApp();
});
afterAll(() => paying.app.close());
afterEach(() => checkOrders(paying.app));

/** Returns the grants of an order: rows of the ledger and of the grants. */
const grantsOf = (outTradeNo: string) =>
  rowsOf<{ coins: number; days: number }>(
    paying.app.ctx.db,
    sql`select amount as coins, 0 as days from ledger_entries where kind = 'topup' and ref = ${outTradeNo} and user_id <> 0
      union all select 0, days from membership_grants where kind = 'order' and ref = ${outTradeNo} and revoked_at is null`,
  );

const refundNow = async (outTradeNo: string) => {
  const refund = await selectRefundOf(paying.app.ctx.db, (await paying.orderOf(outTradeNo)).id);
  if (!refund) throw new Error('there is no refund');
  await sendRefund(paying.app.ctx, refund);
};

/** Returns a context with a `NOTIFY_URL`, so that each case writes a row of payment_case_alerts. */
const telling = () => ({ ...paying.app.ctx, config: { ...paying.app.ctx.config, alertUrl: 'http://127.0.0.1:9' } });
const alertsOf = (outTradeNo: string) =>
  rowsOf(
    paying.app.ctx.db,
    sql`select kind, raised_at::text from payment_case_alerts where out_trade_no = ${outTradeNo}`,
  );

describe('one payment, from any source and any number of times', () => {
  test('fifty notifications at once: one topup, each acknowledged', async () => {
    const { pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, pack.id);
    const payment = wechat.pay(no);
    const answers = await Promise.all(Array.from({ length: 50 }, () => paying.notify('wechat', payment, { id: no })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await grantsOf(no)).toEqual([{ coins: pack.coins, days: 0 }]);
    expect((await paying.mine(buyer.token)).balance).toBe(pack.coins);
    const [inbox] = await rowsOf(
      paying.app.ctx.db,
      sql`select deliveries, outcome from payment_notices where out_trade_no = ${no}`,
    );
    expect(inbox).toEqual({ deliveries: 50, outcome: 'fulfilled' });
  });

  test('notification, poll, job and operator at once, of two channels: one grant each', async () => {
    const { app, year, wechat, alipay } = paying;
    for (let round = 0; round < 5; round += 1) {
      const buyer = await paying.addBuyer();
      const coins = await paying.order(buyer.token, paying.pack.id, 'alipay');
      const days = await paying.order(buyer.token, year.id);
      const [first, second] = [alipay.pay(coins), wechat.pay(days)];
      await Promise.all([
        paying.notify('alipay', first),
        paying.notify('wechat', second),
        paying.notify('alipay', first),
        paying.tradeStateOf(buyer.token, coins),
        paying.tradeStateOf(buyer.token, days),
        checkOrderByPlan(app.ctx, { outTradeNo: coins }),
        checkOrderByPlan(app.ctx, { outTradeNo: days }),
        settleOrder(app.ctx, 'alipay', first),
        settleOrder(app.ctx, 'wechat', second),
      ]);
      expect(await grantsOf(coins)).toEqual([{ coins: paying.pack.coins, days: 0 }]);
      expect(await grantsOf(days)).toEqual([{ coins: 0, days: 365 }]);
      // What is said twice is no case of the operator.
      const said = sql`select detail from payment_differences where out_trade_no in (${coins}, ${days})`;
      expect(await rowsOf(app.ctx.db, said)).toEqual([]);
    }
  });

  test('payments of a membership for life through both channels at once: none waits for the other for ever', async () => {
    const { app, wechat, alipay } = paying;
    for (let round = 0; round < 5; round += 1) {
      const buyer = await paying.addBuyer();
      const numbers = [
        await paying.order(buyer.token, paying.life.id),
        await paying.order(buyer.token, paying.life.id, 'alipay'),
        await paying.order(buyer.token, paying.year.id),
      ] as const;
      const payments = [wechat.pay(numbers[0]), alipay.pay(numbers[1]), wechat.pay(numbers[2])] as const;
      await Promise.all([
        settleOrder(app.ctx, 'wechat', payments[0]),
        settleOrder(app.ctx, 'alipay', payments[1]),
        settleOrder(app.ctx, 'wechat', payments[2]),
        settleOrder(app.ctx, 'wechat', payments[0]),
        settleOrder(app.ctx, 'alipay', payments[1]),
        paying.order(buyer.token, paying.pack.id),
      ]);
      const states = await Promise.all(numbers.map((no) => paying.statusOf(no)));
      expect(states.slice(0, 2).toSorted()).toEqual(['fulfilled', 'refunding']);
      expect(states[2]).toBe('fulfilled');
    }
  });

  test('a notification that comes while the provider is still making the code', async () => {
    const { wechat, pack } = paying;
    const buyer = await paying.addBuyer();
    wechat.before.set('createCode', async () => {
      const no = [...wechat.trades.keys()].at(-1) ?? '';
      expect(await paying.statusOf(no)).toBe('created');
      expect((await paying.notify('wechat', wechat.pay(no))).status).toBe(200);
    });
    const no = await paying.order(buyer.token, pack.id);
    expect(await paying.statusOf(no)).toBe('fulfilled');
    expect(await paying.tradeStateOf(buyer.token, no)).toBe('SUCCESS');
  });
});

describe('late, superseded and second payments (C-57)', () => {
  test('a closed order is paid: fulfilled', async () => {
    const { app, pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, pack.id);
    app.clock.offsetMs += 1_801_000;
    await checkOrderByPlan(app.ctx, { outTradeNo: no });
    expect(await paying.statusOf(no)).toBe('closed');
    expect((await paying.notify('wechat', wechat.pay(no))).status).toBe(200);
    expect(await paying.statusOf(no)).toBe('fulfilled');
    expect((await paying.mine(buyer.token)).balance).toBe(pack.coins);
  });

  test('two codes of one membership are both paid: the second is refunded, and told so', async () => {
    const { year, wechat, alipay } = paying;
    const buyer = await paying.addBuyer();
    const first = await paying.order(buyer.token, year.id);
    const second = await paying.order(buyer.token, year.id, 'alipay');
    await paying.notify('alipay', alipay.pay(second));
    await paying.notify('wechat', wechat.pay(first));
    expect([await paying.statusOf(first), await paying.statusOf(second)]).toEqual(['refunding', 'fulfilled']);
    expect((await paying.mine(buyer.token)).vip_last_day).toBe(365);
    await refundNow(first);
    expect(await paying.statusOf(first)).toBe('refunded');
    expect(wechat.trades.get(first)?.refund).toMatchObject({
      refundFen: year.price * 100,
      totalFen: year.price * 100,
      reason: '重复支付退款',
    });
    expect(await paying.tradeStateOf(buyer.token, first)).toBe('REFUND');
    const { items } = expectOk(await paying.app.call(listOrders, {}, buyer.token));
    expect(items.map(({ refund_reason: reason }) => reason)).toEqual(['', 'duplicate']);
  });

  test.each([
    ['another amount', -1, 'refunded', ['29799 fen sent back instead of 29800']],
    ['the amount', 0, 'refunded', []],
  ])('a provider that sends back %s', async (_what, by, status, cases) => {
    const { app, year, wechat, alipay } = paying;
    const buyer = await paying.addBuyer();
    const [first, second] = [
      await paying.order(buyer.token, year.id),
      await paying.order(buyer.token, year.id, 'alipay'),
    ];
    await paying.notify('alipay', alipay.pay(second));
    await paying.notify('wechat', wechat.pay(first));
    wechat.answerRefunds({ state: 'succeeded', refundFen: year.price * 100 + by, refundedAt: null });
    await refundNow(first);
    wechat.answerRefunds(null);
    expect(await paying.statusOf(first)).toBe(status);
    const differences = await rowsOf<{ detail: string }>(
      app.ctx.db,
      sql`select detail from payment_differences where out_trade_no = ${first}`,
    );
    expect(differences.map(({ detail }) => detail)).toEqual(cases);
  });

  test('a refund that is named with another order or channel is not ours', async () => {
    const { app, year, wechat, alipay } = paying;
    const buyer = await paying.addBuyer();
    const first = await paying.order(buyer.token, year.id);
    const second = await paying.order(buyer.token, year.id, 'alipay');
    await paying.notify('alipay', alipay.pay(second));
    await paying.notify('wechat', wechat.pay(first));
    const refund = await selectRefundOf(app.ctx.db, (await paying.orderOf(first)).id);
    const refundNo = refund?.refundNo ?? '';
    const done = { state: 'succeeded' as const, refundFen: year.price * 100, refundedAt: null };
    expect(await applyRefund(app.ctx, { refundNo, outTradeNo: second, channel: 'wechat' }, done)).toBe(false);
    expect(await applyRefund(app.ctx, { refundNo, outTradeNo: first, channel: 'alipay' }, done)).toBe(false);
    expect(await paying.statusOf(first)).toBe('refunding');
    await refundNow(first);
    expect(await paying.statusOf(first)).toBe('refunded');
  });

  test('both are paid at the same moment: one is kept, one is refunded', async () => {
    const { app, year, wechat, alipay } = paying;
    for (let round = 0; round < 5; round += 1) {
      const buyer = await paying.addBuyer();
      const numbers = [await paying.order(buyer.token, year.id), await paying.order(buyer.token, year.id, 'alipay')];
      const [one = '', two = ''] = numbers;
      await Promise.all([
        settleOrder(app.ctx, 'wechat', wechat.pay(one)),
        settleOrder(app.ctx, 'alipay', alipay.pay(two)),
      ]);
      const statuses = await Promise.all(numbers.map(paying.statusOf));
      expect(statuses.toSorted()).toEqual(['fulfilled', 'refunding']);
      expect((await paying.mine(buyer.token)).vip_last_day).toBe(365);
    }
  });

  test('an order that is made after the first was fulfilled extends the term', async () => {
    const { app, year, wechat } = paying;
    const buyer = await paying.addBuyer();
    for (let purchase = 0; purchase < 2; purchase += 1) {
      const no = await paying.order(buyer.token, year.id);
      await paying.notify('wechat', wechat.pay(no));
      expect(await paying.statusOf(no)).toBe('fulfilled');
      app.clock.offsetMs += 1_000;
    }
    expect((await paying.mine(buyer.token)).vip_last_day).toBe(730);
  });

  test('another plan that was ordered before extends the term as well; coins are always credited', async () => {
    const { year, pack, items, wechat, alipay } = paying;
    const buyer = await paying.addBuyer();
    const other = items[1]?.id ?? 0;
    const numbers = [
      await paying.order(buyer.token, other),
      await paying.order(buyer.token, year.id),
      await paying.order(buyer.token, pack.id),
    ];
    const coinsToo = await paying.order(buyer.token, pack.id, 'alipay');
    for (const no of numbers) await paying.notify('wechat', wechat.pay(no));
    await paying.notify('alipay', alipay.pay(coinsToo));
    expect(await paying.mine(buyer.token)).toMatchObject({ vip_last_day: 730, balance: 2 * pack.coins });
  });
});

describe('what does not pay an order', () => {
  test.each([
    ['one fen less', { amountFen: 999 }],
    ['one fen more', { amountFen: 1_001 }],
    ['yuan taken for fen', { amountFen: 100_000 }],
    ['another currency', { currency: 'USD' }],
  ])('%s: put aside, acknowledged, nothing granted; the operator decides', async (_name, paid) => {
    const { app, pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, pack.id);
    expect((await paying.notify('wechat', wechat.pay(no, paid))).status).toBe(200);
    expect(await paying.statusOf(no)).toBe('mismatch');
    expect(await paying.tradeStateOf(buyer.token, no)).toBe('NOTPAY');
    expect(await grantsOf(no)).toEqual([]);
    expect(await Promise.all([acceptMismatch(app.ctx, no), acceptMismatch(app.ctx, no)])).toContain(true);
    expect(await paying.statusOf(no)).toBe('fulfilled');
    expect(await grantsOf(no)).toEqual([{ coins: pack.coins, days: 0 }]);
  });

  test('the price changes while the code is open: the order keeps its own (INV-15)', async () => {
    const { app, pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, pack.id);
    await app.ctx.db.execute(sql`update price_items set price_fen = price_fen * 2, coins = 7 where id = ${pack.id}`);
    try {
      const dearer = await paying.order(buyer.token, pack.id);
      expect(dearer).not.toBe(no);
      expect((await paying.orderOf(dearer)).priceFen).toBe(pack.price * 200);
      await paying.notify('wechat', wechat.pay(no));
      expect(await paying.statusOf(no)).toBe('fulfilled');
      expect((await paying.mine(buyer.token)).balance).toBe(pack.coins);
    } finally {
      await app.ctx.db.execute(
        sql`update price_items set price_fen = price_fen / 2, coins = ${pack.coins} where id = ${pack.id}`,
      );
    }
  });

  test('another channel, a used transaction, a second payment: nothing changes, the operator has a case', async () => {
    const { app, pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const [one, two] = [await paying.order(buyer.token, pack.id), await paying.order(buyer.token, pack.id, 'alipay')];
    const payment = wechat.pay(one);
    expect(await settleOrder(app.ctx, 'alipay', payment)).toBe('contradiction');
    expect(await paying.statusOf(one)).toBe('pending');
    expect(await settleOrder(app.ctx, 'wechat', payment)).toBe('fulfilled');
    expect(await settleOrder(app.ctx, 'wechat', { ...payment, transactionId: 'another' })).toBe('contradiction');
    const again = await paying.order(buyer.token, paying.year.id);
    expect(await settleOrder(app.ctx, 'wechat', { ...payment, outTradeNo: again })).toBe('contradiction');
    expect([await paying.statusOf(two), await paying.statusOf(again)]).toEqual(['pending', 'pending']);
    expect((await paying.mine(buyer.token)).balance).toBe(pack.coins);
    const cases = await rowsOf(
      app.ctx.db,
      sql`select channel, out_trade_no from payment_differences where out_trade_no in (${one}, ${again}) order by id`,
    );
    expect(cases).toEqual([
      { channel: 'alipay', out_trade_no: one },
      { channel: 'wechat', out_trade_no: one },
      { channel: 'wechat', out_trade_no: again },
    ]);
  });

  test('an order without a payment that was put aside cannot be accepted', async () => {
    const { app, pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, pack.id);
    expect(await acceptMismatch(app.ctx, no)).toBe(false);
    expect([await paying.statusOf(no), await grantsOf(no)]).toEqual(['pending', []]);
    await paying.notify('wechat', wechat.pay(no));
    expect(await acceptMismatch(app.ctx, no)).toBe(false);
    expect(await grantsOf(no)).toEqual([{ coins: pack.coins, days: 0 }]);
    expect(await acceptMismatch(app.ctx, `${no}0`)).toBe(false);
  });

  test('the same contradiction a second time raises no second case and no second alert', async () => {
    const { app, pack, wechat } = paying;
    const no = await paying.order((await paying.addBuyer()).token, pack.id);
    const payment = wechat.pay(no);
    expect(await settleOrder(telling(), 'alipay', payment)).toBe('contradiction');
    const alerts = await alertsOf(no);
    expect(alerts).toMatchObject([{ kind: 'difference' }]);
    app.clock.offsetMs += 1_000;
    expect(await settleOrder(telling(), 'alipay', payment)).toBe('contradiction');
    expect(await alertsOf(no)).toEqual(alerts);
  });

  test('paid, and refunded with the provider by hand: put aside', async () => {
    const { app, pack, wechat } = paying;
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, pack.id);
    const payment = wechat.pay(no);
    expect(await settleOrder(app.ctx, 'wechat', payment, { wasRefunded: true })).toBe('mismatch');
    expect(await grantsOf(no)).toEqual([]);
  });
});

describe('refunds by the operator', () => {
  const buy = async (itemId: number) => {
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, itemId);
    await paying.notify('wechat', paying.wechat.pay(no));
    return { ...buyer, no };
  };
  const goods = { note: 'asked for it', keepsGoods: false };
  /** Buys the coins and refunds them, which WeChat Pay refuses once; returns the number of the order. */
  const buyAndFailRefund = async (): Promise<string> => {
    const { app, pack, wechat } = paying;
    const { no } = await buy(pack.id);
    await startRefund(app.ctx, no, goods);
    wechat.answerRefunds({ state: 'failed', why: 'NOT_ENOUGH' });
    await refundNow(no);
    wechat.answerRefunds(null);
    return no;
  };
  /** Returns the jobs that wait to send the refund of an order. */
  const refundJobsOf = async (no: string) => {
    const refund = await selectRefundOf(paying.app.ctx.db, (await paying.orderOf(no)).id);
    return paying.jobsOf(`payment-refund ${refund?.refundNo}`);
  };

  test('coins are taken back, once for all who press the key', async () => {
    const { app, pack, wechat } = paying;
    const { no, token } = await buy(pack.id);
    const started = await Promise.all(Array.from({ length: 5 }, () => startRefund(app.ctx, no, goods)));
    expect(started.toSorted()).toEqual([...Array<string>(4).fill('not-refundable'), 'started']);
    expect(await refundJobsOf(no)).toHaveLength(1);
    await refundNow(no);
    expect(wechat.trades.get(no)?.refund?.reason).toBe('订单退款');
    expect(await paying.statusOf(no)).toBe('refunded');
    expect((await paying.mine(token)).balance).toBe(0);
    expect(await startRefund(app.ctx, no, goods)).toBe('not-refundable');
  });

  test('the days of one order are taken back; those of others stay', async () => {
    const { app, year } = paying;
    const { no, token } = await buy(year.id);
    app.clock.offsetMs += 1_000;
    const second = await paying.order(token, year.id);
    await paying.notify('wechat', paying.wechat.pay(second));
    expect((await paying.mine(token)).vip_last_day).toBe(730);
    expect(await startRefund(app.ctx, no, goods)).toBe('started');
    expect((await paying.mine(token)).vip_last_day).toBe(365);
    expect(await startRefund(app.ctx, second, goods)).toBe('started');
    expect((await paying.mine(token)).is_vip).toBe(0);
  });

  test('a plan for life is taken back with its higher limit of sessions, unless another one is left (C-43)', async () => {
    const { app, life } = paying;
    const { standard, lifetime } = app.ctx.config.sessionLimits;
    const { no, id, token } = await buy(life.id);
    const limitNow = async () => expectOk(await app.call(listSessions, {}, token)).limit;
    app.clock.offsetMs += 1_000;
    const second = await paying.order(token, life.id);
    await paying.notify('wechat', paying.wechat.pay(second));
    expect(await limitNow()).toBe(lifetime);
    expect(await startRefund(app.ctx, no, goods)).toBe('started');
    expect(await limitNow()).toBe(lifetime);
    expect(await startRefund(app.ctx, second, goods)).toBe('started');
    expect(await limitNow()).toBe(standard);
    for (let opened = 0; opened < standard; opened += 1) await openSession(app.ctx, [], id);
    expect((await app.call(listSessions, {}, token)).code).toBe(CODE.sessionInvalid);
  });

  test('coins that were spent: nothing changes, unless the goods are kept', async () => {
    const { app, pack } = paying;
    const { no, id } = await buy(pack.id);
    await app.ctx.db.transaction(async (db) => {
      const { postTransfer } = await import('../../membership/server/ledger.ts');
      await postTransfer({ ...app.ctx, db }, { userId: id, amount: -1, kind: 'reversal', ref: no.slice(1), note: '' });
    });
    expect(await startRefund(app.ctx, no, goods)).toBe('spent');
    expect(await paying.statusOf(no)).toBe('fulfilled');
    expect(await startRefund(app.ctx, no, { ...goods, keepsGoods: true })).toBe('started');
    expect(await grantsOf(no)).toEqual([{ coins: pack.coins, days: 0 }]);
  });

  test('a refund that fails is the operator’s case, and is sent again under its number', async () => {
    const { app, pack, wechat } = paying;
    const { no } = await buy(pack.id);
    await startRefund(app.ctx, no, goods);
    wechat.answerRefunds({ state: 'failed', why: 'NOT_ENOUGH' });
    await refundNow(no);
    const failed = await selectRefundOf(app.ctx.db, (await paying.orderOf(no)).id);
    expect(failed).toMatchObject({ state: 'failed', failure: 'NOT_ENOUGH' });
    wechat.answerRefunds(null);
    await app.ctx.db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);
    expect(await startRefund(app.ctx, no, goods)).toBe('retried');
    expect(await refundJobsOf(no)).toHaveLength(1);
    await refundNow(no);
    expect(await paying.statusOf(no)).toBe('refunded');
    expect(wechat.trades.get(no)?.refund?.refundNo).toBe(failed?.refundNo);
  });

  test('late news of a refund that succeeded changes nothing; a failed refund stays failed when the provider does not know it', async () => {
    const { app } = paying;
    const no = await buyAndFailRefund();
    const { id } = await paying.orderOf(no);
    const failed = await selectRefundOf(app.ctx.db, id);
    const named = { refundNo: failed?.refundNo ?? '', outTradeNo: no, channel: 'wechat' } as const;
    // A failed refund is sent again by the operator alone.
    expect(await applyRefund(app.ctx, named, { state: 'unknown' })).toBe(true);
    expect(await selectRefundOf(app.ctx.db, id)).toEqual(failed);
    expect(await startRefund(app.ctx, no, goods)).toBe('retried');
    await refundNow(no);
    const ended = await selectRefundOf(app.ctx.db, id);
    for (const state of [
      { state: 'failed', why: 'LATE' },
      { state: 'processing' },
      { state: 'unknown' },
      { state: 'succeeded', refundFen: 1, refundedAt: new Date(0) },
    ] as const)
      expect(await applyRefund(telling(), named, state)).toBe(true);
    expect([await paying.statusOf(no), await selectRefundOf(app.ctx.db, id)]).toEqual(['refunded', ended]);
    expect(await alertsOf(no)).toEqual([]);
  });

  test('a refund or an order with an unknown number: nothing is begun, and the caller is told so', async () => {
    const { app, pack } = paying;
    const { no, token } = await buy(pack.id);
    const done = { state: 'succeeded', refundFen: 1_000, refundedAt: null } as const;
    const named = { refundNo: 'R1', outTradeNo: no, channel: 'wechat' } as const;
    expect(await applyRefund(app.ctx, named, done)).toBe(false);
    await startRefund(app.ctx, no, { ...goods, keepsGoods: true });
    expect(await applyRefund(app.ctx, named, done)).toBe(false);
    expect(await paying.statusOf(no)).toBe('refunding');
    expect((await paying.mine(token)).balance).toBe(pack.coins);
    expect(await startRefund(app.ctx, `${no}0`, goods)).toBe('not-refundable');
    expect(await recordPaidBack(app.ctx, `${no}0`, goods)).toBe('not-refundable');
  });

  test('keys that are refused, and a refused query, postpone; only a refusal of the refund itself fails it', async () => {
    const { app, pack, wechat } = paying;
    const { no } = await buy(pack.id);
    await startRefund(app.ctx, no, goods);
    const stateNow = async () => (await selectRefundOf(app.ctx.db, (await paying.orderOf(no)).id))?.state;
    const refuse = (call: 'refund' | 'findRefund', reason: RefusalReason) =>
      wechat.before.set(call, () => Promise.reject(new ProviderRefused('stand-in', reason, 'CODE')));
    refuse('refund', 'not-authorised');
    await expect(refundNow(no)).rejects.toMatchObject({ seconds: 300 });
    expect(await stateNow()).toBe('asked');
    wechat.answerRefunds({ state: 'processing' });
    await expect(refundNow(no)).rejects.toMatchObject({ seconds: 60 });
    for (const reason of ['other', 'not-authorised'] as const) {
      refuse('findRefund', reason);
      await expect(refundNow(no)).rejects.toMatchObject({ seconds: 300 });
    }
    expect(await stateNow()).toBe('processing');
    wechat.answerRefunds(null);
    // The provider does not know it, so it is sent again, and refused.
    await expect(refundNow(no)).rejects.toMatchObject({ seconds: 60 });
    refuse('refund', 'no-credit');
    await refundNow(no);
    expect(await stateNow()).toBe('failed');
  });

  test('a failed refund that the bill proves has succeeded', async () => {
    const { app, wechat } = paying;
    const no = await buyAndFailRefund();
    const refund = await selectRefundOf(app.ctx.db, (await paying.orderOf(no)).id);
    const trade = wechat.trades.get(no);
    if (!trade || !refund) throw new Error('it was refunded');
    const { refundNo } = refund;
    trade.refund = { outTradeNo: no, refundNo, refundFen: 1_000, totalFen: 1_000, reason: '', notifyUrl: '' };
    await compareBill(app.ctx, 'wechat', dayText(new Date(app.ctx.clock.now())));
    expect(await paying.statusOf(no)).toBe('refunded');
  });

  test('through a channel that was removed: failed after two days, and not asked about each minute', async () => {
    const { app, pack } = paying;
    const { no } = await buy(pack.id);
    await startRefund(app.ctx, no, goods);
    const refund = await selectRefundOf(app.ctx.db, (await paying.orderOf(no)).id);
    const without = { ...app.ctx, gateways: { ...app.ctx.gateways, wechat: null } };
    await expect(sendRefund(without, refund ?? { refundNo: '' })).rejects.toMatchObject({ seconds: 300 });
    const { offsetMs } = app.clock;
    app.clock.offsetMs += 172_801_000;
    await sendRefund(without, refund ?? { refundNo: '' });
    expect(await selectRefundOf(app.ctx.db, (await paying.orderOf(no)).id)).toMatchObject({
      state: 'failed',
      failure: 'wechat is not configured',
    });
    app.clock.offsetMs = offsetMs;
    expect(await startRefund(app.ctx, no, goods)).toBe('retried');
    await refundNow(no);
    expect(await paying.statusOf(no)).toBe('refunded');
  });

  test('a provider that is away, or not finished: the job runs again later', async () => {
    const { app, pack, wechat } = paying;
    const { no } = await buy(pack.id);
    await startRefund(app.ctx, no, goods);
    wechat.away.add('refund');
    await expect(refundNow(no)).rejects.toMatchObject({ seconds: 30 });
    wechat.away.clear();
    wechat.answerRefunds({ state: 'processing' });
    await expect(refundNow(no)).rejects.toMatchObject({ seconds: 60 });
    await expect(refundNow(no)).rejects.toMatchObject({ seconds: 60 });
    expect([wechat.countOf('refund') > 0, wechat.countOf('findRefund') > 0]).toEqual([true, true]);
    wechat.answerRefunds(null);
    await expect(refundNow(no)).rejects.toMatchObject({ seconds: 60 });
    await refundNow(no);
    expect(await paying.statusOf(no)).toBe('refunded');
  });
});

describe('what the database itself refuses', () => {
  test.each([
    [
      'an edge that does not exist',
      (no: string) => sql`update orders set status = 'created' where out_trade_no = ${no}`,
    ],
    ['another price', (no: string) => sql`update orders set price_fen = 1 where out_trade_no = ${no}`],
    ['another buyer', (no: string) => sql`update orders set user_id = 10001 where out_trade_no = ${no}`],
    ['goods without a payment', (no: string) => sql`update orders set status = 'fulfilled' where out_trade_no = ${no}`],
    ['a removal', (no: string) => sql`delete from orders where out_trade_no = ${no}`],
  ])('%s', async (_name, statement) => {
    const buyer = await paying.addBuyer();
    const no = await paying.order(buyer.token, paying.pack.id);
    await expect(paying.app.ctx.db.execute(statement(no))).rejects.toThrow();
    expect(await paying.statusOf(no)).toBe('pending');
  });
});
