import { ProviderRefused } from '../../accounts/ports.ts';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkOrders, openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { openTestApp } from '../../../tests/test-app.ts';
import { eraseUser } from '../../accounts/server/privacy/delete-account.ts';
import { cancelAccount } from '../../accounts/contract.ts';
import { CODE } from '../../protocol/codes.ts';
import { expectOk } from '../../protocol/call.ts';
import { PERSONAL_DATA } from '../../slices.ts';
import {
  alipayQrcode,
  checkAlipayOrder,
  checkOrder,
  getLastOrderPayStatus,
  listOrders,
  wxpayQrcode,
} from '../contract.ts';
import { nextCheckAt } from '../rules.ts';
import { checkOrderByPlan } from './check-order.ts';
import { createCode } from './create-order.ts';

let paying: PayingApp;
beforeAll(async () => {
  paying = await openPayingApp();
});
afterAll(() => paying.app.close());
afterEach(async () => {
  for (const gateway of [paying.wechat, paying.alipay]) gateway.away.clear();
  await checkOrders(paying.app);
});

describe.each([
  ['wechat', wxpayQrcode, 0],
  ['alipay', alipayQrcode, 1],
] as const)('asking for a QR code of %s', (channel, endpoint, platform) => {
  test('answers its content and an order at the price of now', async () => {
    const { app, year } = paying;
    const buyer = await paying.addBuyer();
    const before = Math.floor(app.ctx.clock.now() / 1_000);
    const code = expectOk(await app.call(endpoint, { item_id: year.id, file_id: '9' }, buyer.token));
    expect(code).toEqual({
      code_uri: `https://pay.example/${channel}/${code.out_trade_no}`,
      out_trade_no: expect.stringMatching(/^M\d{14}[0-9A-Z]{10}$/),
      total_fee: 29_800,
      pay_platform: platform,
      expire_at: expect.closeTo(before + 1_800, -1),
    });
    expect(await paying.orderOf(code.out_trade_no)).toMatchObject({
      userId: buyer.id,
      documentId: 9,
      priceFen: 29_800,
    });
    expect(paying[channel].trades.get(code.out_trade_no)?.request).toMatchObject({
      amountFen: 29_800,
      subject: '策库 年度会员',
      // The Host of the request names another machine, which is not believed.
      notifyUrl: `http://127.0.0.1:${app.ctx.config.port}/api/pay/notify/${channel}`,
    });
    expect(await paying.jobsOf(`payment-check ${code.out_trade_no}`)).toEqual([
      { task: 'payment-check-order', seconds: 30 },
    ]);
  });

  test('the same choice within five minutes is the same order; another choice and a later one are not (C-47)', async () => {
    const { app, pack, year } = paying;
    const { token } = await paying.addBuyer();
    const first = await paying.order(token, year.id, channel);
    const asked = paying[channel].countOf('createCode');
    const other = await paying.order(token, pack.id, channel);
    expect(other).not.toBe(first);
    expect((await paying.orderOf(first)).supersededAt).not.toBeNull();
    expect(await paying.order(token, year.id, channel)).toBe(first);
    expect((await paying.orderOf(first)).supersededAt).toBeNull();
    expect((await paying.orderOf(other)).supersededAt).not.toBeNull();
    expect(paying[channel].countOf('createCode')).toBe(asked + 1);
    app.clock.offsetMs += 301_000;
    expect(await paying.order(token, year.id, channel)).not.toBe(first);
  });

  test('an item that changed its tier or its name since is another choice', async () => {
    const { app, pack, year } = paying;
    const { token } = await paying.addBuyer();
    const change = (id: number, set: ReturnType<typeof sql>) =>
      app.ctx.db.execute(sql`update price_items set ${set} where id = ${id}`);
    const [plan, coins] = [await paying.order(token, year.id, channel), await paying.order(token, pack.id, channel)];
    await change(year.id, sql`tier = 3 - tier`);
    const other = await paying.order(token, year.id, channel);
    await change(year.id, sql`tier = 3 - tier`);
    const tiers = [(await paying.orderOf(plan)).tier, (await paying.orderOf(other)).tier];
    expect(new Set(tiers)).toEqual(new Set([1, 2]));
    expect(await paying.order(token, year.id, channel)).toBe(plan);
    await change(pack.id, sql`description = description || '新'`);
    const renamed = await paying.order(token, pack.id, channel);
    await change(pack.id, sql`description = left(description, -1)`);
    expect(renamed).not.toBe(coins);
    expect(await paying.order(token, pack.id, channel)).toBe(coins);
  });

  test('after another order of the same plan came through, the same choice is a new order, which extends the term (C-57)', async () => {
    const { app, year } = paying;
    const [buyer, other] = [await paying.addBuyer(), channel === 'wechat' ? 'alipay' : 'wechat'] as const;
    const first = await paying.order(buyer.token, year.id, channel);
    app.clock.offsetMs += 1_000;
    const second = await paying.order(buyer.token, year.id, other);
    await paying.notify(other, paying[other].pay(second));
    expect(await paying.statusOf(second)).toBe('fulfilled');
    app.clock.offsetMs += 1_000;
    const third = await paying.order(buyer.token, year.id, channel);
    expect(third).not.toBe(first);
    // Another choice of the same plan is returned to as always.
    expect(await paying.order(buyer.token, year.id, channel)).toBe(third);
    await paying.notify(channel, paying[channel].pay(third));
    expect(await paying.statusOf(third)).toBe('fulfilled');
    expect((await paying.mine(buyer.token)).vip_last_day).toBe(730);
  });

  test('coins are always credited: the same choice returns its order whatever was paid meanwhile', async () => {
    const { pack } = paying;
    const [buyer, other] = [await paying.addBuyer(), channel === 'wechat' ? 'alipay' : 'wechat'] as const;
    const first = await paying.order(buyer.token, pack.id, channel);
    await paying.notify(other, paying[other].pay(await paying.order(buyer.token, pack.id, other)));
    expect(await paying.order(buyer.token, pack.id, channel)).toBe(first);
  });

  test('many clicks at once are one order', async () => {
    const { token } = await paying.addBuyer();
    const numbers = await Promise.all(Array.from({ length: 8 }, () => paying.order(token, paying.year.id, channel)));
    expect(new Set(numbers).size).toBe(1);
  });

  test('an item that is not on sale is refused, a visitor is asked to log in', async () => {
    const { app } = paying;
    const { token } = await paying.addBuyer();
    for (const item of [0, -1, 9_999, 2 ** 40, '1 or 1=1', null, {}])
      expect(await app.call(endpoint, { item_id: item }, token)).toMatchObject({
        code: CODE.conflict,
        message: '该商品已下架',
      });
    expect(await app.call(endpoint, { item_id: paying.year.id })).toMatchObject({ code: CODE.notLoggedIn });
  });

  test('a provider that is away: 503, the order stays, and the next try is the same order (INV-16)', async () => {
    const gateway = paying[channel];
    const { token } = await paying.addBuyer();
    gateway.away.add('createCode');
    await expect(paying.askCode(token, paying.year.id, channel)).rejects.toMatchObject({ status: 503 });
    const [no = ''] = [...gateway.trades.keys()].slice(-1);
    expect(await paying.statusOf(no)).toBe('created');
    gateway.away.clear();
    expect(await paying.order(token, paying.year.id, channel)).toBe(no);
    expect(await paying.statusOf(no)).toBe('pending');
  });

  test('the provider says it is paid already, or closed: applied, or replaced by a new order', async () => {
    const { app, pack } = paying;
    const gateway = paying[channel];
    const { token } = await paying.addBuyer();
    gateway.away.add('createCode');
    await expect(paying.askCode(token, pack.id, channel)).rejects.toMatchObject({ status: 503 });
    const [no = ''] = [...gateway.trades.keys()].slice(-1);
    gateway.away.clear();
    gateway.pay(no);
    expect(await paying.askCode(token, pack.id, channel)).toMatchObject({ code: CODE.conflict });
    expect(await paying.statusOf(no)).toBe('fulfilled');
    // Nobody is told "paid" before the payment is applied.
    gateway.away.add('createCode');
    await expect(paying.askCode(token, pack.id, channel)).rejects.toMatchObject({ status: 503 });
    const [unsure = ''] = [...gateway.trades.keys()].slice(-1);
    gateway.away.clear();
    gateway.pay(unsure);
    gateway.away.add('findPayment');
    await expect(paying.askCode(token, pack.id, channel)).rejects.toMatchObject({ status: 503 });
    expect(await paying.statusOf(unsure)).toBe('created');
    gateway.away.clear();
    expect(await paying.askCode(token, pack.id, channel)).toMatchObject({ code: CODE.conflict });
    gateway.away.add('createCode');
    await expect(paying.askCode(token, pack.id, channel)).rejects.toMatchObject({ status: 503 });
    const [closed = ''] = [...gateway.trades.keys()].slice(-1);
    gateway.away.clear();
    await gateway.gateway.close(closed);
    const next = await paying.order(token, pack.id, channel);
    expect(next).not.toBe(closed);
    expect(await paying.statusOf(closed)).toBe('closed');
    expect((await app.ctx.gateways[channel]?.findPayment(next))?.state).toBe('unpaid');
  });
});

