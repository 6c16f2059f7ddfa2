import { nowOf, shanghaiTime, type Alipay, type Code, type Refund, type Trade } from './alipay.ts';
import { digits } from '../random-text.ts';

/** How long a code can be scanned when the merchant says nothing. */
const CODE_MS = 7_200_000;

/** The words of a precreate request that is asked for again must be the same. */
type Terms = { totalFen: number; subject: string; notifyUrl: string; expiresAt: number | null; terms: string };

/** Returns the code of that number, a new one or the one of an earlier, equal request; else Alipay's sub_code. */
export function precreate(alipay: Alipay, outTradeNo: string, asked: Terms): Code | string {
  const now = nowOf(alipay);
  const trade = findTrade(alipay, outTradeNo);
  if (trade?.status === 'TRADE_CLOSED' && trade.paidAt === null) return 'ACQ.TRADE_HAS_CLOSE';
  if (trade && trade.status !== 'WAIT_BUYER_PAY') return 'ACQ.TRADE_HAS_SUCCESS';
  const known = alipay.codes.get(outTradeNo);
  if (known && known.expiresAt > now) return known.terms === asked.terms ? known : 'ACQ.CONTEXT_INCONSISTENT';
  const code: Code = {
    outTradeNo,
    qrCode: `https://qr.alipay.com/bax0${digits(5)}${Buffer.from(digits(12)).toString('hex').slice(0, 20)}`,
    totalFen: asked.totalFen,
    subject: asked.subject,
    notifyUrl: asked.notifyUrl,
    createdAt: now,
    expiresAt: asked.expiresAt ?? now + CODE_MS,
    terms: asked.terms,
  };
  alipay.codes.set(outTradeNo, code);
  return code;
}

/** Returns the trade of that number, closed if its time is over. */
export function findTrade(alipay: Alipay, outTradeNo: string): Trade | null {
  const trade = alipay.trades.get(outTradeNo) ?? null;
  if (trade?.status === 'WAIT_BUYER_PAY' && trade.expiresAt <= nowOf(alipay)) {
    trade.status = 'TRADE_CLOSED';
    trade.closedAt = trade.expiresAt;
  }
  return trade;
}

export function findTradeByNumber(alipay: Alipay, tradeNo: string): Trade | null {
  const found = [...alipay.trades.values()].find((trade) => trade.tradeNo === tradeNo);
  return found ? findTrade(alipay, found.outTradeNo) : null;
}

/** Returns the code with this content, as a phone reads it from the screen. */
export const findCode = (alipay: Alipay, qrCode: string): Code | null =>
  [...alipay.codes.values()].find((code) => code.qrCode === qrCode) ?? null;

/** Somebody scans the code: now the trade exists. Null when the code is over. */
export function scanCode(alipay: Alipay, code: Code, buyer: string): Trade | null {
  const now = nowOf(alipay);
  const known = findTrade(alipay, code.outTradeNo);
  if (known) return known;
  if (code.expiresAt <= now) return null;
  const trade: Trade = {
    outTradeNo: code.outTradeNo,
    tradeNo: `${shanghaiTime(now).slice(0, 10).replaceAll('-', '')}2200142${digits(13)}`,
    status: 'WAIT_BUYER_PAY',
    totalFen: code.totalFen,
    subject: code.subject,
    notifyUrl: code.notifyUrl,
    buyer,
    createdAt: now,
    expiresAt: code.expiresAt,
    paidAt: null,
    closedAt: null,
    refunds: [],
  };
  alipay.trades.set(trade.outTradeNo, trade);
  return trade;
}

/**
 * The buyer pays. Of two at once the first pays: false when the trade is not waiting for money. `totalFen`: another amount
 * than was asked for, which the real Alipay never takes.
 */
export function payTrade(alipay: Alipay, trade: Trade, totalFen = trade.totalFen): boolean {
  if (findTrade(alipay, trade.outTradeNo)?.status !== 'WAIT_BUYER_PAY') return false;
  trade.totalFen = totalFen;
  trade.status = 'TRADE_SUCCESS';
  trade.paidAt = nowOf(alipay);
  return true;
}

/** Closes a trade that waits for money and returns null; else Alipay's sub_code. */
export function closeTrade(alipay: Alipay, trade: Trade): string | null {
  if (trade.status === 'TRADE_CLOSED') return 'ACQ.REASON_TRADE_STATUS_INVALID';
  if (trade.status !== 'WAIT_BUYER_PAY') return 'ACQ.TRADE_STATUS_ERROR';
  trade.status = 'TRADE_CLOSED';
  trade.closedAt = nowOf(alipay);
  return null;
}

export const refundedFen = (trade: Trade) => trade.refunds.reduce((sum, refund) => sum + refund.fen, 0);

type Refunded = { refund: Refund; isNew: boolean };

/** Sends money back. The same request number again is the same refund. Else Alipay's sub_code. */
export function refundTrade(
  alipay: Alipay,
  trade: Trade,
  asked: { requestNo: string; fen: number; reason: string },
): Refunded | string {
  const known = trade.refunds.find(({ requestNo }) => requestNo === asked.requestNo);
  if (known) return known.fen === asked.fen ? { refund: known, isNew: false } : 'ACQ.DISCORDANT_REPEAT_REQUEST';
  if (trade.status === 'TRADE_FINISHED') return 'ACQ.TRADE_HAS_FINISHED';
  if (trade.status !== 'TRADE_SUCCESS') return 'ACQ.TRADE_STATUS_ERROR';
  if (asked.fen > trade.totalFen - refundedFen(trade)) return 'ACQ.REASON_TRADE_REFUND_FEE_ERR';
  const refund = { ...asked, at: nowOf(alipay) };
  trade.refunds.push(refund);
  if (refundedFen(trade) === trade.totalFen) {
    trade.status = 'TRADE_CLOSED';
    trade.closedAt = refund.at;
  }
  return { refund, isNew: true };
}

/** After the time for refunds a paid trade is finished; a product without refunds finishes at once. */
export function finishTrade(trade: Trade): boolean {
  if (trade.status !== 'TRADE_SUCCESS') return false;
  trade.status = 'TRADE_FINISHED';
  return true;
}
