import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
// The vendor's protocol as somebody else wrote it down: the oracle of what our adapter verifies.
import { Aes, Formatter, Rsa } from 'wechatpay-axios-plugin';
import { ProviderUnavailable } from '../../src/accounts/ports.ts';
import { accountsOf, openOutside, type OutsideServer } from '../../src/outside/server.ts';
import { wechatPayAccountOf } from '../../src/outside/wechat-pay/wechat-pay.ts';
import type { CodeRequest, PaymentGateway } from '../../src/payment/ports.ts';
import { gatewaysOfOutside, openGateways } from '../../src/payment/server/adapters/gateways.ts';
import { linesOf } from '../../src/payment/server/adapters/wechat-pay-bill.ts';
import { readObject } from '../../src/payment/server/adapters/strict-json.ts';
import type { WechatPaySettings } from '../../src/payment/server/adapters/wechat-pay-settings.ts';
import { createWechatPay } from '../../src/payment/server/adapters/wechat-pay.ts';
import { systemClock, type Clock } from '../../src/platform/clock.ts';
import { createLog, type Log } from '../../src/platform/log.ts';
import { control } from '../outside.ts';
import { testGateway, type PortCall, type Provider, type ProviderFacts } from './payment-suite.ts';

/** The names that WeChat Pay has for the calls of the port. */
const CALLS: Record<PortCall | 'notify' | 'bill', string> = {
  createCode: 'native',
  findPayment: 'query',
  close: 'close',
  refund: 'refund',
  findRefund: 'refund-query',
  notify: 'notify',
  bill: 'bill',
};
const UNBELIEVABLE = ['unsigned', 'wrong-sign', 'signtest', 'stale', 'unknown-serial'];
const OF_AN_ORDER = [...UNBELIEVABLE, 'dup-json-key', 'wrong-out-trade-no'];

const open = (settings: WechatPaySettings, log: Log, timeoutMs = 5_000, clock: Clock = systemClock): PaymentGateway =>
  createWechatPay(settings, { clock, log, timeoutMs });

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A call whose deadline the test ends is over long before the pretend WeChat Pay drops a hanging call (60 s). */
const ENDED_MS = 20_000;
/** No other part of the test run has this deadline. */
const DEADLINE_MS = 77_777;

type Mode = 'public-key' | 'certificate';

async function openProvider(mode: Mode): Promise<Provider> {
  const outside = await openOutside({ host: '127.0.0.1', port: 0 });
  await control(outside, 'POST', 'wechat-pay/notifyMode', { mode });
  const settings = wechatPayAccountOf(outside.world.wechatPay, outside.url, mode);
  const [named] = outside.world.wechatPay.keys.named;
  const otherKey = named?.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() ?? '';
  const away = `http://127.0.0.1:${await freePort()}`;
  return {
    open: ({ log, timeoutMs, clock }) => open(settings, log, timeoutMs, clock),
    openStranger: (log) => open({ ...settings, privateKey: otherKey }, log),
    openAway: (log) => open({ ...settings, apiUrl: away }, log),
    secrets: [settings.apiV3Key, settings.privateKey, settings.privateKey.slice(60, 120)],
    pay: (no, amountFen) => control(outside, 'POST', 'wechat-pay/pay', { no, ...(amountFen && { amountFen }) }),
    script: (call, fault, more) => control(outside, 'POST', 'wechat-pay/faults', { call: CALLS[call], fault, ...more }),
    clearScripts: () => control(outside, 'DELETE', 'wechat-pay/faults'),
    // The pretend WeChat Pay has the bill of today.
    passDay: () => Promise.resolve(),
    close: () => outside.close(),
  };
}

const factsOf = (mode: Mode): ProviderFacts => ({
  name: `WeChat Pay, ${mode}`,
  channel: 'wechat',
  code: /^weixin:\/\/wxpay\/bizpayurl\?pr=\w+$/,
  unscanned: { payment: 'unpaid', close: 'closed' },
  forgeries: {
    createCode: [...UNBELIEVABLE, 'dup-json-key'],
    findPayment: [...OF_AN_ORDER, 'wrong-mchid', 'wrong-appid'],
    close: UNBELIEVABLE,
    refund: OF_AN_ORDER,
    findRefund: OF_AN_ORDER,
  },
  forgedNotifications: [...UNBELIEVABLE, 'dup-json-key', 'html', 'huge', 'wrong-mchid', 'wrong-appid'],
  open: () => openProvider(mode),
});

