import { setTimeout as wait } from 'node:timers/promises';
import {
  buyerOf,
  nowOf,
  readYuan,
  shanghaiTime,
  yuan,
  type Alipay,
  type Attempt,
  type Refund,
  type Trade,
} from './alipay.ts';
import type { FaultScript } from './faults.ts';
import { gbkOf } from './gbk.ts';
import { signText } from './signing.ts';
import { refundedFen } from './trades.ts';
import { digits } from '../random-text.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Eight attempts within 25 hours. https://opendocs.alipay.com/open/270/105902 */
const WAITS = [4 * MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 15 * HOUR];
const ANSWER_MS = 5_000;
/** Older than the last attempt of any notification can be. */
const STALE_MS = 30 * HOUR;
const FORM = 'application/x-www-form-urlencoded; charset=utf-8';

type Params = Record<string, string>;

/**
 * Tells the site what became of the trade, now and again until the site says `success`. Returns the first attempt; null when
 * the merchant gave no address, or when the notification is held back or suppressed by a fault.
 */
export async function notify(alipay: Alipay, trade: Trade, refund?: Refund): Promise<Attempt | null> {
  if (!trade.notifyUrl) return null;
  const params = paramsOf(alipay, trade, refund);
  const script = alipay.faults.take('notify');
  if (script?.fault === 'never') return null;
  if (script?.fault === 'reorder') {
    alipay.held.push(() => attemptAll(alipay, trade, params, null));
    return null;
  }
  const first = await attemptAll(alipay, trade, params, script);
  for (const send of alipay.held.splice(0)) await send();
  return first;
}

/** Makes the first attempt and leaves the others to the background. */
async function attemptAll(alipay: Alipay, trade: Trade, params: Params, script: FaultScript | null): Promise<Attempt> {
  const first = await attempt(alipay, trade, params, script);
  if (!first.isAcknowledged) void retry(alipay, trade, params);
  return first;
}

async function retry(alipay: Alipay, trade: Trade, params: Params): Promise<void> {
  for (const ms of WAITS) {
    const isOver = await wait(ms * alipay.retryScale, false, { signal: alipay.ending.signal, ref: false }).catch(
      () => true,
    );
    if (isOver) return;
    const { isAcknowledged } = await attempt(alipay, trade, params, alipay.faults.take('notify'));
    if (isAcknowledged) return;
  }
}

/** Sends once, or as often as the fault `twice` says; true when any of the answers is `success`. */
async function attempt(alipay: Alipay, trade: Trade, params: Params, script: FaultScript | null): Promise<Attempt> {
  if (script?.fault === 'delay') await wait(script.ms);
  const { body, type } = bodyOf(alipay, params, script);
  const times = script?.fault === 'twice' ? script.n : 1;
  const answers = await Promise.all(Array.from({ length: times }, () => post(trade.notifyUrl, body, type, script)));
  const isAcknowledged = script?.fault !== 'lost' && answers.some((answer) => answer.text === 'success');
  const made = {
    notifyId: params['notify_id'] ?? '',
    at: nowOf(alipay),
    status: answers[0]?.status ?? null,
    isAcknowledged,
  };
  alipay.attempts.set(trade.outTradeNo, [...(alipay.attempts.get(trade.outTradeNo) ?? []), made]);
  return made;
}

function paramsOf(alipay: Alipay, trade: Trade, refund: Refund | undefined): Params {
  const paid = trade.paidAt === null ? 0 : trade.totalFen;
  return {
    app_id: alipay.appId,
    auth_app_id: alipay.appId,
    buyer_id: buyerOf(trade),
    buyer_pay_amount: yuan(paid),
    charset: 'utf-8',
    fund_bill_list: JSON.stringify(paid ? [{ amount: yuan(paid), fundChannel: 'ALIPAYACCOUNT' }] : []),
    gmt_create: shanghaiTime(trade.createdAt),
    ...(trade.paidAt !== null && { gmt_payment: shanghaiTime(trade.paidAt) }),
    ...(trade.closedAt !== null && { gmt_close: shanghaiTime(trade.closedAt) }),
    ...(refund && { gmt_refund: `${shanghaiTime(refund.at)}.000`, out_biz_no: refund.requestNo }),
    // In every notification: 0.00 where nothing was sent back.
    refund_fee: yuan(refundedFen(trade)),
    invoice_amount: yuan(paid),
    notify_id: `${shanghaiTime(nowOf(alipay)).slice(0, 10).replaceAll('-', '')}00222${digits(27)}`,
    notify_type: 'trade_status_sync',
    out_trade_no: trade.outTradeNo,
    point_amount: '0.00',
    receipt_amount: yuan(paid),
    seller_id: alipay.sellerId,
    subject: trade.subject,
    total_amount: yuan(trade.totalFen),
    trade_no: trade.tradeNo,
    trade_status: trade.status,
    version: '1.0',
  };
}

