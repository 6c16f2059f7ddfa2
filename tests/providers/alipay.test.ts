import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { AlipaySdk } from 'alipay-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '../../src/accounts/ports.ts';
import { openOutside, type OutsideServer } from '../../src/outside/server.ts';
import { alipayAccountOf } from '../../src/outside/alipay/alipay.ts';
import type { Notification, PaymentGateway } from '../../src/payment/ports.ts';
import type { AlipaySettings } from '../../src/payment/server/adapters/alipay-settings.ts';
import { createAlipay } from '../../src/payment/server/adapters/alipay.ts';
import { openGateways } from '../../src/payment/server/adapters/gateways.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { createOutbound } from '../../src/platform/http/outbound.ts';
import { createLog, type Log } from '../../src/platform/log.ts';
import { control } from '../outside.ts';
import { testGateway, type PortCall, type Provider } from './payment-suite.ts';

/** Tests of what Alipay alone does. The tests that every provider has to pass are in payment-suite.ts. */
let outside: OutsideServer;
let site: NotifiedSite;
let lines: string[] = [];
const log = createLog('trace', { write: (line: string) => void lines.push(line) });
const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };

beforeAll(async () => {
  outside = await openOutside({ host: '127.0.0.1', port: 0 });
  site = await openSite();
});
afterEach(async () => {
  await control(outside, 'DELETE', 'alipay/faults');
  await control(outside, 'PUT', 'alipay/clock', { skewMs: 0, retryScale: 1 });
  clock.offsetMs = 0;
  site.bodies.length = 0;
});
afterAll(async () => {
  site.close();
  await outside.close();
});

const settings = (change: Partial<AlipaySettings> = {}): AlipaySettings => ({
  ...alipayAccountOf(outside.world.alipay, outside.url),
  ...change,
});

function gatewayWith(change: Partial<AlipaySettings> = {}, timeoutMs = 4_500): PaymentGateway {
  const { alipay } = openGateways({ wechat: null, alipay: settings(change) }, { clock, log, timeoutMs });
  if (!alipay) throw new Error('Alipay is not opened');
  return alipay;
}

let serial = 0;
const newNumber = () => `M20261122${String((serial += 1)).padStart(16, '0')}`;

/** An order with a code; `no` is its number. */
async function order(gateway = gatewayWith(), change: object = {}): Promise<string> {
  const no = newNumber();
  expect(await gateway.createCode({ ...request(no), ...change })).toMatchObject({ state: 'created' });
  return no;
}
const request = (outTradeNo: string) => ({
  outTradeNo,
  amountFen: 29_800,
  subject: '标准会员（年度）',
  expiresAt: new Date(Math.floor(Date.now() / 1000) * 1000 + 900_000),
  notifyUrl: site.url,
});

