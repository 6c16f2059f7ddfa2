import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openConnectedApp, type ConnectedApp } from '../../../tests/outside.ts';
import { checkOrders } from '../../../tests/paying.ts';
import { addPerson } from '../../../tests/people.ts';
import { dayText } from '../../library/rules.ts';
import { getMine } from '../../membership/contract.ts';
import { listPrices } from '../../prices/contract.ts';
import { expectOk } from '../../protocol/call.ts';
import { alipayQrcode, checkAlipayOrder, checkOrder, EVENTS_PATH, listOrders, wxpayQrcode } from '../contract.ts';
import { accountsOf } from '../../outside/server.ts';
import { wechatPayAccountOf } from '../../outside/wechat-pay/wechat-pay.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { gatewaysOfOutside, openGateways, type GatewaySettings } from './adapters/gateways.ts';
import { compareBill } from './operator/bills.ts';
import { checkOrderByPlan } from './check-order.ts';
import { sendRefund } from './refunds.ts';
import { testPayment } from './operator/self-test.ts';
import { acceptMismatch } from './settle-order.ts';
import { selectOrder } from './store/orders.ts';
import { selectRefundOf } from './store/refunds.ts';

/**
 * Orders over sockets: the real adapters, and the pretend providers on the other side, which sign, notify, fail and lie
 * as the real ones may. What the adapters believe is in tests/providers; here it is what the orders make of it.
 */
const CHANNELS = {
  wechat: {
    code: wxpayQrcode,
    check: checkOrder,
    control: 'wechat-pay',
    paid: 'SUCCESS',
    unpaid: 'NOTPAY',
    create: 'native',
  },
  alipay: {
    code: alipayQrcode,
    check: checkAlipayOrder,
    control: 'alipay',
    paid: 'TRADE_SUCCESS',
    unpaid: 'WAIT_BUYER_PAY',
    create: 'precreate',
  },
} as const;
type ChannelName = keyof typeof CHANNELS;

/** Long enough for a busy machine, and what a hanging provider costs each test. */
const PROVIDER_MS = 2_500;

/** The pretend providers repeat what was refused, and refund, in this part of the vendors' time. */
const RETRY_SCALE = 0.001;

let site: ConnectedApp;
let prices: Awaited<ReturnType<typeof findPrices>>;
beforeAll(async () => {
  site = await openConnectedApp('aliyun', { payTimeoutMs: PROVIDER_MS });
  prices = await findPrices();
});
afterAll(() => site.close());
afterEach(async () => {
  for (const { control } of Object.values(CHANNELS)) {
    await site.control('DELETE', `${control}/faults`);
    await site.control('PUT', `${control}/clock`, { retryScale: RETRY_SCALE });
  }
  await checkOrders(site.app);
});

async function findPrices() {
  const { miao, vip } = expectOk(await site.app.call(listPrices, {}));
  const [[pack], [, year]] = [miao, vip];
  if (!pack || !year) throw new Error('the price list has a pack of coins and a year');
  return { pack, year };
}

const order = async (token: string, channel: ChannelName, itemId: number) =>
  expectOk(await site.callAs(token)(CHANNELS[channel].code, { item_id: itemId })).out_trade_no;
const pay = (channel: ChannelName, no: string, more: object = {}) =>
  site.control('POST', `${CHANNELS[channel].control}/pay`, { no, ...more });
const script = (channel: ChannelName, call: string, fault: string, more: object = {}) =>
  site.control('POST', `${CHANNELS[channel].control}/faults`, { call, fault, ...more });
const statusOf = async (no: string) => (await selectOrder(site.app.ctx.db, no))?.status;
const balanceOf = async (token: string) => expectOk(await site.app.call(getMine, {}, token)).balance;
const stateOf = async (token: string, channel: ChannelName, no: string) =>
  expectOk(await site.callAs(token)(CHANNELS[channel].check, { out_trade_no: no })).trade_state;
