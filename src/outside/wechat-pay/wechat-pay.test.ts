import { createHash, createPrivateKey, createSign, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
// The vendor's protocol as somebody else wrote it down: the oracle of both directions.
import { Aes, Formatter, Rsa, Wechatpay } from 'wechatpay-axios-plugin';
import { openOutside, type OutsideServer } from '../server.ts';
import { WECHAT_PAY_FAULTS, type WechatPayFault } from './faults.ts';
import { wechatPayAccountOf, type SigningMode } from './wechat-pay.ts';

type Received = { headers: IncomingHttpHeaders; body: string };

let outside: OutsideServer;
/** The merchant's site: keeps what it is told, and answers with the next of `statuses`, then with 200. */
const site = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.statusCode = statuses.shift() ?? 200;
    response.end();
  });
});
let siteUrl = '';
let received: Received[] = [];
let statuses: number[] = [];

beforeAll(async () => {
  outside = await openOutside({ host: '127.0.0.1', port: 0 });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  siteUrl = `http://127.0.0.1:${address.port}/notify`;
});
afterEach(() => {
  const { wechatPay } = outside.world;
  wechatPay.faults.clear();
  wechatPay.skewMs = 0;
  wechatPay.notifyMode = 'public-key';
  received = [];
  statuses = [];
});
afterAll(async () => {
  await outside.close();
  site.closeAllConnections();
  site.close();
});

const account = (mode: SigningMode = 'public-key') => wechatPayAccountOf(outside.world.wechatPay, outside.url, mode);

/** The SDK as a merchant would set it up. */
function merchant(mode: SigningMode = 'public-key') {
  const { mchId, certSerial, privateKey, verifyKeys } = account(mode);
  const named = mode === 'public-key' ? { 'Wechatpay-Serial': Object.keys(verifyKeys)[0] } : {};
  const { client } = new Wechatpay({ mchid: mchId, serial: certSerial, privateKey, certs: verifyKeys });
  const send = async (method: 'GET' | 'POST', path: string, data?: object, params?: object) => {
    const answer = await client.v3.request({ method, url: path, data, params, baseURL: outside.url, headers: named });
    return answer.data;
  };
  return {
    get: (path: string, params?: object) => send('GET', path, undefined, params),
    post: (path: string, data: object) => send('POST', path, data),
  };
}