test('a channel that is not configured is refused by name', async () => {
  const app = await openTestApp();
  try {
    const { addPerson } = await import('../../../tests/people.ts');
    const { token } = await addPerson(app);
    expect(await app.call(wxpayQrcode, { item_id: 1 }, token)).toMatchObject({
      code: CODE.conflict,
      message: '暂不支持微信支付，请选择其他支付方式',
    });
  } finally {
    await app.close();
  }
});

test('twenty new orders in ten minutes, returns to a choice not counted (C-46)', async () => {
  const limited = await openPayingApp({ isRateLimited: true });
  try {
    const { token, id } = await limited.addBuyer();
    const { getOrderWithCode } = await import('./create-order.ts');
    const ctx = { ...limited.app.ctx, session: { id: 1, userId: id, sid: '' } };
    const choose = (itemId: number) =>
      getOrderWithCode(ctx, { itemId, documentId: null, channel: 'wechat', siteUrl: 'http://x' });
    for (let made = 0; made < 20; made += 1) {
      await choose(limited.pack.id);
      await choose(limited.pack.id);
      limited.app.clock.offsetMs += 301_000;
    }
    await expect(choose(limited.pack.id)).rejects.toMatchObject({ code: CODE.tooFrequent });
    for (let asked = 0; asked < 10; asked += 1) await limited.askCode(token, limited.pack.id);
    expect(await limited.askCode(token, limited.pack.id)).toMatchObject({ code: CODE.tooFrequent });
  } finally {
    await limited.app.close();
  }
});