const sendRefundOf = async (no: string) => {
  const found = await selectOrder(site.app.ctx.db, no);
  const refund = found && (await selectRefundOf(site.app.ctx.db, found.id));
  if (!refund) throw new Error('there is no refund');
  await sendRefund(site.app.ctx, refund);
};

test('the self-test: right with our keys, and it says which of them is wrong', async () => {
  const { ctx } = site.app;
  const accounts = gatewaysOfOutside(accountsOf(site.outside.world));
  const { wechat, alipay } = accounts;
  if (!wechat || !alipay) throw new Error('both providers opened an account');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const saysOf = async (settings: GatewaySettings) => {
    const gateways = openGateways(settings, { clock: ctx.clock, log: ctx.log });
    const checks = await testPayment({ ...ctx, gateways, config: { ...ctx.config, publicUrl: site.siteUrl } });
    return checks.map(({ subject, isRight, detail }) => `${isRight} ${subject}: ${detail}`);
  };
  const trades = () => [...site.outside.world.wechatPay.orders.values()];
  const before = trades().length;
  const bothOf = (own: string) => expect.stringMatching(`^true ${own}, .+: takes our key, and signs with one we hold$`);
  const codeOf = (own: string, end: string) =>
    expect.stringMatching(`^true ${own}, .+: makes a code for our account, ${end}$`);
  expect(await saysOf(accounts)).toEqual([
    bothOf('WeChat Pay'),
    codeOf('WeChat Pay', 'and closes it'),
    'null WeChat Pay, APIv3 key: only the first notification shows whether it is right',
    expect.stringMatching(/^true .+notify\/wechat: is this site$/),
    bothOf('Alipay'),
    codeOf('Alipay', 'which runs out in 5 minutes'),
    expect.stringMatching(/^true .+notify\/alipay: is this site$/),
    expect.stringMatching(/^null NOTIFY_URL: is not set/),
  ]);
  expect(trades().slice(before)).toMatchObject([
    { outTradeNo: expect.stringMatching(/^T\d{14}/), totalFen: 1, state: 'CLOSED' },
  ]);
  const elsewhere = await saysOf({
    wechat: { ...wechat, appId: 'wx0000000000000000' },
    alipay: { ...alipay, sellerId: '2088000000000000' },
  });
  expect(elsewhere).toContainEqual(expect.stringMatching(/^false WeChat Pay.+APPID_MCHID_NOT_MATCH/));
  expect(elsewhere).toContainEqual(expect.stringMatching(/^false Alipay.+ACQ.INVALID_PARAMETER/));
  const own = await saysOf({ wechat: { ...wechat, privateKey }, alipay: { ...alipay, privateKey } });
  expect(own[0]).toMatch(/^false WeChat Pay.+SIGN_ERROR/);
  expect(own[2]).toMatch(/^false Alipay.+isv.invalid-signature/);
  const verifyKeys = Object.fromEntries(Object.keys(wechat.verifyKeys).map((id) => [id, publicKey]));
  const theirs = await saysOf({
    wechat: { ...wechat, verifyKeys },
    alipay: { ...alipay, alipayPublicKeys: [publicKey] },
  });
  expect(theirs[0]).toMatch(/^false WeChat Pay.+a wrongly signed answer/);
  expect(theirs[2]).toMatch(/^false Alipay.+a wrongly signed answer/);
});

test('the self-test opens the platform certificates with the APIv3 key, where the merchant has such', async () => {
  const { ctx } = site.app;
  const { wechatPay } = site.outside.world;
  const account = wechatPayAccountOf(wechatPay, site.outside.url, 'certificate');
  const saysOf = async (apiV3Key: string) => {
    const settings = { wechat: { ...account, apiV3Key }, alipay: null };
    const gateways = openGateways(settings, { clock: ctx.clock, log: ctx.log });
    const checks = await testPayment({ ...ctx, gateways, config: { ...ctx.config, publicUrl: site.siteUrl } });
    return checks.find(({ subject }) => subject === 'WeChat Pay, APIv3 key');
  };
  expect(await saysOf(account.apiV3Key)).toMatchObject({ isRight: true, detail: "opens WeChat Pay's certificates" });
  expect(await saysOf('x'.repeat(32))).toMatchObject({
    isRight: false,
    detail: expect.stringContaining('WECHAT_PAY_APIV3_KEY'),
  });
});

