import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { cut, type Env } from '../answer.ts';
import type { World } from '../world.ts';
import { admit, paramError, Refusal, refuse, serve } from './answer.ts';
import { encrypt } from './signing.ts';
import { nowOf, shanghaiDay, shanghaiTime, type Order, type Refund, type WechatPay } from './wechat-pay.ts';
import { digits } from '../random-text.ts';

const DAY_MS = 86_400_000;
const LINK_MS = 300_000;
const COLUMNS =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';
const SUMS = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额';

/**
 * The bill of a day, in two calls: a signed answer that names address and hash, and the file, which is not signed.
 * WeChat Pay makes a bill at ten the next morning; here the bill of today is there as well, so that nobody has to wait
 * until tomorrow. https://pay.weixin.qq.com/doc/v3/merchant/4012791907
 */
export function bills(world: World) {
  const pay = world.wechatPay;
  return new Hono<Env>()
    .get('/v3/bill/tradebill', (c) =>
      serve(pay, 'bill', c, () => {
        const { bill_date: day = '', bill_type: type = 'ALL', tar_type: packing } = c.req.query();
        const start = Date.parse(`${day}T00:00:00+08:00`);
        if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(start)) throw paramError('bill_date格式错误');
        if (day > shanghaiDay(nowOf(pay)) || start < nowOf(pay) - 92 * DAY_MS) throw paramError('bill_date超出范围');
        if (!['ALL', 'SUCCESS', 'REFUND'].includes(type)) throw paramError('bill_type错误');
        if (packing !== undefined && packing !== 'GZIP') throw paramError('tar_type错误');
        const text = billOf(pay, day, type);
        if (text === null) throw new Refusal(400, 'NO_STATEMENT_EXIST', '账单文件不存在');
        const token = digits(40);
        pay.bills.set(token, { text, expiresAt: nowOf(pay) + LINK_MS });
        const hash = createHash('sha1').update(text).digest('hex');
        const query = `token=${token}${packing === undefined ? '' : '&tartype=gzip'}`;
        return { hash_type: 'SHA1', hash_value: hash, download_url: `${world.url}/v3/billdownload/file?${query}` };
      }),
    )
    .get('/v3/billdownload/file', async (c) => {
      const admitted = await admit(pay, 'bill-file', c);
      if (admitted.answer) return admitted.answer;
      const { script } = admitted.arrived;
      const bill = pay.bills.get(c.req.query('token') ?? '');
      if (!bill || bill.expiresAt < nowOf(pay))
        return refuse(pay, c, new Refusal(400, 'INVALID_REQUEST', '下载地址已失效'), script);
      if (script?.fault === 'lost') return cut(c);
      // Without a signature: the hash is in the answer that named the address.
      const text = script?.fault === 'wrong-sign' ? bill.text.replace('SUCCESS', 'REFUND') : bill.text;
      const isPacked = c.req.query('tartype') === 'gzip';
      return new Response(isPacked ? new Uint8Array(gzipSync(text)) : text, {
        headers: { 'content-type': isPacked ? 'application/gzip' : 'text/plain; charset=utf-8' },
      });
    })
    .get('/v3/certificates', (c) =>
      serve(pay, 'certificates', c, () => ({
        data: pay.keys.platform.map(({ serial, certificate }) => ({
          serial_no: serial,
          effective_time: shanghaiTime(nowOf(pay) - DAY_MS),
          expire_time: shanghaiTime(nowOf(pay) + 1_825 * DAY_MS),
          encrypt_certificate: encrypt(pay, certificate, 'certificate'),
        })),
      })),
    );
}

const yuan = (fen: number) => `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`;
const row = (cells: string[]) => cells.map((cell) => `\`${cell.replaceAll(',', ' ')}`).join(',');
const time = (at: number) => shanghaiTime(at).slice(0, 19).replace('T', ' ');

/** Returns the bill of a day as a text with a byte order mark; null when nothing was paid or sent back that day. */
function billOf(pay: WechatPay, day: string, type: string): string | null {
  const paid = [...pay.orders.values()].filter(({ paidAt }) => paidAt !== null && shanghaiDay(paidAt) === day);
  const back = [...pay.refunds.values()].filter(({ createdAt }) => shanghaiDay(createdAt) === day);
  const payments = type === 'REFUND' ? [] : paid.map((order) => paymentRow(pay, order));
  const refundRows = type === 'SUCCESS' ? [] : back.map((refund) => refundRow(pay, refund));
  const rows = [...payments, ...refundRows];
  if (rows.length === 0) return null;
  const total = paid.reduce((sum, { paidFen }) => sum + paidFen, 0);
  const refunded = back.reduce((sum, { fen }) => sum + fen, 0);
  const sums = [String(rows.length), yuan(total), yuan(refunded), '0.00', '0.00000', yuan(total), yuan(refunded)];
  return `\uFEFF${[COLUMNS, ...rows, SUMS, row(sums)].join('\r\n')}\r\n`;
}

const shared = (pay: WechatPay, order: Order, at: number, state: string) => [
  time(at),
  pay.appId,
  pay.mchId,
  '0',
  '',
  order.transactionId ?? '',
  order.outTradeNo,
  order.payer ?? '',
  'NATIVE',
  state,
  'OTHERS',
  'CNY',
];

const paymentRow = (pay: WechatPay, order: Order) =>
  row([
    ...shared(pay, order, order.paidAt ?? 0, 'SUCCESS'),
    yuan(order.paidFen),
    '0.00',
    '0',
    '0',
    '0.00',
    '0.00',
    '',
    '',
    order.description,
    order.attach,
    '0.00000',
    '0.60%',
    yuan(order.paidFen),
    '0.00',
    '',
  ]);

function refundRow(pay: WechatPay, refund: Refund): string {
  const order = pay.orders.get(refund.outTradeNo);
  if (!order) throw new Error('a refund of no order');
  return row([
    ...shared(pay, order, refund.createdAt, 'REFUND'),
    '0.00',
    '0.00',
    refund.refundId,
    refund.outRefundNo,
    yuan(refund.fen),
    '0.00',
    'ORIGINAL',
    refund.status,
    order.description,
    order.attach,
    '0.00000',
    '0.60%',
    '0.00',
    yuan(refund.fen),
    '',
  ]);
}