describe.each([
  ['checkOrder', checkOrder],
  ['checkAlipayOrder', checkAlipayOrder],
] as const)('%s', (_name, endpoint) => {
  test('answers in the words of the order’s channel, paid only after its goods are granted', async () => {
    const { app, wechat, alipay, pack } = paying;
    const { token } = await paying.addBuyer();
    const [one, two] = [await paying.order(token, pack.id), await paying.order(token, pack.id, 'alipay')];
    const stateOf = async (no: string) => expectOk(await app.call(endpoint, { out_trade_no: no }, token)).trade_state;
    expect([await stateOf(one), await stateOf(two)]).toEqual(['NOTPAY', 'WAIT_BUYER_PAY']);
    wechat.pay(one);
    alipay.pay(two);
    // Asked of the provider at most once in three seconds.
    expect([await stateOf(one), await stateOf(two)]).toEqual(['NOTPAY', 'WAIT_BUYER_PAY']);
    app.clock.offsetMs += 3_001;
    expect([await stateOf(one), await stateOf(two)]).toEqual(['SUCCESS', 'TRADE_SUCCESS']);
    expect((await paying.mine(token)).balance).toBe(2 * pack.coins);
  });

  test('many polls at once ask the provider once', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    const before = wechat.countOf('findPayment');
    await Promise.all(Array.from({ length: 10 }, () => app.call(endpoint, { out_trade_no: no }, token)));
    expect(wechat.countOf('findPayment')).toBe(before + 1);
  });

  test('a provider that is away changes nothing', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    wechat.pay(no);
    wechat.away.add('findPayment');
    expect(expectOk(await app.call(endpoint, { out_trade_no: no }, token))).toEqual({
      trade_state: 'NOTPAY',
      status: 'pending',
      status_text: '待支付',
    });
    wechat.away.clear();
  });

  test('another user’s order and an invented one are unknown alike; bad input is said in Chinese', async () => {
    const { app, pack } = paying;
    const [owner, stranger] = [await paying.addBuyer(), await paying.addBuyer()];
    const no = await paying.order(owner.token, pack.id);
    for (const asked of [no, 'M202603020030000000000000', "' or 1=1", 'M\u0000', 'x'.repeat(64)])
      expect(await app.call(endpoint, { out_trade_no: asked }, stranger.token)).toMatchObject({
        code: CODE.notFound,
        message: '订单不存在',
      });
    const bad = { out_trade_no: ['x'] };
    // @ts-expect-error: what a client may send all the same.
    expect(await app.call(endpoint, bad, owner.token)).toMatchObject({ code: CODE.invalid, message: '请提供订单号' });
    expect(await app.call(endpoint, { out_trade_no: no })).toMatchObject({ code: CODE.notLoggedIn });
  });
});

