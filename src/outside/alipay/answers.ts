import type { Context } from 'hono';
import { cut, HANG_MS, pause, type Env } from '../answer.ts';
import { readYuan, yuan, type Alipay } from './alipay.ts';
import type { FaultScript } from './faults.ts';
import { gbkOf } from './gbk.ts';
import { signText } from './signing.ts';

const HUGE_BYTES = 8_000_000;
/** Alipay's gateway calls its JSON text/html. */
const HTML = 'text/html;charset=utf-8';

/** The fields of one `…_response`. */
export type Fields = Record<string, unknown>;

/** Plays a fault that fits every HTTP call and keeps it from being carried out; null when the call goes on. */
export async function faultBefore(c: Context<Env>, script: FaultScript | null): Promise<Response | null> {
  switch (script?.fault) {
    case 'delay':
      await pause(script.ms);
      return null;
    case 'hang':
      await pause(HANG_MS);
      return cut(c);
    case 'reset':
      return cut(c);
    case '500':
      return c.text('Internal Server Error', 500);
    case '429':
      return c.text('Too Many Requests', 429);
    case 'html':
      return c.html('<html><body><h1>502 Bad Gateway</h1></body></html>', 200);
    default:
      return null;
  }
}

/** Answers with `{"<name>":{…},"sign":"…"}`; a slash is escaped in it, as Alipay does. `script` plays the rest of the faults. */
export async function answerSigned(
  c: Context<Env>,
  alipay: Alipay,
  name: string,
  fields: Fields,
  script: FaultScript | null,
): Promise<Response> {
  if (script?.fault === 'lost') return cut(c);
  const response = json(script ? alteredFields(fields, script) : fields);
  const inner = script?.fault === 'dup-inner-key' ? `${response.slice(0, -1)},"code":"10000"}` : response;
  const sign = json(signText(script?.fault === 'wrong-sign' ? alipay.app : alipay.keys[0], inner));
  if (script?.fault === 'unsigned') return c.body(`{"${name}":${inner}}`, 200, { 'content-type': HTML });
  const forged = script?.fault === 'dup-json-key' ? `,"${name}":${json(forgedFields(fields))}` : '';
  const body = `{"${name}":${inner},"sign":${sign}${forged}}`;
  if (script?.fault === 'gbk') return answerGbk(c, alipay, name, inner);
  if (script?.fault === 'huge') return c.body(`${body}${' '.repeat(HUGE_BYTES)}`, 200, { 'content-type': HTML });
  if (script?.fault === 'slowloris') return dribble(c, body, script.ms);
  return c.body(body, 200, { 'content-type': HTML });
}

const json = (value: unknown) => JSON.stringify(value).replaceAll('/', '\\/');

/** An answer in GBK, signed over its bytes, as for a merchant whose charset is GBK. */
function answerGbk(c: Context<Env>, alipay: Alipay, name: string, inner: string): Response {
  const sign = json(signText(alipay.keys[0], gbkOf(inner)));
  const body = new Uint8Array(gbkOf(`{"${name}":${inner},"sign":${sign}}`));
  return c.body(body, 200, { 'content-type': 'text/html;charset=GBK' });
}

/** Sends a byte each `ms`, until the other side goes away. */
function dribble(c: Context<Env>, body: string, ms: number): Response {
  const bytes = Buffer.from(body).values();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      await pause(ms);
      const { value } = bytes.next();
      if (value === undefined) controller.close();
      else controller.enqueue(Uint8Array.of(value));
    },
  });
  return c.body(stream, 200, { 'content-type': HTML });
}

/** Genuinely signed fields that are wrong. */
function alteredFields(fields: Fields, { fault, by }: FaultScript): Fields {
  if (fault === 'wrong-amount' && typeof fields['total_amount'] === 'string') {
    return { ...fields, total_amount: yuan(readYuan(fields['total_amount']) + by) };
  }
  if (fault === 'wrong-out-trade-no' && typeof fields['out_trade_no'] === 'string') {
    return { ...fields, out_trade_no: `${fields['out_trade_no'].slice(0, -1)}_` };
  }
  if (fault === 'no-permission') {
    const sub = { sub_code: 'isv.insufficient-isv-permissions', sub_msg: 'ISV权限不足' };
    return { code: '40006', msg: 'Insufficient Permissions', ...sub };
  }
  return fault === 'system-error'
    ? { code: '20000', msg: 'Service Currently Unavailable', sub_code: 'aop.ACQ.SYSTEM_ERROR', sub_msg: '系统异常' }
    : fields;
}

/** Fields that an attacker would like the site to believe. */
const forgedFields = (fields: Fields) => ({
  ...fields,
  code: '10000',
  msg: 'Success',
  sub_code: undefined,
  sub_msg: undefined,
  trade_no: fields['trade_no'] ?? '2026112222001420000000000001',
  trade_status: 'TRADE_SUCCESS',
});
