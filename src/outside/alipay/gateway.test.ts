import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { AlipaySdk } from 'alipay-sdk';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openOutside, type OutsideServer } from '../server.ts';
import { nowOf, shanghaiTime } from './alipay.ts';
import { signedText, signText } from './signing.ts';

/** The vendor's own library drives the pretend gateway: what it sends is accepted, and what it receives it verifies. */
let outside: OutsideServer;
let sdk: AlipaySdk;
/** A site that is told about payments: forms as they came, and what it answers next. */
let site: Server;
let siteUrl: string;
let forms: Record<string, string>[] = [];
let answers: string[] = [];

beforeAll(async () => {
  outside = await openOutside({ host: '127.0.0.1', port: 0 });
  sdk = sdkWith({});
  site = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      forms.push(Object.fromEntries(new URLSearchParams(text)));
      response.end(answers.shift() ?? 'success');
    });
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  siteUrl = `http://127.0.0.1:${address.port}/notify`;
});
afterEach(async () => {
  await control('DELETE', 'faults');
  await control('PUT', 'clock', { skewMs: 0, retryScale: 0.001 });
  forms = [];
  answers = [];
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await outside.close();
});

function sdkWith(change: { appId?: string; privateKey?: string; signType?: 'RSA' | 'RSA2' }): AlipaySdk {
  const { appId, app, keys } = outside.world.alipay;
  return new AlipaySdk({
    appId,
    privateKey: app.privateText,
    keyType: 'PKCS8',
    alipayPublicKey: keys[0].publicText,
    gateway: `${outside.url}/gateway.do`,
    ...change,
  });
}