describe('getLastOrderPayStatus (C-50)', () => {
  const last = async (token: string | undefined, input: object = { payPlatform: 0 }) =>
    // Safe: the cases below hold what a client may send, well or badly formed.
    paying.app.call(getLastOrderPayStatus, input as { payPlatform: 0 }, token);

  test('1 for the newest order of the platform within 15 minutes, once it is fulfilled', async () => {
    const { app, wechat, pack, year } = paying;
    const { token } = await paying.addBuyer();
    expect((await last(token)).data).toBe(0);
    const no = await paying.order(token, pack.id);
    await paying.notify('wechat', wechat.pay(no));
    expect([(await last(token)).data, (await last(token, { payPlatform: '1' })).data]).toEqual([1, 0]);
    // Programs write a field that they leave out as null.
    expect((await last(token, { payPlatform: 0, out_trade_no: null, since: null })).data).toBe(1);
    app.clock.offsetMs += 10_000;
    const newer = await paying.order(token, year.id);
    expect((await last(token)).data).toBe(0);
    expect((await last(token, { payPlatform: 0, out_trade_no: no })).data).toBe(1);
    const since = Math.floor((await paying.orderOf(newer)).createdAt.getTime() / 1_000);
    expect((await last(token, { payPlatform: 0, out_trade_no: no, since })).data).toBe(0);
    wechat.pay(newer);
    app.clock.offsetMs += 3_001;
    expect((await last(token)).data).toBe(1);
    app.clock.offsetMs += 901_000;
    expect((await last(token)).data).toBe(0);
  });

  test('another user’s order counts for nobody else; bad input and visitors are refused', async () => {
    const { wechat, pack } = paying;
    const [owner, stranger] = [await paying.addBuyer(), await paying.addBuyer()];
    const no = await paying.order(owner.token, pack.id);
    await paying.notify('wechat', wechat.pay(no));
    expect((await last(stranger.token)).data).toBe(0);
    expect((await last(stranger.token, { payPlatform: 0, out_trade_no: no })).data).toBe(0);
    for (const payPlatform of [2, -1, 'x', null, undefined, [0]])
      expect(await last(owner.token, { payPlatform })).toMatchObject({ code: CODE.invalid, message: '请选择支付方式' });
    expect(await last(undefined)).toMatchObject({ code: CODE.notLoggedIn });
  });
});