testGateway(factsOf('public-key'));
testGateway(factsOf('certificate'));

describe('WeChat Pay', () => {
  let outside: OutsideServer;
  let site: Server;
  let siteUrl = '';
  let received: { headers: Headers; body: Buffer }[] = [];
  const log = createLog('silent');

  beforeAll(async () => {
    outside = await openOutside({ host: '127.0.0.1', port: 0 });
    site = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
        received.push({ headers: new Headers(headers), body: Buffer.concat(chunks) });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    siteUrl = `http://127.0.0.1:${portOf(site)}/notify`;
  });
  afterEach(async () => {
    await control(outside, 'DELETE', 'wechat-pay/faults');
    await control(outside, 'POST', 'wechat-pay/notifyMode', { mode: 'public-key' });
    received = [];
  });
  afterAll(async () => {
    await outside.close();
    site.closeAllConnections();
    site.close();
  });

  const accountOf = (mode: Mode) => wechatPayAccountOf(outside.world.wechatPay, outside.url, mode);
  const fails = (call: string, fault: string, times = 1) =>
    control(outside, 'POST', 'wechat-pay/faults', { call, fault, times });
  const callsOf = async (call: string) => Number((await control(outside, 'GET', 'wechat-pay/calls'))[call] ?? 0);
  const certificateCalls = () => callsOf('certificates');
  const rotate = (mode: Mode) => control(outside, 'POST', 'wechat-pay/rotateKey', { mode });
  let serial = 0;
  const order = (): CodeRequest => {
    serial += 1;
    return {
      outTradeNo: `M20261122103000WECHAT${String(serial).padStart(4, '0')}`,
      amountFen: 2_500,
      subject: '25 喵币',
      expiresAt: new Date(Math.ceil(Date.now() / 1000) * 1000 + 900_000),
      notifyUrl: siteUrl,
    };
  };
  const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      (answer) => expect.unreachable(`it was answered: ${JSON.stringify(answer)}`),
      (error: unknown) => error,
    );
  async function paidOrder(gateway: PaymentGateway) {
    const asked = order();
    await gateway.createCode(asked);
    received = [];
    await control(outside, 'POST', 'wechat-pay/pay', { no: asked.outTradeNo });
    const [notified] = received;
    if (!notified) throw new Error('nobody was notified');
    return { asked, notified };
  }

  describe('an error that is not signed decides nothing', () => {
    test('about an order that is closed, paid or unknown', async () => {
      const gateway = open(accountOf('public-key'), log);
      const [closed, { asked: paid }] = [order(), await paidOrder(gateway)];
      await gateway.createCode(closed);
      await gateway.close(closed.outTradeNo);
      const cases: [string, () => Promise<unknown>, unknown][] = [
        ['native', () => gateway.createCode(closed), { state: 'closed' }],
        ['native', () => gateway.createCode(paid), { state: 'paid' }],
        ['query', () => gateway.findPayment('M20261122103000NEVERMADE1'), { state: 'unknown' }],
        ['close', () => gateway.close(paid.outTradeNo), 'paid'],
        ['close', () => gateway.close(closed.outTradeNo), 'closed'],
        ['close', () => gateway.close('M20261122103000NEVERMADE1'), 'unknown'],
        [
          'refund-query',
          () => gateway.findRefund({ outTradeNo: paid.outTradeNo, refundNo: 'NEVER' }),
          { state: 'unknown' },
        ],
      ];
      for (const [call, ask, signed] of cases) {
        for (const fault of UNBELIEVABLE) {
          await fails(call, fault);
          expect(await failureOf(ask()), `${call} ${fault}`).toBeInstanceOf(ProviderUnavailable);
        }
        expect(await ask()).toEqual(signed);
      }
    });

    test('a body behind 204 is not read', async () => {
      const gateway = open(accountOf('public-key'), log);
      const asked = order();
      await gateway.createCode(asked);
      await fails('close', 'body-after-204');
      // The bytes behind the answer break the connection, sometimes before the answer was read. Then a second call finds the order closed.
      const ended = await gateway.close(asked.outTradeNo).catch((error: unknown) => error);
      if (ended !== 'closed') expect(ended).toBeInstanceOf(ProviderUnavailable);
      expect(await gateway.close(asked.outTradeNo)).toBe('closed');
      expect(await gateway.findPayment(asked.outTradeNo)).toEqual({ state: 'closed' });
    });
  });

  test('what the operator has to look at is refused by its name', async () => {
    const gateway = open(accountOf('public-key'), log);
    const { asked } = await paidOrder(gateway);
    const foreign = open({ ...accountOf('public-key'), appId: 'wx00000000000000aa' }, log);
    expect(await failureOf(foreign.createCode(order()))).toMatchObject({
      reason: 'not-authorised',
      vendorCode: 'APPID_MCHID_NOT_MATCH',
    });
    const dearer = order();
    await gateway.createCode(dearer);
    expect(await failureOf(gateway.createCode({ ...dearer, amountFen: 1 }))).toMatchObject({
      reason: 'other',
      vendorCode: 'INVALID_REQUEST',
    });
    await fails('refund', 'no-credit');
    const refund = {
      outTradeNo: asked.outTradeNo,
      refundNo: 'R-NO-CREDIT',
      refundFen: 1,
      totalFen: 2_500,
      reason: '',
      notifyUrl: siteUrl,
    };
    expect(await failureOf(gateway.refund(refund))).toMatchObject({ reason: 'no-credit', vendorCode: 'NOT_ENOUGH' });
  });

  test('a clock that is more than a minute off is told to the operator, while it still works', async () => {
    const lines: string[] = [];
    const told = createLog('warn', { write: (line: string) => void lines.push(line) });
    const gateway = open(accountOf('public-key'), told);
    const asked = order();
    try {
      for (const skewMs of [30_000, 120_000]) {
        expect(lines).toEqual([]);
        await control(outside, 'PUT', 'wechat-pay/clock', { skewMs });
        expect(await gateway.createCode(asked)).toMatchObject({ state: 'created' });
      }
    } finally {
      await control(outside, 'PUT', 'wechat-pay/clock', { skewMs: 0 });
    }
    expect(lines.join()).toMatch(
      /"seconds":1(1\d|2\d),"msg":"WeChat Pay's clock and the clock of this machine differ"/,
    );
  });

  test('a refund that ends without the money says so, when asked and when told', async () => {
    const gateway = open(accountOf('public-key'), log);
    const { asked } = await paidOrder(gateway);
    await fails('refund', 'refund-abnormal');
    const refund = {
      outTradeNo: asked.outTradeNo,
      refundNo: 'R-ABNORMAL',
      refundFen: 2_500,
      totalFen: 2_500,
      reason: '重复购买',
      notifyUrl: siteUrl,
    };
    expect(await gateway.refund(refund)).toEqual({ state: 'processing' });
    await expect.poll(() => received.length).toBe(2);
    const [, told] = received;
    expect(told && (await gateway.readNotification(told))).toMatchObject({
      kind: 'refund',
      outTradeNo: asked.outTradeNo,
      refundNo: 'R-ABNORMAL',
      refund: { state: 'failed', why: 'ABNORMAL' },
    });
    expect(await gateway.findRefund(refund)).toEqual({ state: 'failed', why: 'ABNORMAL' });
  });

  test('a closed refund stays closed under its number; a new number is a new refund', async () => {
    const gateway = open(accountOf('public-key'), log);
    const { asked } = await paidOrder(gateway);
    await fails('refund', 'refund-closed');
    const refund = {
      outTradeNo: asked.outTradeNo,
      refundNo: 'R-CLOSED',
      refundFen: 2_500,
      totalFen: 2_500,
      reason: '重复购买',
      notifyUrl: siteUrl,
    };
    await gateway.refund(refund);
    const closed = { state: 'failed', why: 'CLOSED', isNumberClosed: true };
    await expect.poll(() => gateway.findRefund(refund)).toEqual(closed);
    expect(await gateway.refund(refund)).toEqual(closed);
    await gateway.refund({ ...refund, refundNo: 'R-AGAIN' });
    await expect
      .poll(() => gateway.findRefund({ ...refund, refundNo: 'R-AGAIN' }))
      .toMatchObject({ state: 'succeeded', refundFen: 2_500 });
  });

  describe('keys', () => {
    test('a new certificate is fetched once, and the old one is still believed', async () => {
      await control(outside, 'POST', 'wechat-pay/notifyMode', { mode: 'certificate' });
      const gateway = open(accountOf('certificate'), log);
      const before = await paidOrder(gateway);
      const calls = await certificateCalls();
      await rotate('certificate');
      const found = await Promise.all(Array.from({ length: 5 }, () => gateway.findPayment(before.asked.outTradeNo)));
      expect(found.map(({ state }) => state)).toEqual(Array(5).fill('paid'));
      const after = await paidOrder(gateway);
      expect(after.notified.headers.get('wechatpay-serial')).not.toBe(before.notified.headers.get('wechatpay-serial'));
      for (const { notified } of [before, after])
        expect(await gateway.readNotification(notified)).toMatchObject({ kind: 'paid' });
      expect(await certificateCalls()).toBe(calls + 1);
    });

    test('a notification by a new certificate is read; when the certificate cannot be fetched, it says so', async () => {
      await control(outside, 'POST', 'wechat-pay/notifyMode', { mode: 'certificate' });
      const settings = accountOf('certificate');
      const { notified } = await paidOrder(open(settings, log)).then(async ({ asked }) => {
        await rotate('certificate');
        received = [];
        return paidOrder(open(accountOf('certificate'), log)).then((made) => ({ ...made, asked }));
      });
      for (const fault of ['500', 'reset', 'html', 'wrong-sign', 'unsigned', 'dup-json-key']) {
        await fails('certificates', fault);
        expect(await failureOf(open(settings, log).readNotification(notified)), fault).toBeInstanceOf(
          ProviderUnavailable,
        );
      }
      expect(await open(settings, log).readNotification(notified)).toMatchObject({ kind: 'paid' });
    });

    test.each([
      ['while the new certificate is fetched', 'certificates'],
      ['while the call is repeated with the new certificate', 'query'],
    ])(
      'a call has one deadline, which ends it also %s',
      async (_when, hanging) => {
        await control(outside, 'POST', 'wechat-pay/notifyMode', { mode: 'certificate' });
        const gateway = open(accountOf('certificate'), log, DEADLINE_MS);
        const { asked } = await paidOrder(gateway);
        await rotate('certificate');
        // The deadlines of this gateway end when the test says so; those of everything else are real.
        const deadlines: AbortController[] = [];
        const timeout = AbortSignal.timeout.bind(AbortSignal);
        const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
          if (ms !== DEADLINE_MS) return timeout(ms);
          const deadline = new AbortController();
          deadlines.push(deadline);
          return deadline.signal;
        });
        try {
          // The first query is answered, and signed by a certificate that the gateway does not hold.
          if (hanging === 'query') await fails('query', 'ok');
          await fails(hanging, 'hang');
          const before = await callsOf(hanging);
          const asking = gateway.findPayment(asked.outTradeNo);
          await expect.poll(() => callsOf(hanging)).toBe(before + (hanging === 'query' ? 2 : 1));
          deadlines[0]?.abort();
          expect(await failureOf(asking)).toBeInstanceOf(ProviderUnavailable);
        } finally {
          for (const deadline of deadlines) deadline.abort();
          spy.mockRestore();
        }
      },
      ENDED_MS,
    );

    test('a signature has one spelling: Base64 as it is written', async () => {
      const gateway = open(accountOf('public-key'), log);
      const { notified } = await paidOrder(gateway);
      const signature = notified.headers.get('wechatpay-signature') ?? '';
      const spellings = [
        `${signature.slice(0, 100)} ${signature.slice(100)}`,
        `${signature.slice(0, 100)}%${signature.slice(100)}`,
        signature.replaceAll('+', '-').replaceAll('/', '_'),
        signature.replace(/=+$/, ''),
        `${signature}=`,
        `${signature}AAAA`,
        // 2048 bits end within a character, whose last bits are not decoded.
        signature.replace(
          /(.)==$/,
          (_end, last: string) => `${String.fromCodePoint((last.codePointAt(0) ?? 0) + 1)}==`,
        ),
      ];
      for (const spelling of spellings.filter((each) => each !== signature)) {
        const headers = new Headers(notified.headers);
        headers.set('wechatpay-signature', spelling);
        const read = await gateway.readNotification({ headers, body: notified.body });
        expect(read, spelling).toMatchObject({ kind: 'not-genuine' });
      }
      expect(await gateway.readNotification(notified)).toMatchObject({ kind: 'paid' });
    });

    test('names that strangers make up cost one call a minute', async () => {
      await control(outside, 'POST', 'wechat-pay/notifyMode', { mode: 'certificate' });
      const gateway = open(accountOf('certificate'), log);
      const { notified } = await paidOrder(gateway);
      const calls = await certificateCalls();
      for (let round = 0; round < 50; round += 1) {
        const headers = new Headers(notified.headers);
        headers.set('wechatpay-serial', String(round).padStart(40, '5'));
        expect(await gateway.readNotification({ headers, body: notified.body })).toMatchObject({ kind: 'not-genuine' });
      }
      expect(await certificateCalls()).toBe(calls + 1);
    });

    test('a merchant with a public key fetches nothing', async () => {
      const gateway = open(accountOf('public-key'), log);
      const { notified } = await paidOrder(gateway);
      const calls = await certificateCalls();
      const headers = new Headers(notified.headers);
      headers.set('wechatpay-serial', '5'.repeat(40));
      expect(await gateway.readNotification({ headers, body: notified.body })).toMatchObject({ kind: 'not-genuine' });
      expect(await certificateCalls()).toBe(calls);
    });

    test('while the merchant switches from certificates to a public key, both are believed', async () => {
      const [named, certified] = [accountOf('public-key'), accountOf('certificate')];
      const gateway = open({ ...named, verifyKeys: { ...certified.verifyKeys, ...named.verifyKeys } }, log);
      for (const mode of ['public-key', 'certificate']) {
        await control(outside, 'POST', 'wechat-pay/notifyMode', { mode });
        const { asked, notified } = await paidOrder(gateway);
        expect(await gateway.readNotification(notified)).toMatchObject({ kind: 'paid' });
        expect(await gateway.findPayment(asked.outTradeNo)).toMatchObject({ state: 'paid' });
      }
    });
  });

  describe('notifications', () => {
    test('1,000 with altered headers: none is genuine, none throws', async () => {
      const gateway = open(accountOf('public-key'), log);
      const { notified } = await paidOrder(gateway);
      const header = fc.constantFrom('timestamp', 'nonce', 'serial', 'signature');
      const value = fc.oneof(
        fc.string({ unit: fc.constantFrom(...'0123456789abcXYZ=/+_-. "'), maxLength: 400 }),
        fc.constantFrom('', '0', '-1', '1e9', 'NaN', 'WECHATPAY/SIGNTEST/'),
        fc.integer().map(String),
      );
      for (const [name, text] of fc.sample(fc.tuple(header, value), { numRuns: 1_000, seed: 1 })) {
        const headers = new Headers(notified.headers);
        if (headers.get(`wechatpay-${name}`) === text.trim()) continue;
        headers.set(`wechatpay-${name}`, text);
        const read = await gateway.readNotification({ headers, body: notified.body });
        expect(read, `${name}: ${text}`).toMatchObject({ kind: 'not-genuine' });
      }
      expect(await gateway.readNotification(notified)).toMatchObject({ kind: 'paid' });
    });

    /** A notification as the SDK would make it, with WeChat Pay's key. */
    function made(content: object, change: { type?: string; apiV3Key?: string; resource?: object; at?: number } = {}) {
      const [key] = outside.world.wechatPay.keys.named;
      if (!key) throw new Error('no key');
      const { apiV3Key } = accountOf('public-key');
      const resource = {
        algorithm: 'AEAD_AES_256_GCM',
        nonce: 'abcdefghijkl',
        associated_data: '',
        ciphertext: Aes.AesGcm.encrypt(JSON.stringify(content), change.apiV3Key ?? apiV3Key, 'abcdefghijkl', ''),
        ...change.resource,
      };
      const body = JSON.stringify({
        id: 'EV-2026112210300001',
        event_type: change.type ?? 'TRANSACTION.SUCCESS',
        resource,
      });
      const timestamp = String(change.at ?? Math.floor(Date.now() / 1000));
      const headers = new Headers({
        'Wechatpay-Timestamp': timestamp,
        'Wechatpay-Nonce': 'nonce',
        'Wechatpay-Serial': key.id,
        'Wechatpay-Signature': Rsa.sign(
          Formatter.response(timestamp, 'nonce', body),
          key.privateKey.export({ format: 'pem', type: 'pkcs8' }),
        ),
      });
      return { headers, body: Buffer.from(body) };
    }
    const transaction = () => ({
      appid: accountOf('public-key').appId,
      mchid: accountOf('public-key').mchId,
      out_trade_no: 'M20261122103000SDKMADE001',
      transaction_id: '4200001234567890123456789012',
      trade_type: 'NATIVE',
      trade_state: 'SUCCESS',
      success_time: '2026-11-22T10:30:00+08:00',
      amount: { total: 2_500, payer_total: 1_000, currency: 'CNY', payer_currency: 'CNY' },
    });

    test('what the SDK signs and encrypts is read; a coupon of the payer does not change the amount', async () => {
      expect(await open(accountOf('public-key'), log).readNotification(made(transaction()))).toEqual({
        kind: 'paid',
        id: 'EV-2026112210300001',
        payment: {
          outTradeNo: 'M20261122103000SDKMADE001',
          transactionId: '4200001234567890123456789012',
          amountFen: 2_500,
          currency: 'CNY',
          paidAt: new Date('2026-11-22T02:30:00Z'),
        },
      });
    });

    test.each<[string, () => ReturnType<typeof made>]>([
      ['five minutes and a second old', () => made(transaction(), { at: Math.floor(Date.now() / 1000) - 302 })],
      ['from the future', () => made(transaction(), { at: Math.floor(Date.now() / 1000) + 310 })],
      ['encrypted with another key', () => made(transaction(), { apiV3Key: 'x'.repeat(32) })],
      ['of another algorithm', () => made(transaction(), { resource: { algorithm: 'AEAD_SM4_GCM' } })],
      ['without a tag', () => made(transaction(), { resource: { ciphertext: 'AAAA' } })],
      ['without an amount', () => made({ ...transaction(), amount: undefined })],
      ['with an amount in text', () => made({ ...transaction(), amount: { total: '2500', currency: 'CNY' } })],
      ['with a broken amount', () => made({ ...transaction(), amount: { total: 25.5, currency: 'CNY' } })],
      ['with nothing paid', () => made({ ...transaction(), amount: { total: 0, currency: 'CNY' } })],
      ['without a currency', () => made({ ...transaction(), amount: { total: 2_500 } })],
      ['without a time', () => made({ ...transaction(), success_time: 'yesterday' })],
      ['without a number', () => made({ ...transaction(), transaction_id: '' })],
      ['in a state that does not exist', () => made({ ...transaction(), trade_state: 'PAID' })],
      ['for another app', () => made({ ...transaction(), appid: 'wx0' })],
      ['for another merchant', () => made({ ...transaction(), mchid: '1900999999' })],
      ['of a list', () => made([transaction()])],
    ])('%s: not genuine', async (_what, make) => {
      const read = await open(accountOf('public-key'), log).readNotification(make());
      expect(read).toEqual({ kind: 'not-genuine', why: expect.any(String) });
    });

    test('of another kind, or of an order that is not paid: of no consequence', async () => {
      const gateway = open(accountOf('public-key'), log);
      for (const notification of [
        made(transaction(), { type: 'PAYSCORE.USER_PAID' }),
        made({ ...transaction(), trade_state: 'CLOSED' }),
        made({ ...transaction(), trade_state: 'REFUND' }),
      ])
        expect(await gateway.readNotification(notification)).toMatchObject({
          kind: 'other',
          outTradeNo: 'M20261122103000SDKMADE001',
        });
    });
  });

  describe('bills', () => {
    const day = (daysAgo: number) =>
      new Date(Date.now() + 8 * 3_600_000 - daysAgo * 86_400_000).toISOString().slice(0, 10);

    test('a day without payments: nothing, or not ready while the day is not long over', async () => {
      const gateway = open(accountOf('public-key'), log);
      expect(await gateway.findBill(day(3))).toEqual([]);
      const fresh = await openOutside({ host: '127.0.0.1', port: 0 });
      try {
        const settings = wechatPayAccountOf(fresh.world.wechatPay, fresh.url);
        expect(await open(settings, log).findBill(day(0))).toBe('not-ready');
      } finally {
        await fresh.close();
      }
    });

    test.each([
      ['bill', 'unsigned'],
      ['bill', 'wrong-sign'],
      ['bill', 'dup-json-key'],
      ['bill', '500'],
      ['bill-file', 'wrong-sign'],
      ['bill-file', '500'],
      ['bill-file', 'lost'],
      ['bill-file', 'reset'],
    ])('%s %s: unavailable, and then it is there', async (call, fault) => {
      const gateway = open(accountOf('public-key'), log);
      await paidOrder(gateway);
      await fails(call, fault);
      expect(await failureOf(gateway.findBill(day(0)))).toBeInstanceOf(ProviderUnavailable);
      expect((await gateway.findBill(day(0))).length).toBeGreaterThan(0);
    });

    test.each([
      ['an amount without decimals', '订单金额,交易状态,商户订单号,微信订单号\r\n`25,`SUCCESS,`M1,`4200\r\n'],
      ['an unknown state', '订单金额,交易状态,商户订单号,微信订单号\r\n`25.00,`PAID,`M1,`4200\r\n'],
      ['a missing column', '交易状态,商户订单号,微信订单号\r\n`SUCCESS,`M1,`4200\r\n'],
    ])('%s is not guessed', (_what, rows) => {
      expect(() => linesOf(Buffer.from(`\uFEFF${rows}总交易单数\r\n\`1\r\n`))).toThrow(ProviderUnavailable);
    });
  });
});