async function control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const answer = await fetch(`${outside.url}/control/alipay/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...(await answer.json()) };
}

let serial = 0;
const newNumber = () => `T${String((serial += 1)).padStart(10, '0')}`;

/**
 * A call of the SDK. It writes its timestamp in the zone of the process, which Alipay reads as Shanghai's: so it passes its
 * own. `validateSign`: it verifies the answer.
 */
const exec = (method: string, bizContent: object, notifyUrl = siteUrl, by = sdk) =>
  by.exec(
    method,
    { bizContent, notify_url: notifyUrl, timestamp: shanghaiTime(nowOf(outside.world.alipay)) },
    { validateSign: true },
  );

async function order(change: object = {}): Promise<{ no: string; qrCode: string }> {
  const no = newNumber();
  const answer = await exec('alipay.trade.precreate', {
    out_trade_no: no,
    total_amount: '298.00',
    subject: '年度会员',
    ...change,
  });
  expect(answer).toMatchObject({ code: '10000' });
  return { no, qrCode: String(answer['qrCode']) };
}

test('a code is made, and the same again; with another price the request is refused', async () => {
  const { no, qrCode } = await order();
  expect(qrCode).toMatch(/^https:\/\/qr\.alipay\.com\/bax/);
  const same = { out_trade_no: no, total_amount: '298.00', subject: '年度会员' };
  expect(await exec('alipay.trade.precreate', same)).toMatchObject({ qrCode });
  const other = await exec('alipay.trade.precreate', { ...same, total_amount: '29.80' });
  expect(other).toMatchObject({ code: '40004', subCode: 'ACQ.CONTEXT_INCONSISTENT' });
});

test('the trade exists from the scan on, is paid once, and the notification is one that the SDK verifies', async () => {
  const { no } = await order();
  const query = () => exec('alipay.trade.query', { out_trade_no: no });
  expect(await query()).toMatchObject({ code: '40004', subCode: 'ACQ.TRADE_NOT_EXIST' });
  expect(await exec('alipay.trade.close', { out_trade_no: no })).toMatchObject({ subCode: 'ACQ.TRADE_NOT_EXIST' });
  await control('POST', 'scan', { no });
  expect(await query()).toMatchObject({ code: '10000', tradeStatus: 'WAIT_BUYER_PAY', totalAmount: '298.00' });
  const paid = await control('POST', 'pay', { no });
  expect(paid).toMatchObject({ status: 'TRADE_SUCCESS', totalFen: 29_800, notified: { isAcknowledged: true } });
  expect(await query()).toMatchObject({ tradeStatus: 'TRADE_SUCCESS', tradeNo: paid['tradeNo'] });
  expect((await control('POST', 'pay', { no })).status).toBe(409);
  expect(forms).toHaveLength(1);
  expect(forms[0]).toMatchObject({ out_trade_no: no, total_amount: '298.00', subject: '年度会员', charset: 'utf-8' });
  expect(sdk.checkNotifySignV2(forms[0])).toBe(true);
  expect(sdk.checkNotifySignV2({ ...forms[0], total_amount: '298.01' })).toBe(false);
  const answer = await exec('alipay.trade.close', { out_trade_no: no });
  expect(answer).toMatchObject({ code: '40004', subCode: 'ACQ.TRADE_STATUS_ERROR' });
  const again = await exec('alipay.trade.precreate', { out_trade_no: no, total_amount: '298.00', subject: '年度会员' });
  expect(again).toMatchObject({ subCode: 'ACQ.TRADE_HAS_SUCCESS' });
});

test('a trade is closed, and cannot be paid after that', async () => {
  const { no } = await order();
  await control('POST', 'scan', { no });
  expect(await exec('alipay.trade.close', { out_trade_no: no })).toMatchObject({ code: '10000' });
  expect((await control('POST', 'pay', { no })).status).toBe(409);
  expect(await exec('alipay.trade.query', { out_trade_no: no })).toMatchObject({ tradeStatus: 'TRADE_CLOSED' });
});

test('the time of a code ends: it is not scanned any more, and a trade that waits is closed', async () => {
  const [late, waiting] = [await order({ timeout_express: '15m' }), await order({ timeout_express: '15m' })];
  await control('POST', 'scan', { no: waiting.no });
  await control('PUT', 'clock', { skewMs: 15 * 60_000 + 1 });
  expect((await control('POST', 'pay', { no: late.no })).status).toBe(404);
  expect((await control('POST', 'pay', { no: waiting.no })).status).toBe(409);
  expect(await exec('alipay.trade.query', { out_trade_no: waiting.no })).toMatchObject({ tradeStatus: 'TRADE_CLOSED' });
});

test('refunds: in parts, the same once, never more than was paid; then the trade is closed', async () => {
  const { no } = await order();
  await control('POST', 'pay', { no });
  const refund = (requestNo: string, amount: string) =>
    exec('alipay.trade.refund', { out_trade_no: no, refund_amount: amount, out_request_no: requestNo });
  expect(await refund('r1', '100.00')).toMatchObject({ fundChange: 'Y', refundFee: '100.00' });
  expect(await refund('r1', '100.00')).toMatchObject({ fundChange: 'N', refundFee: '100.00' });
  expect(await refund('r1', '1.00')).toMatchObject({ subCode: 'ACQ.DISCORDANT_REPEAT_REQUEST' });
  expect(await refund('r2', '198.01')).toMatchObject({ subCode: 'ACQ.REASON_TRADE_REFUND_FEE_ERR' });
  const asked = { out_trade_no: no, out_request_no: 'r1' };
  const known = await exec('alipay.trade.fastpay.refund.query', asked);
  expect(known).toMatchObject({ refundStatus: 'REFUND_SUCCESS', refundAmount: '100.00' });
  const unknown = await exec('alipay.trade.fastpay.refund.query', { ...asked, out_request_no: 'r9' });
  expect(unknown).toMatchObject({ code: '10000' });
  expect(unknown['refundStatus']).toBeUndefined();
  expect(await refund('r3', '198.00')).toMatchObject({ fundChange: 'Y', refundFee: '298.00' });
  expect(await exec('alipay.trade.query', { out_trade_no: no })).toMatchObject({ tradeStatus: 'TRADE_CLOSED' });
});

test('a notification comes again until it is answered with exactly success, with one id', async () => {
  const { no } = await order();
  answers = ['fail', 'Success', 'success\n'];
  await control('PUT', 'clock', { retryScale: 0.0001 });
  await control('POST', 'pay', { no });
  await expect.poll(() => forms.length).toBe(4);
  expect(new Set(forms.map((form) => form['notify_id'])).size).toBe(1);
  expect(forms.every((form) => sdk.checkNotifySignV2(form))).toBe(true);
});

test('eight attempts, then none', async () => {
  const { no } = await order();
  answers = Array(20).fill('fail');
  await control('PUT', 'clock', { retryScale: 0 });
  await control('POST', 'pay', { no });
  await expect.poll(() => outside.world.alipay.attempts.get(no)?.length).toBe(8);
});

describe('faults', () => {
  const fail = (call: string, fault: string, more: object = {}) => control('POST', 'faults', { call, fault, ...more });

  test('paid before the code is answered: the site hears of the payment first', async () => {
    await fail('precreate', 'paid-first');
    const { no } = await order();
    expect(forms).toMatchObject([{ out_trade_no: no, trade_status: 'TRADE_SUCCESS' }]);
  });

  test('never notified: the truth is known all the same', async () => {
    const { no } = await order();
    await fail('notify', 'never');
    expect(await control('POST', 'pay', { no })).toMatchObject({ isPaid: true, attempts: [], notified: null });
    expect(forms).toEqual([]);
    expect(await exec('alipay.trade.query', { out_trade_no: no })).toMatchObject({ tradeStatus: 'TRADE_SUCCESS' });
  });

  test('many at once are one notification', async () => {
    const { no } = await order();
    await fail('notify', 'twice', { n: 20 });
    await control('POST', 'pay', { no });
    expect(forms).toHaveLength(20);
    expect(new Set(forms.map((form) => form['notify_id'])).size).toBe(1);
  });

  test('an acknowledgement that is lost, a body that is cut: it comes again', async () => {
    for (const fault of ['lost', 'reset']) {
      forms = [];
      const { no } = await order();
      await control('PUT', 'clock', { retryScale: 0 });
      await fail('notify', fault);
      await control('POST', 'pay', { no });
      const isTold = () => outside.world.alipay.attempts.get(no)?.map(({ isAcknowledged }) => isAcknowledged);
      await expect.poll(isTold).toEqual([false, true]);
    }
  });

  test('a query that is behind the truth answers what the one before it did', async () => {
    const { no } = await order();
    const query = () => exec('alipay.trade.query', { out_trade_no: no });
    await control('POST', 'scan', { no });
    await query();
    await control('POST', 'pay', { no });
    await fail('query', 'stale');
    expect(await query()).toMatchObject({ tradeStatus: 'WAIT_BUYER_PAY' });
    expect(await query()).toMatchObject({ tradeStatus: 'TRADE_SUCCESS' });
  });

  test('a script is played as often as it says, in the order of the scripts, and can be taken away', async () => {
    const { no } = await order();
    await control('POST', 'scan', { no });
    const query = () => exec('alipay.trade.query', { out_trade_no: no }).catch(() => null);
    await fail('query', 'ok');
    await fail('query', '500', { times: 2 });
    await fail('query', 'html', { times: 5 });
    const answered = [];
    for (let at = 0; at < 4; at += 1) answered.push((await query())?.['tradeStatus'] ?? null);
    expect(answered).toEqual(['WAIT_BUYER_PAY', null, null, null]);
    expect(outside.world.alipay.faults.list()).toMatchObject([{ fault: 'html', times: 4 }]);
    await control('DELETE', 'faults');
    expect(await query()).toMatchObject({ tradeStatus: 'WAIT_BUYER_PAY' });
  });
});

test('held back, it comes after the next one', async () => {
  const [first, second] = [await order(), await order()];
  await control('POST', 'faults', { call: 'notify', fault: 'reorder' });
  await control('POST', 'pay', { no: first.no });
  await control('POST', 'pay', { no: second.no });
  expect(forms.map((form) => form['out_trade_no'])).toEqual([second.no, first.no]);
});

test('the bill of yesterday: a ZIP of CSV in GBK; of today there is none', async () => {
  const { no } = await order();
  await control('POST', 'pay', { no });
  const day = shanghaiTime(nowOf(outside.world.alipay)).slice(0, 10);
  const ask = () => exec('alipay.data.dataservice.bill.downloadurl.query', { bill_type: 'trade', bill_date: day });
  expect(await ask()).toMatchObject({ code: '40004', subCode: 'isp.bill_not_exist' });
  await control('PUT', 'clock', { skewMs: 86_400_000 });
  const address = String((await ask())['billDownloadUrl']);
  const zip = new Uint8Array(await (await fetch(address)).arrayBuffer());
  const texts = Object.values(unzipSync(zip)).map((bytes) => new TextDecoder('gbk').decode(bytes));
  expect(texts).toHaveLength(2);
  expect(texts[0]).toContain(`\t,${no}\t,交易\t,年度会员,`);
  await control('PUT', 'clock', { skewMs: 86_460_000 });
  expect((await fetch(address)).status).toBe(403);
});

describe('refusals of the gateway', () => {
  const biz = { out_trade_no: 'T1' };
  test.each([
    ['another key', { privateKey: 'other' }, 'isv.invalid-signature'],
    ['an unknown app', { appId: '2021000000000000' }, 'isv.invalid-app-id'],
    ['SHA-1', { signType: 'RSA' as const }, 'isv.invalid-signature-type'],
  ])('%s', async (_what, change, code) => {
    const privateKey = 'privateKey' in change ? outside.world.alipay.keys[0].privateText : undefined;
    const by = sdkWith({ ...change, ...(privateKey && { privateKey }) });
    expect(await askWith(by)).toMatchObject({ subCode: code });
  });

  const askWith = (by: AlipaySdk) =>
    by
      .exec('alipay.trade.query', { bizContent: biz, timestamp: shanghaiTime(nowOf(outside.world.alipay)) })
      .catch((error: unknown) => error);

  const signed = async (change: Record<string, string>) => {
    const { alipay } = outside.world;
    const params: Record<string, string> = {
      app_id: alipay.appId,
      method: 'alipay.trade.query',
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: shanghaiTime(nowOf(alipay)),
      version: '1.0',
      biz_content: JSON.stringify(biz),
      ...change,
    };
    const sign = signText(alipay.app, signedText(params, ['sign']));
    const answer = await fetch(`${outside.url}/gateway.do`, {
      method: 'POST',
      body: new URLSearchParams({ ...params, sign }),
    });
    return answer.json();
  };
  test.each([
    ['UTC in place of Shanghai', { timestamp: shanghaiTime(Date.now() - 8 * 3_600_000) }, 'isv.invalid-timestamp'],
    ['no time', { timestamp: 'now' }, 'isv.invalid-timestamp'],
    ['another charset', { charset: 'gbk' }, 'isv.invalid-charset'],
    ['an unknown method', { method: 'alipay.trade.give' }, 'isv.invalid-method'],
    ['no method', { method: '' }, 'isv.missing-method'],
    ['no content', { biz_content: 'x' }, 'isv.missing-biz-content'],
  ])('%s', async (_what, change, code) => {
    expect(await signed(change)).toMatchObject({ error_response: { sub_code: code }, sign: expect.any(String) });
  });
});

test('control calls that are not understood are refused', async () => {
  expect((await control('POST', 'faults', { call: 'moon', fault: '500' })).status).toBe(400);
  expect((await control('POST', 'pay', {})).status).toBe(400);
  expect((await control('POST', 'scan', { no: 'never-made' })).status).toBe(404);
});