describe.each(['wechat', 'alipay'] as const)('%s', (channel) => {
  const { paid, unpaid, create } = CHANNELS[channel];

  test('a code is scanned and paid: the notification fulfils the order, and the page hears of it', async () => {
    const { token } = await addPerson(site.app);
    const no = await order(token, channel, prices.pack.id);
    expect(await stateOf(token, channel, no)).toBe(unpaid);
    const events = await fetch(`${site.siteUrl}${EVENTS_PATH}`, { headers: { token } });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await pay(channel, no);
    expect(await statusOf(no)).toBe('fulfilled');
    expect(await stateOf(token, channel, no)).toBe(paid);
    expect(await balanceOf(token)).toBe(prices.pack.coins);
    let text = '';
    while (!text.includes('event: paid')) text += (await reader?.read())?.value ?? '';
    expect(text).toContain(no);
    await reader?.cancel();
    expect(expectOk(await site.app.call(listOrders, {}, token)).items).toMatchObject([
      { trade_no: no, total_fee: 1_000 },
    ]);
  });

  test('fifty copies of the notification at once: one topup', async () => {
    const { token } = await addPerson(site.app);
    const no = await order(token, channel, prices.pack.id);
    await script(channel, 'notify', 'twice', { n: 50 });
    await pay(channel, no);
    expect(await balanceOf(token)).toBe(prices.pack.coins);
  });

  test('the notification is lost: the poll finds the payment, and so does the job', async () => {
    const { token } = await addPerson(site.app);
    for (const find of [
      (no: string) => stateOf(token, channel, no),
      (no: string) => checkOrderByPlan(site.app.ctx, { outTradeNo: no }),
    ]) {
      site.app.clock.offsetMs += 301_000;
      const no = await order(token, channel, prices.pack.id);
      await script(channel, 'notify', 'never');
      await pay(channel, no);
      expect(await statusOf(no)).toBe('pending');
      await find(no);
      expect(await statusOf(no)).toBe('fulfilled');
    }
    site.app.clock.offsetMs = 0;
  });

  test.each(['unsigned', 'wrong-sign', 'wrong-out-trade-no', 'html'])(
    'a notification that is %s changes nothing; the poll finds the payment',
    async (fault) => {
      const { token } = await addPerson(site.app);
      const no = await order(token, channel, prices.pack.id);
      await script(channel, 'notify', fault);
      // As late as the vendor does: not before this test has looked at what the refused notification left.
      await site.control('PUT', `${CHANNELS[channel].control}/clock`, { retryScale: 1 });
      await pay(channel, no);
      expect([await statusOf(no), await balanceOf(token)]).toEqual(['pending', 0]);
      expect(await stateOf(token, channel, no)).toBe(paid);
    },
  );

  test.each([-1, 1, 99_000])(
    'a signed notification of %i fen more: put aside, acknowledged, nothing granted',
    async (by) => {
      const { token } = await addPerson(site.app);
      const no = await order(token, channel, prices.pack.id);
      await pay(channel, no, { amountFen: 1_000 + by });
      expect([await statusOf(no), await balanceOf(token)]).toEqual(['mismatch', 0]);
      expect(await stateOf(token, channel, no)).toBe(unpaid);
    },
  );

  test.each(['hang', 'reset', '500', 'unsigned', 'wrong-sign', 'dup-json-key', 'html', 'lost'])(
    'the provider answers the order with %s: 503, and the next try is a code of the same order',
    async (fault) => {
      const { token } = await addPerson(site.app);
      await script(channel, create, fault);
      await expect(site.callAs(token)(CHANNELS[channel].code, { item_id: prices.pack.id })).rejects.toMatchObject({
        status: 503,
      });
      const [made] = expectOk(await site.app.call(listOrders, { status: 'all' }, token)).items;
      expect(made?.status).toBe('created');
      const no = await order(token, channel, prices.pack.id);
      expect(no).toBe(made?.trade_no);
      await pay(channel, no);
      expect(await statusOf(no)).toBe('fulfilled');
    },
  );

  test('paid before the provider has answered: fulfilled', async () => {
    const { token } = await addPerson(site.app);
    await script(channel, create, 'paid-first');
    const no = await order(token, channel, prices.pack.id);
    expect(await stateOf(token, channel, no)).toBe(paid);
    expect(await balanceOf(token)).toBe(prices.pack.coins);
  });

  test.each(['unsigned', 'wrong-sign', 'dup-json-key', 'wrong-out-trade-no', '500', 'reset', 'hang', 'html'])(
    'a query that is answered with %s grants nothing, and the next one is believed',
    async (fault) => {
      const { token } = await addPerson(site.app);
      const no = await order(token, channel, prices.pack.id);
      await script(channel, 'notify', 'never');
      await pay(channel, no);
      await script(channel, 'query', fault);
      expect([await stateOf(token, channel, no), await balanceOf(token)]).toEqual([unpaid, 0]);
      site.app.clock.offsetMs += 3_001;
      expect(await stateOf(token, channel, no)).toBe(paid);
      site.app.clock.offsetMs = 0;
    },
  );

  test('a signed answer to a query states another amount: put aside, nothing granted; the operator grants it', async () => {
    const { token } = await addPerson(site.app);
    const no = await order(token, channel, prices.pack.id);
    await script(channel, 'notify', 'never');
    await pay(channel, no);
    await script(channel, 'query', 'wrong-amount', { by: -1 });
    expect([await stateOf(token, channel, no), await balanceOf(token)]).toEqual([unpaid, 0]);
    expect(await statusOf(no)).toBe('mismatch');
    site.app.clock.offsetMs += 3_001;
    expect([await stateOf(token, channel, no), await balanceOf(token)]).toEqual([unpaid, 0]);
    site.app.clock.offsetMs = 0;
    expect(await acceptMismatch(site.app.ctx, no)).toBe(true);
    expect([await stateOf(token, channel, no), await balanceOf(token)]).toEqual([paid, prices.pack.coins]);
  });

  test('two orders of one membership are paid: the second is paid back with the provider', async () => {
    const { token } = await addPerson(site.app);
    const other = channel === 'wechat' ? 'alipay' : 'wechat';
    const first = await order(token, channel, prices.year.id);
    const second = await order(token, other, prices.year.id);
    await pay(other, second);
    await pay(channel, first);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['refunding', 'fulfilled']);
    // WeChat Pay tells of the end by a notification, Alipay in its answer.
    await sendRefundOf(first).catch(() => undefined);
    await expect.poll(() => statusOf(first)).toBe('refunded');
    expect(expectOk(await site.app.call(getMine, {}, token)).vip_last_day).toBe(365);
  });

  test('the bill of the day agrees with the orders, and tells of what was never notified', async () => {
    const { token } = await addPerson(site.app);
    const no = await order(token, channel, prices.pack.id);
    await script(channel, 'notify', 'never');
    await pay(channel, no);
    const today = dayText(new Date(site.app.ctx.clock.now()));
    // Alipay has the bill of a day on the next day only: both sides move on.
    const aheadMs = channel === 'alipay' ? DAY_MS : 0;
    const ahead = { now: () => Date.now() + aheadMs };
    const gateways = openGateways(gatewaysOfOutside(accountsOf(site.outside.world)), {
      clock: ahead,
      log: site.app.ctx.log,
    });
    await site.control('PUT', `${CHANNELS[channel].control}/clock`, { skewMs: aheadMs });
    const { settled } = await compareBill({ ...site.app.ctx, gateways }, channel, today);
    await site.control('PUT', `${CHANNELS[channel].control}/clock`, { skewMs: 0 });
    expect(settled).toBe(1);
    expect(await statusOf(no)).toBe('fulfilled');
    expect(await balanceOf(token)).toBe(prices.pack.coins);
  });
});
