import { Hono } from 'hono';
import type { Env } from '../answer.ts';
import type { World } from '../world.ts';
import { nowOf, readShanghaiTime, type Alipay } from './alipay.ts';
import { pause } from '../answer.ts';
import { answerSigned, faultBefore, type Fields } from './answers.ts';
import type { AlipayCall, FaultScript } from './faults.ts';
import { METHODS, type BizContent } from './methods.ts';
import { notify } from './notify.ts';
import { isSignedBy, signedText } from './signing.ts';
import { findTrade, payTrade, scanCode } from './trades.ts';

/** A request is refused when its timestamp is further from Alipay's clock than this. */
const CLOCK_MS = 900_000;
const MAX_BYTES = 262_144;

const CALLS: Record<string, AlipayCall> = {
  'alipay.trade.precreate': 'precreate',
  'alipay.trade.query': 'query',
  'alipay.trade.close': 'close',
  'alipay.trade.refund': 'refund',
  'alipay.trade.fastpay.refund.query': 'refund-query',
  'alipay.data.dataservice.bill.downloadurl.query': 'bill-url',
};

/**
 * Alipay's gateway: one address for all methods. The parameters are in the query and in a form; together they are signed.
 * Refusals of the gateway itself are an `error_response`, those of a method a `<method>_response` with code 40004.
 * https://opendocs.alipay.com/common/02mse2 · https://opendocs.alipay.com/common/02km9f
 */
export function alipayGateway(world: World) {
  const { alipay } = world;
  /** The last answer to each query, for an answer that is behind the truth. */
  const lastQuery = new Map<string, Fields>();

  return new Hono<Env>().post('/gateway.do', async (c) => {
    const body = await c.req.text();
    const params = body.length > MAX_BYTES ? {} : paramsOf(c.req.url, body);
    const { method = '' } = params;
    const call = CALLS[method];
    const script = call ? alipay.faults.take(call) : null;
    if (call) world.calls.set(`alipay.${call}`, (world.calls.get(`alipay.${call}`) ?? 0) + 1);
    const early = await faultBefore(c, script);
    if (early) return early;
    const refusal = refusalOf(alipay, params);
    // Alipay's key belongs to an application: there is none to sign with for one that it does not know.
    if (refusal && params['app_id'] !== alipay.appId) return c.json({ error_response: refusal });
    if (refusal) return answerSigned(c, alipay, 'error_response', refusal, null);
    const biz = readBiz(params['biz_content']);
    const answer = METHODS[method];
    if (!biz || !answer) return answerSigned(c, alipay, 'error_response', missing('isv.missing-biz-content'), null);
    const name = `${method.replaceAll('.', '_')}_response`;
    const fields = answer(world, biz, params['notify_url'] ?? '');
    const number = typeof biz['out_trade_no'] === 'string' ? biz['out_trade_no'] : '';
    if (script?.fault === 'paid-first') await payFirst(alipay, number, script);
    if (call !== 'query') return answerSigned(c, alipay, name, fields, script);
    const before = lastQuery.get(number) ?? notThere(number);
    if (script?.fault !== 'stale') lastQuery.set(number, fields);
    return answerSigned(c, alipay, name, script?.fault === 'stale' ? before : fields, script);
  });
}

/** Query and form together; a form's value wins. */
function paramsOf(url: string, body: string): Record<string, string> {
  return Object.fromEntries([...new URL(url).searchParams, ...new URLSearchParams(body)]);
}

const missing = (sub: string): Fields => ({
  code: '40001',
  msg: 'Missing Required Arguments',
  sub_code: sub,
  sub_msg: '缺少参数',
});
const invalid = (sub: string, words: string): Fields => ({
  code: '40002',
  msg: 'Invalid Arguments',
  sub_code: sub,
  sub_msg: words,
});
const notThere = (number: string): Fields => ({
  code: '40004',
  msg: 'Business Failed',
  sub_code: 'ACQ.TRADE_NOT_EXIST',
  sub_msg: '交易不存在',
  out_trade_no: number,
});

/** Returns the gateway's refusal of a request, in the order in which Alipay checks; null when it is in order. */
function refusalOf(alipay: Alipay, params: Record<string, string>): Fields | null {
  if (!params['method']) return missing('isv.missing-method');
  if (!CALLS[params['method']]) return invalid('isv.invalid-method', '不存在的方法名');
  if (!params['app_id']) return missing('isv.missing-app-id');
  if (params['app_id'] !== alipay.appId) return invalid('isv.invalid-app-id', '无效的AppID参数');
  if (!params['sign_type']) return missing('isv.missing-signature-type');
  if (params['sign_type'] !== 'RSA2') return invalid('isv.invalid-signature-type', '无效的签名类型');
  if (!params['timestamp']) return missing('isv.missing-timestamp');
  const at = readShanghaiTime(params['timestamp']);
  if (!(Math.abs(at - nowOf(alipay)) <= CLOCK_MS)) return invalid('isv.invalid-timestamp', '非法的时间戳参数');
  if (params['charset']?.toLowerCase() !== 'utf-8') return invalid('isv.invalid-charset', '无效的字符集参数');
  if (params['version'] !== '1.0') return invalid('isv.invalid-version', '非法的版本号');
  if (params['format'] && params['format'].toUpperCase() !== 'JSON')
    return invalid('isv.invalid-format', '无效的数据格式');
  if (!params['sign']) return missing('isv.missing-signature');
  return isSignedBy(alipay.app.publicText, signedText(params, ['sign']), params['sign'])
    ? null
    : invalid('isv.invalid-signature', '验签出错，建议检查签名字符串或签名私钥与应用公钥是否匹配');
}

function readBiz(text: string | undefined): BizContent | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Somebody is quicker than the answer: the notification reaches the site before the code does. */
async function payFirst(alipay: Alipay, number: string, script: FaultScript): Promise<void> {
  const code = alipay.codes.get(number);
  const trade = findTrade(alipay, number) ?? (code ? scanCode(alipay, code, 'xiaoce') : null);
  if (!trade || !payTrade(alipay, trade)) return;
  await Promise.race([notify(alipay, trade), pause(Math.max(script.ms, 1_000))]);
}