/** All values, also empty ones, sorted by name; what is in `without` is not signed. */
const notifiedText = (params: Params, without: string[]) =>
  Object.keys(params)
    .filter((name) => !without.includes(name))
    .toSorted()
    .map((name) => `${name}=${params[name]}`)
    .join('&');

/** The signed form as it is sent, with the fault in it. */
function bodyOf(alipay: Alipay, params: Params, script: FaultScript | null): { body: string; type: string } {
  const fault = script?.fault ?? null;
  if (fault === 'html') return { body: '<html><body>success</body></html>', type: 'text/html' };
  const sent: Params = {
    ...params,
    notify_time: shanghaiTime(nowOf(alipay) - (fault === 'stale' ? STALE_MS : 0)),
    sign_type: fault === 'sha1' ? 'RSA' : 'RSA2',
    ...(script && wrongFields(params, script)),
  };
  const [signer] = fault === 'wrong-sign' ? [alipay.app] : alipay.keys;
  const text = notifiedText(sent, fault === 'sign-type-signed' ? [] : ['sign_type']);
  const bytes = fault === 'gbk' ? gbkOf(text) : Buffer.from(text);
  if (fault !== 'unsigned') sent['sign'] = signText(signer, bytes, fault === 'sha1' ? 'RSA' : 'RSA2');
  if (fault === 'gbk') return { body: gbkForm(sent), type: FORM.replace('utf-8', 'gbk') };
  const body = new URLSearchParams(sent).toString();
  if (fault === 'double-encoded') return { body: body.replaceAll('%', '%25'), type: FORM };
  return { body: fault === 'dup-field' ? `${body}&total_amount=0.01` : body, type: FORM };
}

/** Fields that are wrong, and genuinely signed all the same. */
function wrongFields(params: Params, { fault, by }: FaultScript): Params {
  const { total_amount: amount = '', app_id: appId = '', seller_id: sellerId = '', out_trade_no: number = '' } = params;
  switch (fault) {
    case 'wrong-amount':
      return { total_amount: yuan(readYuan(amount) + by) };
    case 'wrong-app-id':
      return { app_id: `${appId.slice(0, -1)}${appId.endsWith('1') ? '2' : '1'}` };
    case 'wrong-seller-id':
      return { seller_id: `${sellerId.slice(0, -1)}${sellerId.endsWith('1') ? '2' : '1'}` };
    case 'wrong-out-trade-no':
      return { out_trade_no: `${number.slice(0, -1)}_` };
    case 'huge':
      return { body: '长'.repeat(40_000) };
    case 'gbk':
      return { charset: 'gbk' };
    default:
      return {};
  }
}

const gbkForm = (params: Params) =>
  Object.entries(params)
    .map(
      ([name, value]) =>
        `${name}=${[...gbkOf(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
    )
    .join('&');

type Answer = { status: number | null; text: string };

/** Posts the form. Anything but HTTP 200 with the seven letters is no acknowledgement; a redirect is not followed. */
async function post(url: string, body: string, type: string, script: FaultScript | null): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      ...(script && isCutShort(script) ? { body: slowBody(body, script), duplex: 'half' } : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    return { status: response.status, text: response.status === 200 ? text : '' };
  } catch {
    return { status: null, text: '' };
  }
}

const isCutShort = ({ fault }: FaultScript) => fault === 'hang' || fault === 'reset' || fault === 'slowloris';

/** A body of which half arrives: then nothing more comes, or the connection is cut, or a byte each `ms`. */
function slowBody(body: string, { fault, ms }: FaultScript): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(body);
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent === 0) {
        sent = bytes.length >> 1;
        return controller.enqueue(bytes.slice(0, sent));
      }
      if (fault === 'reset') return controller.error(new Error('cut'));
      await wait(fault === 'hang' ? ANSWER_MS * 2 : ms, undefined, { ref: false });
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(sent, sent + 1));
      sent += 1;
    },
  });
}
