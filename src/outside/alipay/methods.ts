import type { World } from '../world.ts';
import { buyerOf, nowOf, readShanghaiTime, readYuan, shanghaiTime, yuan, type Alipay, type Trade } from './alipay.ts';
import type { Fields } from './answers.ts';
import { billAddress } from './bill.ts';
import { notify } from './notify.ts';
import { closeTrade, findTrade, findTradeByNumber, precreate, refundedFen, refundTrade } from './trades.ts';

export type BizContent = Record<string, unknown>;
type Method = (world: World, biz: BizContent, notifyUrl: string) => Fields;

const NUMBER = /^[A-Za-z0-9_]{1,64}$/;
const MINUTES: Record<string, number> = { m: 1, h: 60, d: 1_440 };

/** The meaning of each sub_code in words. */
const WORDS: Record<string, string> = {
  'ACQ.TRADE_NOT_EXIST': '交易不存在',
  'ACQ.TRADE_HAS_SUCCESS': '交易已被支付',
  'ACQ.TRADE_HAS_CLOSE': '交易已经关闭',
  'ACQ.TRADE_HAS_FINISHED': '交易已完结',
  'ACQ.TRADE_STATUS_ERROR': '交易状态不合法',
  'ACQ.REASON_TRADE_STATUS_INVALID': '交易状态异常',
  'ACQ.CONTEXT_INCONSISTENT': '交易信息被篡改',
  'ACQ.INVALID_PARAMETER': '参数无效',
  'ACQ.REASON_TRADE_REFUND_FEE_ERR': '退款金额无效',
  'ACQ.DISCORDANT_REPEAT_REQUEST': '请求信息不一致',
  'isp.bill_not_exist': '账单不存在',
};

const succeeded = (fields: Fields): Fields => ({ code: '10000', msg: 'Success', ...fields });
const failed = (subCode: string, fields: Fields = {}): Fields => ({
  code: '40004',
  msg: 'Business Failed',
  sub_code: subCode,
  sub_msg: WORDS[subCode] ?? subCode,
  ...fields,
});