describe('the order list (C-58)', () => {
  test('both shapes, paid orders by default, newest first, one’s own only', async () => {
    const { app, wechat, alipay, pack, year } = paying;
    const [buyer, stranger] = [await paying.addBuyer(), await paying.addBuyer()];
    const coins = await paying.order(buyer.token, pack.id);
    const days = await paying.order(buyer.token, year.id, 'alipay');
    const unpaid = await paying.order(buyer.token, year.id);
    await paying.notify('wechat', wechat.pay(coins));
    await paying.notify('alipay', alipay.pay(days));
    const list = expectOk(await app.call(listOrders, {}, buyer.token));
    expect(list).toMatchObject({ count: 2, total: 2, page: 1, page_size: 10 });
    expect(list.items).toEqual(list.data);
    expect(list.items.map(({ trade_no: no }) => no)).toEqual([days, coins]);
    expect(list.items[0]).toMatchObject({
      orderItemName: '年度会员',
      validMonth: 12,
      startDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      total_fee: 29_800,
      pay_platform: 1,
      status: 'fulfilled',
      status_text: '已支付',
    });
    expect(list.items[1]).toMatchObject({ validMonth: 0, total_fee: 1_000, pay_platform: 0 });
    const all = expectOk(await app.call(listOrders, { status: 'all' }, buyer.token));
    expect(all.items.map(({ trade_no: no, startDate }) => [no, startDate !== ''])).toEqual([
      [unpaid, false],
      [days, true],
      [coins, true],
    ]);
    expect(
      expectOk(await app.call(listOrders, { page: 2, pageSize: 1, status: 'all' }, buyer.token)).items,
    ).toHaveLength(1);
    expect(expectOk(await app.call(listOrders, { page: 9 }, buyer.token))).toMatchObject({ items: [], count: 2 });
    expect(expectOk(await app.call(listOrders, { page: 'x', pageSize: {} }, stranger.token)).count).toBe(0);
    expect(await app.call(listOrders, {})).toMatchObject({ code: CODE.notLoggedIn });
  });

  test('chosen: the unpaid order that can still be paid, not what a later choice has superseded, nor what has run out', async () => {
    const { app, wechat, pack, year } = paying;
    const { token } = await paying.addBuyer();
    const superseded = await paying.order(token, year.id);
    const left = await paying.order(token, pack.id);
    const numbersOf = async (status: string) =>
      expectOk(await app.call(listOrders, { status }, token)).items.map(({ trade_no: no }) => no);
    expect(await numbersOf('chosen')).toEqual([left]);
    expect(await numbersOf('all')).toEqual([left, superseded]);
    const [item] = expectOk(await app.call(listOrders, { status: 'chosen' }, token)).items;
    expect(item).toMatchObject({ item_id: pack.id, kind: 'coin', status: 'pending', can_invoice: 0, refund_time: 0 });
    expect(item?.expire_at).toBe((item?.create_time ?? 0) + 1_800);
    // Money that comes for a superseded order is the buyer's all the same.
    await paying.notify('wechat', wechat.pay(superseded));
    expect(await numbersOf('chosen')).toEqual([left, superseded]);
    expect(expectOk(await app.call(listOrders, {}, token)).items[0]).toMatchObject({ expire_at: 0, can_invoice: 1 });
    app.clock.offsetMs += 1_801_000;
    // The provider has not closed it yet, but nobody can pay it any more.
    expect(await paying.statusOf(left)).toBe('pending');
    expect(await numbersOf('chosen')).toEqual([superseded]);
    await checkOrderByPlan(app.ctx, { outTradeNo: left });
    expect(await paying.statusOf(left)).toBe('closed');
    expect(await numbersOf('chosen')).toEqual([superseded]);
  });

  test('just_paid: for five minutes after the goods have come, by the clock of the site', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    const isJustPaid = async () =>
      expectOk(await app.call(listOrders, { status: 'all' }, token)).items.map((item) => item.just_paid);
    expect(await isJustPaid()).toEqual([0]);
    await paying.notify('wechat', wechat.pay(no));
    expect(await isJustPaid()).toEqual([1]);
    app.clock.offsetMs += 301_000;
    expect(await isJustPaid()).toEqual([0]);
  });

  test('the coins of a pack have separators in its name', async () => {
    const { app } = paying;
    const { token } = await paying.addBuyer();
    const { listPrices } = await import('../../prices/contract.ts');
    for (const pack of expectOk(await app.call(listPrices, {})).miao) await paying.order(token, pack.id);
    const { items } = expectOk(await app.call(listOrders, { status: 'all' }, token));
    expect(items.map(({ orderItemName }) => orderItemName).toReversed()).toEqual([
      '100 喵币',
      '330 喵币',
      '600 喵币',
      '1,300 喵币',
    ]);
  });

  test('names and months are those of the plans: 3, 12 and 1200', async () => {
    const { app } = paying;
    const { token } = await paying.addBuyer();
    const { listPrices } = await import('../../prices/contract.ts');
    for (const plan of expectOk(await app.call(listPrices, {})).vip) await paying.order(token, plan.id);
    const { items } = expectOk(await app.call(listOrders, { status: 'all' }, token));
    expect(items.map(({ orderItemName, validMonth }) => [orderItemName, validMonth]).toReversed()).toEqual([
      ['季度会员', 3],
      ['年度会员', 12],
      ['终身会员', 1_200],
    ]);
  });
});