const pay = (no: string, more: object = {}) => control(outside, 'POST', 'alipay/pay', { no, ...more });
const fail = (call: string, fault: string, more: object = {}) =>
  control(outside, 'POST', 'alipay/faults', { call, fault, ...more });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.unreachable(`it resolved: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

describe('what is sent', () => {
  test('is what the vendor library would send: the same parameters, the same signature', async () => {
    const [ours, theirs] = await capture(async (url, asked) => {
      await failure(gatewayWith({ apiUrl: url }).findPayment('M2026'));
      const timestamp = asked[0]?.query.get('timestamp');
      const ask = { bizContent: { out_trade_no: 'M2026' }, format: 'JSON', timestamp };
      await failure(sdkOf({ gateway: `${url}/gateway.do` }).exec('alipay.trade.query', ask));
    });
    expect(ours?.query.get('timestamp')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(Object.fromEntries(ours?.query ?? [])).toEqual(Object.fromEntries(theirs?.query ?? []));
    expect(ours?.body).toBe(theirs?.body);
  });

  test('is signed over the text as it is, with Chinese, spaces and signs in it', async () => {
    const [asked] = await capture(async (url) => {
      const odd = { ...request('M2026'), subject: '会员 100% + "年度"，<b>😀' };
      await failure(gatewayWith({ apiUrl: url }).createCode(odd));
    });
    const params = Object.fromEntries([...(asked?.query ?? []), ...new URLSearchParams(asked?.body)]);
    const { sign = '', ...signed } = params;
    const text = Object.keys(signed)
      .toSorted()
      .map((name) => `${name}=${signed[name]}`)
      .join('&');
    const { app } = outside.world.alipay;
    expect(sdkOf({ alipayPublicKey: app.publicText }).rsaCheck(text, sign)).toBe(true);
  });

  test('is in the time of Shanghai, also where the machine is elsewhere; a clock an hour off is refused', async () => {
    expect(await gatewayWith().findPayment(newNumber())).toEqual({ state: 'unknown' });
    clock.offsetMs = -3_600_000;
    const error = await failure(gatewayWith().findPayment(newNumber()));
    expect(error).toBeInstanceOf(ProviderRefused);
    expect(error).toMatchObject({ reason: 'not-authorised', vendorCode: 'isv.invalid-timestamp' });
  });
});

describe('trades', () => {
  test('finished, because the time for refunds is over: paid', async () => {
    const no = await order();
    await pay(no);
    await control(outside, 'POST', 'alipay/finish', { no });
    expect(await gatewayWith().findPayment(no)).toMatchObject({ state: 'paid', payment: { amountFen: 29_800 } });
    expect(await readLast()).toMatchObject({ kind: 'paid', payment: { outTradeNo: no } });
    expect(await failure(gatewayWith().refund(refundOf(no)))).toMatchObject({ vendorCode: 'ACQ.TRADE_HAS_FINISHED' });
  });

  test('closed: never paid, or paid and sent back, which is told apart', async () => {
    const [unpaid, refunded] = [await order(), await order()];
    await control(outside, 'POST', 'alipay/scan', { no: unpaid });
    await control(outside, 'POST', 'alipay/close', { no: unpaid });
    await pay(refunded);
    await control(outside, 'POST', 'alipay/refund', { no: refunded });
    expect(await gatewayWith().findPayment(unpaid)).toEqual({ state: 'closed' });
    expect(await gatewayWith().findPayment(refunded)).toMatchObject({
      state: 'refunded',
      payment: { outTradeNo: refunded, amountFen: 29_800 },
    });
  });

  test('a close that meets a paid trade says so; of one that was closed before, closed', async () => {
    const [paid, closed] = [await order(), await order()];
    await pay(paid);
    expect(await gatewayWith().close(paid)).toBe('paid');
    await control(outside, 'POST', 'alipay/scan', { no: closed });
    expect(await gatewayWith().close(closed)).toBe('closed');
    expect(await gatewayWith().close(closed)).toBe('closed');
    expect(await gatewayWith().close(newNumber())).toBe('unknown');
  });

  const refundOf = (no: string, change: object = {}) => ({
    outTradeNo: no,
    refundNo: `R${no.slice(1)}`,
    refundFen: 29_800,
    totalFen: 29_800,
    reason: '重复支付',
    notifyUrl: site.url,
    ...change,
  });

  test('a refund whose answer is lost is the same refund when it is asked for again', async () => {
    const no = await order();
    await pay(no);
    await fail('refund', 'lost');
    expect(await failure(gatewayWith().refund(refundOf(no)))).toMatchObject({ isOutcomeUnknown: true });
    const again = await gatewayWith().refund(refundOf(no));
    expect(again).toMatchObject({ state: 'succeeded', refundFen: 29_800, refundedAt: expect.any(Date) });
    expect((await truthOf(no))?.['refundedFen']).toBe(29_800);
  });

  test('more than was paid is not sent back; the same number with another amount shows the first refund', async () => {
    const no = await order();
    await pay(no);
    const tooMuch = await failure(gatewayWith().refund(refundOf(no, { refundFen: 29_801 })));
    expect(tooMuch).toMatchObject({ name: 'ProviderRefused', vendorCode: 'ACQ.REASON_TRADE_REFUND_FEE_ERR' });
    expect(await gatewayWith().refund(refundOf(no, { refundFen: 100 }))).toMatchObject({ refundFen: 100 });
    expect(await gatewayWith().refund(refundOf(no, { refundFen: 200 }))).toMatchObject({ refundFen: 100 });
  });

  test('a refused query behind a refused refund does not say that the refund failed', async () => {
    const no = await order();
    await pay(no);
    await fail('refund-query', 'no-permission');
    const unsure = await failure(gatewayWith().refund(refundOf(no, { refundFen: 29_801 })));
    expect(unsure).toMatchObject({ name: 'ProviderUnavailable', isOutcomeUnknown: true });
    await fail('refund', 'no-permission');
    expect(await failure(gatewayWith().refund(refundOf(no)))).toMatchObject({ reason: 'not-authorised' });
  });

  test('a notification of a refund: its own amount, though Alipay states the sum of all', async () => {
    const no = await order();
    await pay(no);
    await gatewayWith().refund(refundOf(no, { refundNo: 'R1', refundFen: 100 }));
    await gatewayWith().refund(refundOf(no, { refundNo: 'R2', refundFen: 50 }));
    await expect.poll(() => site.bodies.length).toBe(3);
    const read = await Promise.all(site.bodies.slice(1).map(readBody));
    expect(read).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'refund', outTradeNo: no, refundNo: 'R1' }),
        expect.objectContaining({
          refundNo: 'R2',
          refund: { state: 'succeeded', refundFen: 50, refundedAt: expect.any(Date) },
        }),
      ]),
    );
  });

  test('the bill: payments and refunds of the day in fen, and [] for a day without any', async () => {
    await control(outside, 'PUT', 'alipay/clock', { skewMs: -10 * 86_400_000 });
    clock.offsetMs = -10 * 86_400_000;
    const later = { expiresAt: new Date(clock.now() + 900_000) };
    const [one, two] = [
      await order(gatewayWith(), later),
      await order(gatewayWith(), { ...later, subject: '喵币,100个' }),
    ];
    await pay(one);
    await pay(two);
    await gatewayWith().refund(refundOf(two, { refundFen: 1 }));
    const day = shanghaiDay(clock.now());
    expect(await gatewayWith().findBill(day)).toBe('not-ready');
    await control(outside, 'PUT', 'alipay/clock', { skewMs: 0 });
    clock.offsetMs = 0;
    expect(await gatewayWith().findBill(day)).toEqual([
      { outTradeNo: one, transactionId: expect.any(String), kind: 'payment', refundNo: null, amountFen: 29_800 },
      { outTradeNo: two, transactionId: expect.any(String), kind: 'payment', refundNo: null, amountFen: 29_800 },
      expect.objectContaining({ outTradeNo: two, kind: 'refund', refundNo: `R${two.slice(1)}`, amountFen: 1 }),
    ]);
    expect(await gatewayWith().findBill('2026-01-01')).toEqual([]);
    for (const fault of ['html', '500', 'huge']) {
      await fail('bill', fault);
      expect(await failure(gatewayWith().findBill(day)), fault).toBeInstanceOf(ProviderUnavailable);
    }
  });
});

describe('answers that cannot be believed', () => {
  test('the response a second time behind the signed one: the vendor library believes it, this adapter does not', async () => {
    const no = await order();
    await control(outside, 'POST', 'alipay/scan', { no });
    await fail('query', 'dup-json-key', { times: 2 });
    const { alipay } = outside.world;
    const forged = await sdkOf({ gateway: `${outside.url}/gateway.do` }).exec(
      'alipay.trade.query',
      { bizContent: { out_trade_no: no }, timestamp: shanghaiNow() },
      { validateSign: true },
    );
    expect(forged['tradeStatus']).toBe('TRADE_SUCCESS');
    expect(alipay.trades.get(no)?.status).toBe('WAIT_BUYER_PAY');
    expect(await failure(gatewayWith().findPayment(no))).toBeInstanceOf(ProviderUnavailable);
    expect(await gatewayWith().findPayment(no)).toEqual({ state: 'unpaid' });
  });

  test('an answer in GBK is not read as anything', async () => {
    await fail('query', 'gbk');
    // Only a refusal has Chinese in it.
    expect(await failure(gatewayWith().findPayment(newNumber()))).toMatchObject({
      message: 'alipay is not available: an answer that is not UTF-8',
    });
  });

  test('a code for another address than Alipay is no code', async () => {
    const no = await order();
    const code = outside.world.alipay.codes.get(no);
    if (code) code.qrCode = 'https://evil.example/bax1';
    expect(await failure(gatewayWith().createCode(request(no)))).toBeInstanceOf(ProviderUnavailable);
  });

  test('a wrong key of ours, an unknown application: the operator is told by the code', async () => {
    const { keys } = outside.world.alipay;
    const wrongKey = await failure(gatewayWith({ privateKey: keys[0].privateText }).findPayment('M1'));
    expect(wrongKey).toMatchObject({ name: 'ProviderRefused', vendorCode: 'isv.invalid-signature' });
    const unknown = await failure(gatewayWith({ appId: '2021000000000009' }).findPayment('M1'));
    expect(unknown).toMatchObject({
      name: 'ProviderUnavailable',
      message: 'alipay is not available: an unsigned answer (isv.invalid-app-id)',
    });
  });

  test('the same order with another price is refused, not taken for the first', async () => {
    const no = await order();
    const error = await failure(gatewayWith().createCode({ ...request(no), amountFen: 1 }));
    expect(error).toMatchObject({ name: 'ProviderRefused', vendorCode: 'ACQ.CONTEXT_INCONSISTENT' });
  });
});

describe('keys', () => {
  test('the key is rotated: an adapter that holds both goes on, one that holds the old one believes nothing', async () => {
    const before = settings();
    const [old = ''] = before.alipayPublicKeys;
    const no = await order();
    await control(outside, 'POST', 'alipay/rotateKey');
    await pay(no);
    const [both, outdated] = [gatewayWith(before), gatewayWith({ alipayPublicKeys: [old] })];
    expect(await both.findPayment(no)).toMatchObject({ state: 'paid' });
    expect(await both.readNotification(lastRequest())).toMatchObject({ kind: 'paid' });
    expect(await failure(outdated.findPayment(no))).toBeInstanceOf(ProviderUnavailable);
    expect(await outdated.readNotification(lastRequest())).toMatchObject({ kind: 'not-genuine' });
  });

  test('no log line holds a key, a signature or a code', async () => {
    lines = [];
    const no = newNumber();
    const made = await gatewayWith().createCode(request(no));
    await fail('query', 'unsigned');
    await failure(gatewayWith().findPayment(no));
    await gatewayWith().close(no);
    const written = lines.join('\n');
    expect(written).toContain('/gateway.do');
    const { privateKey, alipayPublicKeys } = settings();
    const secrets = [privateKey, ...alipayPublicKeys, made.state === 'created' ? made.content : '', 'sign='];
    for (const secret of secrets) expect(written).not.toContain(secret);
  });
});

describe('notifications', () => {
  test('of a payment: genuine, with the amount in fen, and answered with exactly success', async () => {
    const no = await order();
    const { tradeNo } = await pay(no);
    expect(await readLast()).toEqual({
      kind: 'paid',
      id: expect.any(String),
      payment: {
        outTradeNo: no,
        transactionId: tradeNo,
        amountFen: 29_800,
        currency: 'CNY',
        paidAt: expect.any(Date),
      },
    });
    const gateway = gatewayWith();
    expect(gateway.answerNotification('accepted')).toEqual({
      status: 200,
      contentType: 'text/plain; charset=utf-8',
      body: 'success',
    });
    for (const outcome of ['refused', 'try-later'] as const)
      expect(gateway.answerNotification(outcome)).toMatchObject({ status: expect.not.toBeOneOf([200]), body: 'fail' });
  });

  test.each([
    ['unsigned', 'wrong signature'],
    ['wrong-sign', 'wrong signature'],
    ['sha1', 'a sign_type other than RSA2'],
    ['stale', 'too old'],
    ['wrong-app-id', 'for another application'],
    ['wrong-seller-id', 'for another seller'],
    ['gbk', 'not a form in UTF-8 whose fields are unambiguous'],
    ['double-encoded', 'wrong signature'],
    ['dup-field', 'not a form in UTF-8 whose fields are unambiguous'],
    ['huge', 'too long'],
    ['html', 'not a form in UTF-8 whose fields are unambiguous'],
  ])('%s: not genuine', async (fault, why) => {
    const no = await order();
    await fail('notify', fault);
    await pay(no);
    expect(await readLast()).toEqual({ kind: 'not-genuine', why });
  });

  test('in GBK: not genuine, also when all of it is ASCII and the bytes are the same', async () => {
    const no = await order(gatewayWith(), { subject: 'Member 365' });
    await fail('notify', 'gbk');
    await pay(no);
    expect(await readLast()).toEqual({ kind: 'not-genuine', why: 'a charset other than utf-8' });
  });

  test('genuine in spite of its form: sign_type is part of what is signed', async () => {
    const no = await order();
    await fail('notify', 'sign-type-signed');
    await pay(no);
    expect(await readLast()).toMatchObject({ kind: 'paid', payment: { outTradeNo: no } });
  });

  test('a genuine one with another amount says that amount: the order decides', async () => {
    const no = await order();
    await fail('notify', 'wrong-amount', { by: -1 });
    await pay(no);
    expect(await readLast()).toMatchObject({ kind: 'paid', payment: { outTradeNo: no, amountFen: 29_799 } });
  });

  test('the weaker algorithm is not a choice of the sender: the vendor library lets it be one', async () => {
    const no = await order();
    await fail('notify', 'sha1');
    await pay(no);
    const params = Object.fromEntries(new URLSearchParams(last()));
    expect(params['sign_type']).toBe('RSA');
    expect(sdkOf({}).checkNotifySignV2(params)).toBe(true);
    expect(await readLast()).toMatchObject({ kind: 'not-genuine' });
  });

  test('the end of a trade is of no consequence, and says of which', async () => {
    const no = await order();
    await control(outside, 'POST', 'alipay/scan', { no });
    await control(outside, 'POST', 'alipay/close', { no });
    expect(await readLast()).toMatchObject({ kind: 'other', what: 'TRADE_CLOSED', outTradeNo: no });
  });

  test('two fields in the value of one are not read as one: the signed text is the same', async () => {
    const no = await order();
    await pay(no);
    const merged = new URLSearchParams(last());
    merged.set('subject', `${merged.get('subject')}&total_amount=${merged.get('total_amount')}`);
    merged.delete('total_amount');
    expect(sdkOf({}).checkNotifySignV2(Object.fromEntries(merged))).toBe(true);
    expect(await readBody(merged.toString())).toMatchObject({ kind: 'not-genuine' });
  });

  test.each([
    ['nothing', ''],
    ['JSON', '{"trade_status":"TRADE_SUCCESS"}'],
    ['bytes', '\u0000\u00ff\ufffe'],
    ['a million ampersands', '&'.repeat(60_000)],
    ['a broken escape', 'sign_type=RSA2&charset=utf-8&sign=%E4%B'],
    ['a signature that is none', 'sign_type=RSA2&charset=utf-8&sign=AAAA'],
  ])('%s: not genuine', async (_what, body) => {
    expect(await readBody(body)).toMatchObject({ kind: 'not-genuine' });
  });

  test('10,000 with other fields or bytes: none is genuine, none throws', async () => {
    const no = await order();
    await pay(no);
    const genuine = last();
    expect(await readBody(genuine)).toMatchObject({ kind: 'paid' });
    const gateway = gatewayWith();
    const draw = drawFrom(20_261_122);
    let altered = 0;
    const believed: string[] = [];
    while (altered < 10_000) {
      const body = Buffer.from(alter(genuine, draw), 'latin1');
      // Another way to write the same fields is no alteration.
      if (fieldsIn(body) === fieldsIn(Buffer.from(genuine))) continue;
      altered += 1;
      const read = await gateway.readNotification({ headers: new Headers(), body });
      if (read.kind !== 'not-genuine') believed.push(body.toString('latin1'));
    }
    expect(believed).toEqual([]);
  });
});

/** The fields in a form that do not depend on how it is written: their order, and which signs are escaped. */
function fieldsIn(body: Buffer): string {
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  return fields
    .map((field) => JSON.stringify(field))
    .toSorted()
    .join();
}

type Draw = (below: number) => number;

/** Random numbers that a seed repeats (mulberry32). */
function drawFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const VALUES = [
  '',
  '0.01',
  '298.000',
  'TRADE_SUCCESS',
  'TRADE_FINISHED',
  'RSA',
  'rsa2',
  'gbk',
  'null',
  '2088',
  '%',
  '&',
  '\ud83d\ude00',
];

/** Changes a form in one way: its bytes, or its fields. */
function alter(body: string, draw: Draw): string {
  const at = draw(body.length);
  const fields = [...new URLSearchParams(body)];
  const [one, other] = [draw(fields.length), draw(fields.length)];
  const [name = '', value = ''] = fields[one] ?? [];
  switch (draw(10)) {
    case 0:
      return `${body.slice(0, at)}${String.fromCharCode(draw(256))}${body.slice(at + 1)}`;
    case 1:
      return `${body.slice(0, at)}${String.fromCharCode(body.charCodeAt(at) ^ (1 << draw(8)))}${body.slice(at + 1)}`;
    case 2:
      return `${body.slice(0, at)}${body.slice(at + 1 + draw(40))}`;
    case 3:
      return `${body.slice(0, at)}${String.fromCharCode(draw(256))}${body.slice(at)}`;
    case 4:
      fields.splice(one, 1);
      break;
    case 5:
      fields.push([name, VALUES[draw(VALUES.length)] ?? '']);
      break;
    case 6:
      fields[one] = [name, VALUES[draw(VALUES.length)] ?? ''];
      break;
    case 7:
      fields[one] = [name, fields[other]?.[1] ?? ''];
      break;
    case 8:
      fields[one] = [`${name}=${value}`, ''];
      break;
    default:
      fields[one] = [name, `${value}&${fields[other]?.join('=')}`];
      fields.splice(other, 1);
  }
  return new URLSearchParams(fields).toString();
}

const last = () => site.bodies.at(-1) ?? expect.unreachable('nothing was sent');
const lastRequest = () => ({ headers: new Headers(), body: Buffer.from(last(), 'latin1') });
const readBody = (body: string): Promise<Notification> =>
  gatewayWith().readNotification({ headers: new Headers(), body: Buffer.from(body, 'latin1') });
const readLast = () => readBody(last());

async function truthOf(no: string): Promise<Record<string, unknown> | undefined> {
  const { trades } = await control(outside, 'GET', 'alipay/trades');
  // Safe: the control plane answers with a list of trades.
  return (trades as Record<string, unknown>[]).find((trade) => trade['outTradeNo'] === no);
}

const shanghaiDay = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10);
const shanghaiNow = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

function sdkOf(change: { gateway?: string; alipayPublicKey?: string }): AlipaySdk {
  const { appId, app, keys } = outside.world.alipay;
  const privateKey = app.privateText;
  return new AlipaySdk({ appId, privateKey, keyType: 'PKCS8', alipayPublicKey: keys[0].publicText, ...change });
}

/** The names that the pretend Alipay has for the calls of the port. */
const CALLS: Record<PortCall | 'notify' | 'bill', string> = {
  createCode: 'precreate',
  findPayment: 'query',
  close: 'close',
  refund: 'refund',
  findRefund: 'refund-query',
  notify: 'notify',
  bill: 'bill',
};
const UNBELIEVABLE = ['unsigned', 'wrong-sign', 'dup-json-key', 'dup-inner-key', 'system-error', 'wrong-out-trade-no'];

testGateway({
  name: 'Alipay',
  channel: 'alipay',
  code: /^https:\/\/qr\.alipay\.com\/bax\w+$/,
  unscanned: { payment: 'unknown', close: 'unknown' },
  forgeries: {
    createCode: UNBELIEVABLE,
    findPayment: UNBELIEVABLE,
    close: UNBELIEVABLE,
    refund: UNBELIEVABLE,
    findRefund: UNBELIEVABLE,
  },
  forgedNotifications: [
    'unsigned',
    'wrong-sign',
    'sha1',
    'stale',
    'gbk',
    'html',
    'huge',
    'wrong-app-id',
    'wrong-seller-id',
    'double-encoded',
    'dup-field',
  ],
  meaningOf: fieldsIn,
  async open(): Promise<Provider> {
    const world = await openOutside({ host: '127.0.0.1', port: 0 });
    const gone = await openOutside({ host: '127.0.0.1', port: 0 });
    await gone.close();
    const account = alipayAccountOf(world.world.alipay, world.url);
    let skewMs = 0;
    const skewed = { now: () => Date.now() + skewMs };
    const open = (change: Partial<AlipaySettings>, to: Log, timeoutMs = 5_000, ownClock: Clock = skewed) =>
      createAlipay({ ...account, ...change }, { clock: ownClock, log: to, outbound: createOutbound(to, timeoutMs) });
    const passTime = (ms: number) => {
      skewMs = ms;
      return control(world, 'PUT', 'alipay/clock', { skewMs });
    };
    return {
      open: ({ log: to, timeoutMs, clock: own }) => open({}, to, timeoutMs, own),
      openStranger: (to) => open({ privateKey: world.world.alipay.keys[0].privateText }, to),
      openAway: (to) => open({ apiUrl: gone.url }, to),
      secrets: [account.privateKey, ...account.alipayPublicKeys],
      pay: (no, amountFen) => control(world, 'POST', 'alipay/pay', { no, ...(amountFen && { amountFen }) }),
      script: (call, fault, more) => control(world, 'POST', 'alipay/faults', { call: CALLS[call], fault, ...more }),
      async clearScripts() {
        await passTime(0);
        await control(world, 'DELETE', 'alipay/faults');
      },
      passDay: () => passTime(86_400_000),
      close: () => world.close(),
    };
  },
});

type NotifiedSite = { url: string; bodies: string[]; close(): void };

/** Takes notifications as they come and acknowledges all of them. */
async function openSite(): Promise<NotifiedSite> {
  const bodies: string[] = [];
  const server = await listening((body, _url) => {
    bodies.push(body);
    return 'success';
  });
  return { url: `${server.url}/api/pay/notify/alipay`, bodies, close: server.close };
}

type Asked = { query: URLSearchParams; body: string };

/** Plays a gateway that says nothing of use, and keeps what it was asked. */
async function capture(work: (url: string, asked: Asked[]) => Promise<unknown>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const server = await listening((body, url) => {
    asked.push({ body, query: new URL(url, 'http://site').searchParams });
    return '{}';
  });
  await work(server.url, asked);
  server.close();
  return asked;
}

async function listening(answer: (body: string, url: string) => string): Promise<{ url: string; close(): void }> {
  const server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => response.end(answer(Buffer.concat(chunks).toString('latin1'), incoming.url ?? '')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