/** The methods that this merchant may call. They carry out and answer; signatures have been checked. */
export const METHODS: Record<string, Method> = {
  'alipay.trade.precreate'({ alipay }, biz, notifyUrl) {
    const { out_trade_no: number, subject } = biz;
    const totalFen = readYuan(biz['total_amount']);
    const expiresAt = readExpiry(alipay, biz);
    const isInOrder =
      typeof number === 'string' &&
      NUMBER.test(number) &&
      typeof subject === 'string' &&
      /^[^/=&]{1,256}$/.test(subject) &&
      totalFen > 0 &&
      !Number.isNaN(expiresAt) &&
      (biz['seller_id'] === undefined || biz['seller_id'] === alipay.sellerId);
    if (!isInOrder) return failed('ACQ.INVALID_PARAMETER');
    const terms = JSON.stringify([totalFen, subject, notifyUrl, biz['time_expire'], biz['timeout_express']]);
    const code = precreate(alipay, number, { totalFen, subject, notifyUrl, expiresAt, terms });
    return typeof code === 'string'
      ? failed(code, { out_trade_no: number })
      : succeeded({ out_trade_no: number, qr_code: code.qrCode });
  },

  'alipay.trade.query'({ alipay }, biz) {
    const trade = tradeOf(alipay, biz);
    if (!trade) return failed('ACQ.TRADE_NOT_EXIST', echo(biz));
    const isPaid = trade.paidAt !== null;
    return succeeded({
      buyer_logon_id: '159****5620',
      buyer_pay_amount: yuan(isPaid ? trade.totalFen : 0),
      buyer_user_id: buyerOf(trade),
      invoice_amount: yuan(isPaid ? trade.totalFen : 0),
      out_trade_no: trade.outTradeNo,
      point_amount: '0.00',
      receipt_amount: yuan(isPaid ? trade.totalFen : 0),
      ...(trade.paidAt !== null && { send_pay_date: shanghaiTime(trade.paidAt) }),
      total_amount: yuan(trade.totalFen),
      trade_no: trade.tradeNo,
      trade_status: trade.status,
    });
  },

  'alipay.trade.close'({ alipay }, biz) {
    const trade = tradeOf(alipay, biz);
    if (!trade) return failed('ACQ.TRADE_NOT_EXIST', echo(biz));
    const refusal = closeTrade(alipay, trade);
    if (refusal) return failed(refusal, { out_trade_no: trade.outTradeNo, trade_no: trade.tradeNo });
    void notify(alipay, trade);
    return succeeded({ out_trade_no: trade.outTradeNo, trade_no: trade.tradeNo });
  },

  'alipay.trade.refund'({ alipay }, biz) {
    const trade = tradeOf(alipay, biz);
    if (!trade) return failed('ACQ.TRADE_NOT_EXIST', { ...echo(biz), ...NOTHING_BACK });
    const fen = readYuan(biz['refund_amount']);
    // Without a request number the whole amount is sent back, under the number of the trade.
    const requestNo = typeof biz['out_request_no'] === 'string' ? biz['out_request_no'] : trade.outTradeNo;
    if (!(fen > 0)) return failed('ACQ.INVALID_PARAMETER', { ...echo(biz), ...NOTHING_BACK });
    const reason = typeof biz['refund_reason'] === 'string' ? biz['refund_reason'] : '';
    const outcome = refundTrade(alipay, trade, { requestNo, fen, reason });
    if (typeof outcome === 'string') return failed(outcome, { ...echo(biz), ...NOTHING_BACK });
    if (outcome.isNew) void notify(alipay, trade, outcome.refund);
    return succeeded({
      buyer_logon_id: '159****5620',
      buyer_user_id: buyerOf(trade),
      fund_change: outcome.isNew ? 'Y' : 'N',
      gmt_refund_pay: shanghaiTime(outcome.refund.at),
      out_trade_no: trade.outTradeNo,
      refund_fee: yuan(refundedFen(trade)),
      send_back_fee: yuan(outcome.isNew ? outcome.refund.fen : 0),
      trade_no: trade.tradeNo,
    });
  },

  'alipay.trade.fastpay.refund.query'({ alipay }, biz) {
    const trade = tradeOf(alipay, biz);
    if (!trade) return failed('ACQ.TRADE_NOT_EXIST', echo(biz));
    const refund = trade.refunds.find(({ requestNo }) => requestNo === biz['out_request_no']);
    // A success without a word about the refund: there is no such refund.
    if (!refund) return succeeded({});
    return succeeded({
      ...(asksFor(biz, 'gmt_refund_pay') && { gmt_refund_pay: shanghaiTime(refund.at) }),
      out_request_no: refund.requestNo,
      out_trade_no: trade.outTradeNo,
      refund_amount: yuan(refund.fen),
      refund_status: 'REFUND_SUCCESS',
      total_amount: yuan(trade.totalFen),
      trade_no: trade.tradeNo,
    });
  },

  'alipay.data.dataservice.bill.downloadurl.query'(world, biz) {
    const { bill_date: day } = biz;
    if (biz['bill_type'] !== 'trade' || typeof day !== 'string') return failed('ACQ.INVALID_PARAMETER');
    const address = billAddress(world, day);
    return address ? succeeded({ bill_download_url: address }) : failed('isp.bill_not_exist');
  },
};

const NOTHING_BACK = { refund_fee: '0.00', send_back_fee: '0.00' };

const echo = (biz: BizContent): Fields =>
  typeof biz['out_trade_no'] === 'string' ? { out_trade_no: biz['out_trade_no'] } : {};

const asksFor = (biz: BizContent, option: string) =>
  Array.isArray(biz['query_options']) && biz['query_options'].includes(option);

function tradeOf(alipay: Alipay, { trade_no: tradeNo, out_trade_no: number }: BizContent): Trade | null {
  if (typeof tradeNo === 'string' && tradeNo) return findTradeByNumber(alipay, tradeNo);
  return typeof number === 'string' ? findTrade(alipay, number) : null;
}

/** When the code is over: `time_expire`, or `timeout_express` after now; null when not said, NaN when wrong. */
function readExpiry(alipay: Alipay, biz: BizContent): number | null {
  const now = nowOf(alipay);
  const { time_expire: time, timeout_express: span } = biz;
  if (time !== undefined) {
    const at = typeof time === 'string' ? readShanghaiTime(time) : Number.NaN;
    return at > now ? at : Number.NaN;
  }
  if (span === undefined) return null;
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(typeof span === 'string' ? span : '') ?? [];
  return now + Number(count) * (MINUTES[unit] ?? Number.NaN) * 60_000;
}