describe('the job that asks about an order', () => {
  const check = (outTradeNo: string) => checkOrderByPlan(paying.app.ctx, { outTradeNo });

  test('asks by the plan until it expires, then closes it with the provider', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    const made = (await paying.orderOf(no)).createdAt.getTime();
    const waits: number[] = [];
    for (const seconds of [30, 60, 120, 300, 600, 900, 1_200, 1_500]) {
      app.clock.offsetMs += made + seconds * 1_000 - app.ctx.clock.now();
      await check(no);
      waits.push((await paying.jobsOf(`payment-check ${no}`))[0]?.seconds ?? 0);
    }
    // The clock goes on while the test runs, so a wait may be some seconds shorter than planned.
    for (const [index, planned] of [30, 60, 180, 300, 300, 300, 300, 300].entries()) {
      expect(waits[index]).toBeLessThanOrEqual(planned);
      expect(waits[index]).toBeGreaterThan(planned - 25);
    }
    app.clock.offsetMs += made + 1_801_000 - app.ctx.clock.now();
    await check(no);
    expect(await paying.statusOf(no)).toBe('closed');
    expect(wechat.trades.get(no)?.isClosed).toBe(true);
  });

  test.each([1, 31, 121, 301, 601, 1_199, 1_795])(
    'nobody looks and the notification is lost: paid after %i s, fulfilled at most six minutes later',
    async (paidAfter) => {
      const { app, wechat, pack } = paying;
      const { token } = await paying.addBuyer();
      const no = await paying.order(token, pack.id);
      const { createdAt, expiresAt } = await paying.orderOf(no);
      const secondsSince = (at: Date | number) => (Number(at) - createdAt.getTime()) / 1_000;
      const fulfilledAfter = async () => {
        let at = createdAt.getTime();
        // The job runs when the plan says so, and the payment comes in between.
        while (at < expiresAt.getTime()) {
          at = nextCheckAt({ createdAt, expiresAt }, at);
          if (!wechat.trades.get(no)?.payment && secondsSince(at) > paidAfter) wechat.pay(no);
          app.clock.offsetMs += at - app.ctx.clock.now();
          await check(no);
          if ((await paying.statusOf(no)) === 'fulfilled') return secondsSince(at);
        }
        return Infinity;
      };
      expect((await fulfilledAfter()) - paidAfter).toBeLessThanOrEqual(360);
    },
  );

  test('a dialog is open, the notification is lost, the provider is away for 40 s: fulfilled within 60 s', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    wechat.pay(no);
    wechat.away.add('findPayment');
    const asked = wechat.countOf('findPayment');
    let seconds = 0;
    for (; seconds <= 60; seconds += 1) {
      if (seconds === 40) wechat.away.clear();
      if ((await paying.tradeStateOf(token, no)) === 'SUCCESS') break;
      expect((await paying.mine(token)).balance).toBe(0);
      app.clock.offsetMs += 1_000;
    }
    wechat.away.clear();
    expect(seconds).toBeGreaterThanOrEqual(40);
    expect(seconds).toBeLessThanOrEqual(44);
    // The dialog asks each second, the provider is asked each third one.
    expect(wechat.countOf('findPayment') - asked).toBeLessThan(seconds);
    expect((await paying.mine(token)).balance).toBe(pack.coins);
  });

  test('finds a payment whose notification was lost', async () => {
    const { wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    wechat.pay(no);
    await check(no);
    expect(await paying.statusOf(no)).toBe('fulfilled');
  });

  test('closes what was superseded once its five minutes are over, and not before', async () => {
    const { app, wechat, pack, year } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    await paying.order(token, year.id);
    await check(no);
    expect(wechat.trades.get(no)?.isClosed).toBe(false);
    app.clock.offsetMs += 301_000;
    await check(no);
    expect([await paying.statusOf(no), wechat.trades.get(no)?.isClosed]).toEqual(['closed', true]);
  });

  test('of a channel that was removed: closed here two days later; money that comes is taken all the same', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    const without = { ...app.ctx, gateways: { ...app.ctx.gateways, wechat: null } };
    app.clock.offsetMs += 1_801_000;
    await expect(checkOrderByPlan(without, { outTradeNo: no })).rejects.toMatchObject({ seconds: 300 });
    expect(await paying.statusOf(no)).toBe('pending');
    app.clock.offsetMs += 172_800_000;
    await checkOrderByPlan(without, { outTradeNo: no });
    expect([await paying.statusOf(no), wechat.trades.get(no)?.isClosed]).toEqual(['closed', false]);
    await paying.notify('wechat', wechat.pay(no));
    expect(await paying.statusOf(no)).toBe('fulfilled');
  });

  test('paid at the moment of closing: fulfilled', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    app.clock.offsetMs += 1_801_000;
    wechat.before.set('close', async () => void wechat.pay(no));
    await check(no);
    expect(await paying.statusOf(no)).toBe('fulfilled');
  });

  test('a provider that does not know an order: open until its code expires, then closed', async () => {
    const { app, wechat, pack, year } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    await paying.order(token, year.id);
    wechat.trades.delete(no);
    app.clock.offsetMs += 301_000;
    await check(no);
    expect(await paying.statusOf(no)).toBe('pending');
    app.clock.offsetMs += 1_500_000;
    await check(no);
    expect(await paying.statusOf(no)).toBe('closed');
  });

  test('a provider that does not close an expired order yet is asked again in a minute', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    app.clock.offsetMs += 1_801_000;
    const close = vi.spyOn(wechat.gateway, 'close').mockResolvedValue('try-later');
    await expect(check(no)).rejects.toMatchObject({ seconds: 60 });
    expect([await paying.statusOf(no), close.mock.calls.length]).toEqual(['pending', 1]);
    close.mockRestore();
    await check(no);
    expect(await paying.statusOf(no)).toBe('closed');
  });

  test('a provider that refuses our keys is asked again in five minutes', async () => {
    const { wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    wechat.before.set('findPayment', () => Promise.reject(new ProviderRefused('stand-in', 'not-authorised', 'CODE')));
    await expect(check(no)).rejects.toMatchObject({ seconds: 300 });
    wechat.before.set('findPayment', () => Promise.reject(new ProviderRefused('stand-in', 'not-authorised', 'CODE')));
    expect(await paying.tradeStateOf(token, no)).toBe('NOTPAY');
  });

  test('a provider that is away is asked again soon', async () => {
    const { wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    wechat.away.add('findPayment');
    await expect(check(no)).rejects.toMatchObject({ seconds: 15 });
    wechat.away.clear();
  });
});