test('the account that the pretend WeChat Pay opens is one that the site reads and uses', async () => {
  const outside = await openOutside({ host: '127.0.0.1', port: 0 });
  try {
    const settings = gatewaysOfOutside(accountsOf(outside.world));
    const { wechat } = openGateways(settings, { clock: systemClock, log: createLog('silent') });
    expect(wechat?.account).toContain(outside.world.wechatPay.mchId);
    expect(await wechat?.findPayment('M20261122103000NEVERMADE1')).toEqual({ state: 'unknown' });
  } finally {
    await outside.close();
  }
});

test.each<[string, boolean]>([
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', true],
  ['{"a":"{\\"a\\":1,\\"a\\":2}"}', true],
  ['{"a":1,"a":1}', false],
  ['{"b":{"a":1,"a":1}}', false],
  ['{"b":[{"a":1,"a":1}]}', false],
  ['{"trade_state":1,"trade\\u005fstate":2}', false],
  ['{"a" : 1, "a"\n: 2}', false],
  ['[{"a":1}]', false],
  ['null', false],
  ['"a"', false],
  ['{"a":1}x', false],
  ['\uFEFF{"a":1}', false],
  ['', false],
])('an answer %j is read: %s', (text, isRead) => {
  expect(readObject(Buffer.from(text)) !== null).toBe(isRead);
});

test('bytes that are not UTF-8 are not read', () => {
  expect(readObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBeNull();
});