let serial = 0;
function order(change: object = {}) {
  serial += 1;
  const { mchId: mchid, appId: appid } = account();
  const total = 29_800;
  return {
    appid,
    mchid,
    description: '标准会员一年',
    out_trade_no: `M20261122000000TEST${String(serial).padStart(6, '0')}`,
    notify_url: siteUrl,
    amount: { total, currency: 'CNY' },
    ...change,
  };
}
const NATIVE = 'v3/pay/transactions/native';
const queryOf = (no: string) => `v3/pay/transactions/out-trade-no/${no}?mchid=${account().mchId}`;
const control = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
  const answer = await fetch(`${outside.url}/control/wechat-pay/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...(await answer.json()) };
};
const fails = (call: string, fault: WechatPayFault, more: object = {}) =>
  control('POST', 'faults', { call, fault, ...more });
/** The vendor's code of an answer that the SDK reports as an error; 'forged' when it does not believe an answer. */
const refusalOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => expect.unreachable('it was answered'),
    (error: { code?: string; response?: { data?: { code?: string } } }) =>
      error.code?.startsWith('EV3_') ? 'forged' : (error.response?.data?.code ?? error.code ?? 'unknown'),
  );
async function paidOrder(change: object = {}) {
  const asked = order(change);
  await merchant().post(NATIVE, asked);
  await control('POST', 'pay', { no: asked.out_trade_no });
  return asked;
}
/** A notification as the SDK reads it: throws when the signature or the encryption is not right. */
function read({ headers, body }: Received): Record<string, unknown> {
  const { platform, named } = outside.world.wechatPay.keys;
  const keys = new Map([
    ...platform.map(({ serial: id, certificate }) => [id, certificate] as const),
    ...named.map(({ id, publicKey }) => [id, publicKey.export({ format: 'pem', type: 'spki' }).toString()] as const),
  ]);
  const of = (name: string) => String(headers[name] ?? '');
  const text = Formatter.response(of('wechatpay-timestamp'), of('wechatpay-nonce'), body);
  const key = Rsa.from(keys.get(of('wechatpay-serial')) ?? '', 'public');
  if (!Rsa.verify(text, of('wechatpay-signature'), key)) throw new Error('wrong signature');
  const { resource } = JSON.parse(body);
  const plain = Aes.AesGcm.decrypt(resource.ciphertext, account().apiV3Key, resource.nonce, resource.associated_data);
  return JSON.parse(plain);
}

describe.each(['public-key', 'certificate'] as const)('the SDK in the mode %s', (mode) => {
  test('creates, queries and closes an order, and believes every answer', async () => {
    const asked = order();
    const sdk = merchant(mode);
    expect(await sdk.post(NATIVE, asked)).toEqual({
      code_url: expect.stringMatching(/^weixin:\/\/wxpay\/bizpayurl\?pr=/),
    });
    expect(await sdk.get(queryOf(asked.out_trade_no))).toMatchObject({
      trade_state: 'NOTPAY',
      amount: { total: 29_800 },
    });
    const closed = await sdk.post(`v3/pay/transactions/out-trade-no/${asked.out_trade_no}/close`, {
      mchid: asked.mchid,
    });
    expect(closed).toBe('');
    expect(await sdk.get(queryOf(asked.out_trade_no))).toMatchObject({ trade_state: 'CLOSED' });
  });

  test('believes no answer that is wrongly signed', async () => {
    const asked = await paidOrder();
    for (const fault of ['unsigned', 'wrong-sign', 'signtest', 'stale', 'unknown-serial', 'html'] as const) {
      await fails('query', fault);
      const answered = merchant(mode).get(queryOf(asked.out_trade_no));
      if (fault === 'html') expect(await answered).toContain('<html>');
      else expect(await refusalOf(answered), fault).toBe('forged');
    }
  });

  test('reads the notification of a payment', async () => {
    outside.world.wechatPay.notifyMode = mode;
    const { out_trade_no: number } = await paidOrder();
    const [one] = received;
    if (!one) throw new Error('nothing was sent');
    expect(one.headers['wechatpay-serial']).toBe(Object.keys(account(mode).verifyKeys)[0]);
    expect(read(one)).toMatchObject({
      out_trade_no: number,
      mchid: account().mchId,
      appid: account().appId,
      trade_state: 'SUCCESS',
      amount: { total: 29_800, currency: 'CNY' },
    });
  });
});

describe('requests', () => {
  const send = (change: {
    body?: string;
    key?: string;
    serial?: string;
    mchid?: string;
    timestamp?: number;
    path?: string;
    drop?: string;
  }) => {
    const { privateKey, certSerial, mchId } = account();
    const body = JSON.stringify(order());
    const timestamp = String(change.timestamp ?? Math.floor(Date.now() / 1000));
    const text = `POST\n/v3/pay/transactions/native\n${timestamp}\nnonce\n${body}\n`;
    const signature = createSign('RSA-SHA256')
      .update(text)
      .sign(createPrivateKey(change.key ?? privateKey), 'base64');
    const authorization = `WECHATPAY2-SHA256-RSA2048 signature="${signature}",serial_no="${change.serial ?? certSerial}",nonce_str="nonce",timestamp="${timestamp}",mchid="${change.mchid ?? mchId}"`;
    const headers = new Headers({
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'test',
      authorization,
    });
    if (change.drop) headers.delete(change.drop);
    return fetch(`${outside.url}${change.path ?? '/v3/pay/transactions/native'}`, {
      method: 'POST',
      headers,
      body: change.body ?? body,
    });
  };

  test('the fields of Authorization come in any order', async () => {
    expect((await send({})).status).toBe(200);
  });

  test.each([
    ['without a signature', { drop: 'authorization' }],
    ['with another body than was signed', { body: JSON.stringify({ appid: 'x' }) }],
    ['for another path than was signed', { path: '/v3/pay/transactions/native?a=1' }],
    ['by a key that is not the merchant’s', { key: 'other' }],
    ['with a certificate that is not the merchant’s', { serial: '0'.repeat(40) }],
    ['of another merchant', { mchid: '1900999999' }],
    ['of six minutes ago', { timestamp: Math.floor(Date.now() / 1000) - 360 }],
  ])('%s: 401 SIGN_ERROR', async (_what, change) => {
    const other = outside.world.wechatPay.keys.named[0]?.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const answer = await send('key' in change ? { key: other ?? '' } : change);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'SIGN_ERROR' });
  });

  test('a clock that is six minutes off refuses what is signed now', async () => {
    await control('PUT', 'clock', { skewMs: 360_000 });
    expect((await send({})).status).toBe(401);
  });

  test('without Accept or as another content: 400', async () => {
    expect((await send({ drop: 'content-type' })).status).toBe(400);
  });
});

describe('orders', () => {
  test.each([
    ['APPID_MCHID_NOT_MATCH', { appid: 'wx0' }],
    ['MCH_NOT_EXISTS', { mchid: '1' }],
    ['PARAM_ERROR', { out_trade_no: 'short' }],
    ['PARAM_ERROR', { description: '字'.repeat(128) }],
    ['PARAM_ERROR', { amount: { total: 0, currency: 'CNY' } }],
    ['PARAM_ERROR', { amount: { total: 1.5, currency: 'CNY' } }],
    ['PARAM_ERROR', { amount: { total: 1, currency: 'USD' } }],
    ['PARAM_ERROR', { notify_url: 'https://ceku.example/notify?a=1' }],
    ['PARAM_ERROR', { notify_url: 'http://ceku.example/notify' }],
    ['PARAM_ERROR', { time_expire: '2026-11-22 10:00:00' }],
    ['PARAM_ERROR', { time_expire: '2020-01-01T00:00:00+08:00' }],
  ])('%s', async (code, change) => {
    expect(await refusalOf(merchant().post(NATIVE, order(change)))).toBe(code);
  });

  test('the same number again gives a fresh code of the same order; with other terms, paid or closed it is refused', async () => {
    const asked = order();
    const sdk = merchant();
    const first = await sdk.post(NATIVE, asked);
    expect(await sdk.post(NATIVE, asked)).not.toEqual(first);
    expect(outside.world.wechatPay.orders.get(asked.out_trade_no)).toBeDefined();
    const dearer = { ...asked, amount: { total: 29_801, currency: 'CNY' } };
    expect(await refusalOf(sdk.post(NATIVE, dearer))).toBe('INVALID_REQUEST');
    await control('POST', 'close', { no: asked.out_trade_no });
    expect(await refusalOf(sdk.post(NATIVE, asked))).toBe('ORDER_CLOSED');
    expect(await refusalOf(sdk.post(NATIVE, await paidOrder()))).toBe('OUT_TRADE_NO_USED');
  });

  test('an order that is over is closed and cannot be paid, unless the money was under way', async () => {
    const asked = order({ time_expire: `${new Date(Date.now() + 120_000).toISOString().slice(0, 19)}Z` });
    await merchant().post(NATIVE, asked);
    outside.world.wechatPay.skewMs = 200_000;
    const payment = { no: asked.out_trade_no };
    expect(await control('POST', 'pay', payment)).toMatchObject({ status: 409, error: '该订单已失效' });
    expect(await control('POST', 'pay', { ...payment, isLate: true })).toMatchObject({ state: 'SUCCESS' });
    outside.world.wechatPay.skewMs = 0;
    expect(await merchant().get(queryOf(asked.out_trade_no))).toMatchObject({ trade_state: 'SUCCESS' });
  });

  test('a paid order is not closed, and an unknown one neither', async () => {
    const asked = await paidOrder();
    const close = (no: string) =>
      merchant().post(`v3/pay/transactions/out-trade-no/${no}/close`, { mchid: asked.mchid });
    expect(await refusalOf(close(asked.out_trade_no))).toBe('ORDERPAID');
    expect(await refusalOf(close('M-NEVER-MADE'))).toBe('ORDER_NOT_EXIST');
    expect(await refusalOf(merchant().get(queryOf('M-NEVER-MADE')))).toBe('ORDER_NOT_EXIST');
  });
});

describe('notifications', () => {
  test('are repeated, with a fresh signature, until the site answers 200 or 204; sixteen times at most', async () => {
    statuses = [500, 201, 302, 204];
    const asked = await paidOrder();
    await expect.poll(() => received.length).toBe(4);
    expect(new Set(received.map(({ headers }) => headers['wechatpay-nonce'])).size).toBe(4);
    expect(new Set(received.map(({ body }) => JSON.parse(body).id)).size).toBe(1);
    for (const one of received) expect(read(one)).toMatchObject({ out_trade_no: asked.out_trade_no });
    received = [];
    statuses = Array<number>(20).fill(500);
    outside.world.wechatPay.retryScale = 0;
    await paidOrder();
    await expect.poll(() => received.length).toBe(16);
    outside.world.wechatPay.retryScale = 0.001;
    expect(statuses).toHaveLength(4);
  });

  test('never; twice; before the answer; after the next one', async () => {
    await fails('notify', 'never');
    await paidOrder();
    expect(received).toHaveLength(0);
    await fails('notify', 'twice', { n: 7 });
    await paidOrder();
    expect(received).toHaveLength(7);
    received = [];
    await fails('native', 'paid-first');
    const first = order();
    await merchant().post(NATIVE, first);
    expect(received).toHaveLength(1);
    received = [];
    await fails('notify', 'reorder');
    const [held, next] = [await paidOrder(), await paidOrder()];
    await expect.poll(() => received.length).toBe(2);
    expect(received.map((one) => read(one)['out_trade_no'])).toEqual([next.out_trade_no, held.out_trade_no]);
  });

  test.each([
    ['wrong-amount', { amount: { total: 29_801, currency: 'CNY' } }],
    ['wrong-currency', { amount: { currency: 'USD' } }],
    ['wrong-mchid', { mchid: '1900999999' }],
    ['wrong-appid', { appid: 'wx99999999outside9' }],
    ['wrong-out-trade-no', { out_trade_no: 'M00000000000000OTHERORDER' }],
  ] as const)('%s is signed and encrypted as WeChat Pay would', async (fault, content) => {
    await fails('notify', fault);
    await paidOrder();
    expect(received.map(read)).toMatchObject([content]);
  });

  test.each(['unsigned', 'wrong-sign', 'signtest', 'unknown-serial'] as const)(
    '%s cannot be read; the repetition can',
    async (fault) => {
      await fails('notify', fault);
      statuses = [401];
      await paidOrder();
      await expect.poll(() => received.length).toBe(2);
      const [forged, genuine] = received;
      if (!forged || !genuine) throw new Error('two came');
      expect(() => read(forged)).toThrow();
      expect(read(genuine)).toMatchObject({ trade_state: 'SUCCESS' });
    },
  );
});

describe('refunds', () => {
  const ask = (number: string, change: object = {}) => ({
    out_trade_no: number,
    out_refund_no: `R${number}`,
    reason: '重复购买',
    notify_url: siteUrl,
    amount: { refund: 29_800, total: 29_800, currency: 'CNY' },
    ...change,
  });
  const REFUND = 'v3/refund/domestic/refunds';

  test('are accepted, end, and tell the site; the same request again is the same refund', async () => {
    const { out_trade_no: number } = await paidOrder();
    const sdk = merchant();
    const made = await sdk.post(REFUND, ask(number));
    expect(made).toMatchObject({ status: 'PROCESSING', out_trade_no: number });
    expect(await sdk.post(REFUND, ask(number))).toMatchObject({ refund_id: made.refund_id });
    await expect.poll(() => received.length).toBe(2);
    const [, told] = received;
    if (!told) throw new Error('two came');
    expect(JSON.parse(told.body)).toMatchObject({
      event_type: 'REFUND.SUCCESS',
      resource: { original_type: 'refund' },
    });
    expect(read(told)).toMatchObject({
      out_refund_no: `R${number}`,
      refund_status: 'SUCCESS',
      amount: { refund: 29_800 },
    });
    expect(await sdk.get(`${REFUND}/R${number}`)).toMatchObject({ status: 'SUCCESS' });
    expect(await sdk.get(queryOf(number))).toMatchObject({ trade_state: 'REFUND' });
  });

  test('are refused: more than was paid, another amount under the same number, an unpaid order, no balance', async () => {
    const { out_trade_no: number } = await paidOrder();
    const sdk = merchant();
    const half = { amount: { refund: 14_900, total: 29_800, currency: 'CNY' } };
    await sdk.post(REFUND, ask(number, half));
    expect(await refusalOf(sdk.post(REFUND, ask(number)))).toBe('INVALID_REQUEST');
    expect(await refusalOf(sdk.post(REFUND, ask(number, { out_refund_no: 'R2' })))).toBe('INVALID_REQUEST');
    const unpaid = order();
    await sdk.post(NATIVE, unpaid);
    expect(await refusalOf(sdk.post(REFUND, ask(unpaid.out_trade_no)))).toBe('INVALID_REQUEST');
    expect(await refusalOf(sdk.post(REFUND, ask('M-NEVER-MADE')))).toBe('RESOURCE_NOT_EXISTS');
    expect(await refusalOf(sdk.get(`${REFUND}/R-NEVER-MADE`))).toBe('RESOURCE_NOT_EXISTS');
    await fails('refund', 'no-credit');
    expect(await refusalOf(sdk.post(REFUND, ask(number, { ...half, out_refund_no: 'R3' })))).toBe('NOT_ENOUGH');
  });
});

test('the bill of a day: its hash is in the signed answer, and the SDK reads its lines', async () => {
  const paid = await paidOrder();
  const sdk = merchant();
  await sdk.post('v3/refund/domestic/refunds', {
    out_trade_no: paid.out_trade_no,
    out_refund_no: 'R-BILL',
    amount: { refund: 100, total: 29_800, currency: 'CNY' },
  });
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const { hash_value: hash, download_url: url } = await sdk.get(`v3/bill/tradebill?bill_date=${day}&bill_type=ALL`);
  const token = new URL(url).searchParams.get('token');
  const file: string = await sdk.get('/v3/billdownload/file', { token });
  expect((await fetch(url)).status).toBe(401);
  const bytes = Buffer.from(file.startsWith('\uFEFF') ? file : `\uFEFF${file}`);
  expect(createHash('sha1').update(bytes).digest('hex')).toBe(hash);
  const { rows, summary }: { rows: Record<string, string>[]; summary: Record<string, string> } =
    // Safe: the SDK's documented shape; it types the result as object.
    Formatter.castCsvBill(bytes) as never;
  const own = rows.filter((row) => row['商户订单号'] === paid.out_trade_no);
  expect(own).toMatchObject([
    { 交易状态: 'SUCCESS', 订单金额: '298.00' },
    { 交易状态: 'REFUND', 商户退款单号: 'R-BILL', 退款金额: '1.00' },
  ]);
  expect(Number(summary['总交易单数'])).toBe(rows.length);
  expect(await refusalOf(sdk.get('v3/bill/tradebill?bill_date=2999-01-01'))).toBe('PARAM_ERROR');
});

test('certificates are listed encrypted, the rotated one too, and sign from then on', async () => {
  const { id } = await control('POST', 'rotateKey', { mode: 'certificate' });
  const { data } = await merchant().get('v3/certificates');
  expect(data).toHaveLength(2);
  for (const { serial_no: number, encrypt_certificate: sealed } of data) {
    const pem = Aes.AesGcm.decrypt(sealed.ciphertext, account().apiV3Key, sealed.nonce, sealed.associated_data);
    const certificate = new X509Certificate(pem);
    expect(certificate.serialNumber).toBe(number);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  }
  outside.world.wechatPay.notifyMode = 'certificate';
  await paidOrder();
  expect(received[0]?.headers['wechatpay-serial']).toBe(id);
});

describe('control', () => {
  test('refuses what it does not understand', async () => {
    for (const [path, body] of [
      ['pay', {}],
      ['faults', { call: 'native', fault: 'flood' }],
      ['faults', { call: 'moon', fault: 'ok' }],
    ] as const)
      expect((await control('POST', path, body)).status).toBe(400);
    expect((await control('POST', 'pay', { no: 'never' })).status).toBe(404);
    expect((await control('GET', 'orders/never')).status).toBe(404);
  });

  test('states every payment, with the amount that was paid', async () => {
    const asked = order();
    await merchant().post(NATIVE, asked);
    await control('POST', 'pay', { no: asked.out_trade_no, amountFen: 1 });
    const { orders } = await control('GET', 'paid');
    expect(orders).toContainEqual(
      expect.objectContaining({ outTradeNo: asked.out_trade_no, totalFen: 29_800, paidFen: 1 }),
    );
  });

  test('every fault of a call is played, and the next call is well', async () => {
    const { out_trade_no: number } = await paidOrder();
    const calls = WECHAT_PAY_FAULTS.filter((fault) => !['hang', 'slowloris'].includes(fault));
    for (const fault of calls) {
      await fails('query', fault, { ms: 10 });
      await merchant()
        .get(queryOf(number))
        .catch(() => null);
      expect(await merchant().get(queryOf(number)), fault).toMatchObject({ trade_state: 'SUCCESS' });
    }
    expect(outside.world.wechatPay.faults.list()).toEqual([]);
  });
});

describe('the phone', () => {
  const open = async (content: string) =>
    (await fetch(`${outside.url}/phone?open=${encodeURIComponent(content)}`)).text();
  const press = (content: string, step: string, more: Record<string, string> = {}) =>
    fetch(`${outside.url}/phone/wechat-pay`, {
      method: 'POST',
      body: new URLSearchParams({ code: content, step, ...more }),
    }).then((page) => page.text());

  test('shows merchant, subject and amount, lets one cancel, and pays', async () => {
    const asked = order({ description: '100 喵币 <b>' });
    const { code_url: content } = await merchant().post(NATIVE, asked);
    expect(await (await fetch(`${outside.url}/phone`)).text()).toContain(encodeURIComponent(content));
    const page = await open(content);
    for (const text of ['策库科技（演示商户）', '100 喵币 &lt;b&gt;', '¥298.00', '支付</button>', '取消</button>'])
      expect(page).toContain(text);
    expect(page).not.toContain('<b>');
    expect(await press(content, 'cancel')).toContain('已取消支付');
    expect(outside.world.wechatPay.orders.get(asked.out_trade_no)?.state).toBe('NOTPAY');
    expect(await press(content, 'pay', { person: 'lili' })).toContain('支付成功');
    expect(outside.world.wechatPay.orders.get(asked.out_trade_no)).toMatchObject({ state: 'SUCCESS', payer: 'lili' });
    expect(await open(content)).toContain('支付成功');
    await expect.poll(() => received.length).toBe(1);
  });

  test('a code that is invented, closed or two hours old is over', async () => {
    const asked = order();
    const { code_url: content } = await merchant().post(NATIVE, asked);
    expect(await open('weixin://wxpay/bizpayurl?pr=invented')).toContain('二维码已失效');
    outside.world.wechatPay.skewMs = 7_300_000;
    expect(await open(content)).toContain('二维码已失效');
    outside.world.wechatPay.skewMs = 0;
    await control('POST', 'close', { no: asked.out_trade_no });
    expect(await press(content, 'pay')).toContain('二维码已失效');
  });
});