describe('personal data', () => {
  test('orders are in the copy, and kept after an erasure without what names the person', async () => {
    const { app, wechat, pack } = paying;
    const { token, id } = await paying.addBuyer();
    const no = expectOk(await app.call(wxpayQrcode, { item_id: pack.id, file_id: 9 }, token)).out_trade_no;
    await paying.notify('wechat', wechat.pay(no));
    const parts = await Promise.all(PERSONAL_DATA.map((part) => part.collect(app.ctx, id)));
    expect(parts.flatMap((part) => part['orders'] ?? [])).toMatchObject([
      { outTradeNo: no, status: 'fulfilled', documentId: 9, priceFen: 1_000 },
    ]);
    const late = await paying.order(token, paying.year.id);
    await eraseUser(app.ctx, PERSONAL_DATA, id);
    expect(await paying.orderOf(no)).toMatchObject({ status: 'fulfilled', userId: id, documentId: null });
    const { selectNoticesOf } = await import('./store/notices.ts');
    expect(await selectNoticesOf(app.ctx.db, no)).toHaveLength(1);
    // Money that comes for an account that is gone is put aside, and grants nothing.
    await paying.notify('wechat', wechat.pay(late));
    expect(await paying.orderOf(late)).toMatchObject({ status: 'mismatch', mismatch: 'the account was erased' });
    // The bytes would name the payer.
    const bodies = sql`select body is null as is_empty, length(sha256) as hash from payment_notices where out_trade_no = ${late}`;
    expect((await app.ctx.db.execute(bodies)).rows).toEqual([{ is_empty: true, hash: 64 }]);
  });

  test('a payment and an erasure at once leave no bytes of the notification', async () => {
    const { app, wechat, pack } = paying;
    for (let round = 0; round < 6; round += 1) {
      const { token, id } = await paying.addBuyer();
      const no = await paying.order(token, pack.id);
      await Promise.all([paying.notify('wechat', wechat.pay(no)), eraseUser(app.ctx, PERSONAL_DATA, id)]);
      const kept = sql`select 1 from payment_notices where out_trade_no = ${no} and body is not null`;
      expect((await app.ctx.db.execute(kept)).rows).toEqual([]);
    }
  });

  test('a request that was under way at the erasure makes no order', async () => {
    const { app, year, wechat } = paying;
    const { id } = await paying.addBuyer();
    const session = { id: 1, userId: id, sid: '' };
    await eraseUser(app.ctx, PERSONAL_DATA, id);
    const asked = wechat.countOf('createCode');
    await expect(createCode({ ...app.ctx, session }, 'wechat', { item_id: year.id, file_id: 0 })).rejects.toMatchObject(
      { code: CODE.sessionInvalid },
    );
    expect(wechat.countOf('createCode')).toBe(asked);
    const parts = await Promise.all(PERSONAL_DATA.map((part) => part.collect(app.ctx, id)));
    expect(parts.flatMap((part) => part['orders'] ?? [])).toEqual([]);
  });

  test('a paid order that is not done stands against deleting the account (C-74)', async () => {
    const { app, wechat, pack } = paying;
    const { token } = await paying.addBuyer();
    const no = await paying.order(token, pack.id);
    await paying.notify('wechat', wechat.pay(no, { amountFen: 1 }));
    expect(await app.call(cancelAccount, {}, token)).toMatchObject({
      code: CODE.conflict,
      message: '您有已付款但未完成的订单或退款，处理完成后才能注销账号',
    });
  });
});
