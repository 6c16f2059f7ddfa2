import { setTimeout } from 'node:timers/promises';
import type { Context } from 'hono';
import { cut, HANG_MS, type Env } from '../answer.ts';
import { write, type FaultScript, type WechatPayCall } from './faults.ts';
import { modeOf, signatureOf, unauthorised } from './signing.ts';
import type { WechatPay } from './wechat-pay.ts';
import { digits } from '../random-text.ts';

const MAX_BODY = 65_536;

/** Waits; ends early when the pretend world ends. */
export const pause = (pay: WechatPay, ms: number): Promise<void> =>
  setTimeout(ms, undefined, { ref: false, signal: pay.ending.signal }).catch(() => undefined);

export type Arrived = { script: FaultScript | null; body: Record<string, unknown> };

/** An error as WeChat Pay reports it. https://pay.weixin.qq.com/doc/v3/merchant/4012070702 */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 429 | 500;
  readonly code: string;
  constructor(status: Refusal['status'], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const paramError = (message: string) => new Refusal(400, 'PARAM_ERROR', message);

/**
 * Admits one call: counts it, plays the faults that come before it, verifies the request's signature. Returns the answer
 * when that is all that happens.
 */
export async function admit(
  pay: WechatPay,
  call: WechatPayCall,
  c: Context<Env>,
): Promise<{ answer: Response } | { answer: null; arrived: Arrived }> {
  pay.calls.set(call, (pay.calls.get(call) ?? 0) + 1);
  const body = Buffer.from(await c.req.arrayBuffer());
  const script = pay.faults.take(call);
  switch (script?.fault) {
    case 'delay':
      await pause(pay, script.ms);
      break;
    case 'hang':
      await pause(pay, HANG_MS);
      return { answer: cut(c) };
    case 'reset':
      return { answer: cut(c) };
    case '500':
      return { answer: reply(pay, c, 500, { code: 'SYSTEM_ERROR', message: '系统异常，请稍后重试' }, null) };
    case '429':
      return { answer: reply(pay, c, 429, { code: 'FREQUENCY_LIMITED', message: '频率超限' }, null) };
    default:
  }
  try {
    authorise(pay, c, body);
    return { answer: null, arrived: { script, body: parse(c, body) } };
  } catch (error) {
    return { answer: refuse(pay, c, error, script) };
  }
}

/**
 * Serves one call: admits it, carries it out (`work`) and answers, signed. `work` returns the answer's object, or null for
 * 204 without a body; it throws Refusal.
 */
export async function serve(
  pay: WechatPay,
  call: WechatPayCall,
  c: Context<Env>,
  work: (arrived: Arrived) => Promise<Record<string, unknown> | null> | Record<string, unknown> | null,
): Promise<Response> {
  const admitted = await admit(pay, call, c);
  if (admitted.answer) return admitted.answer;
  const { arrived } = admitted;
  const { script } = arrived;
  try {
    const object = await work(arrived);
    if (script?.fault === 'lost') return cut(c);
    return object === null ? noContent(pay, c, script) : reply(pay, c, 200, object, script);
  } catch (error) {
    return refuse(pay, c, error, script);
  }
}

/** Answers with the vendor's error; throws any other. */
export function refuse(pay: WechatPay, c: Context<Env>, error: unknown, script: FaultScript | null): Response {
  if (!(error instanceof Refusal)) throw error;
  return reply(pay, c, error.status, { code: error.code, message: error.message }, script);
}

/** Throws Refusal unless the request is the merchant's and has the headers that WeChat Pay asks for. */
function authorise(pay: WechatPay, c: Context<Env>, body: Buffer): void {
  const refusal = unauthorised(pay, {
    method: c.req.method,
    target: c.env.incoming.url ?? '',
    authorization: c.req.header('authorization'),
    body,
  });
  if (refusal !== null) throw new Refusal(401, 'SIGN_ERROR', refusal);
  if (!c.req.header('accept')?.includes('application/json')) throw paramError('Http头Accept需要包含application/json');
  if (!c.req.header('user-agent')) throw paramError('Http头缺少User-Agent');
  const named = c.req.header('wechatpay-serial');
  const { platform, named: publicKeys } = pay.keys;
  const known = [...platform.map(({ serial }) => serial), ...publicKeys.map(({ id }) => id)];
  if (named !== undefined && !known.includes(named)) throw paramError('平台证书序列号Wechatpay-Serial错误');
}

function parse(c: Context<Env>, body: Buffer): Record<string, unknown> {
  if (c.req.method === 'GET') return {};
  if (body.length > MAX_BODY) throw paramError('请求体过大');
  if (!c.req.header('content-type')?.startsWith('application/json')) throw paramError('Http头Content-Type错误');
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Answered below, like any other text that is not an object.
  }
  throw paramError('请求体不是合法的JSON');
}

/** Answers with an object, signed as the request asks for; a refusal of a request that nobody signed is not signed. */
function reply(
  pay: WechatPay,
  c: Context<Env>,
  status: number,
  object: Record<string, unknown>,
  script: FaultScript | null,
): Response {
  const text = write(object, script);
  const headers = {
    ...(status !== 401 && signatures(pay, c, text, script)),
    'content-type': script?.fault === 'html' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'request-id': `0${digits(30)}`,
  };
  const body = script?.fault === 'slowloris' ? byteByByte(pay, text, script.ms) : text;
  return new Response(body, { status, headers });
}

const signatures = (pay: WechatPay, c: Context<Env>, text: string, script: FaultScript | null) => {
  const named = c.req.header('wechatpay-serial');
  return signatureOf(pay, text, { mode: modeOf(named), named, script });
};

/** Faults of how a body is written: they need one, also where WeChat Pay sends none. */
const OF_BODIES = new Set(['html', 'huge', 'slowloris']);

function noContent(pay: WechatPay, c: Context<Env>, script: FaultScript | null): Response {
  if (script && OF_BODIES.has(script.fault)) return reply(pay, c, 200, { message: 'x'.repeat(1_000) }, script);
  const headers = { ...signatures(pay, c, '', script), 'request-id': `0${digits(30)}` };
  if (script?.fault !== 'body-after-204') return new Response(null, { status: 204, headers });
  // By hand: no HTTP library writes what HTTP forbids.
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = JSON.stringify({ trade_state: 'SUCCESS' });
  c.env.incoming.socket.end(
    `HTTP/1.1 204 No Content\r\n${lines.join('')}content-length: ${text.length}\r\n\r\n${text}`,
  );
  return new Response(null, { status: 204 });
}

/** A body of which one byte comes each `ms`. */
export function byteByByte(pay: WechatPay, text: string, ms: number): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text);
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      await pause(pay, ms);
      if (pay.ending.signal.aborted || next >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(next, next + 1)));
      next += 1;
    },
  });
}
