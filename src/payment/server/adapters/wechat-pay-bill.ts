import { createHash } from 'node:crypto';
import { Formatter } from 'wechatpay-axios-plugin';
import { ProviderRefused, ProviderUnavailable } from '../../../accounts/ports.ts';
import type { BillLine } from '../../ports.ts';
import { fenOf } from '../../rules.ts';
import { NAME, type WechatPayClient } from './wechat-pay-client.ts';
import { isObject } from './strict-json.ts';

const FILE_PATH = '/v3/billdownload/file';
/** WeChat Pay makes the bill of a day at ten in the morning of the next, Shanghai time. */
const READY_AFTER_MS = 34 * 3_600_000;

const badBill = (what: string) => new ProviderUnavailable(NAME, what, false);

/**
 * Returns the lines of a day's bill. A day without payments has no bill: WeChat Pay then says the same as before it made
 * one, so that answer counts from ten o'clock on. https://pay.weixin.qq.com/doc/v3/merchant/4012791907
 */
export async function findBill(client: WechatPayClient, day: string, nowMs: number): Promise<BillLine[] | 'not-ready'> {
  try {
    const query = { bill_date: day, bill_type: 'ALL' };
    const { object } = await client.send({ method: 'GET', path: '/v3/bill/tradebill', query });
    const { hash_type: type, hash_value: hash, download_url: address } = object;
    const token = typeof address === 'string' ? URL.parse(address)?.searchParams.get('token') : null;
    if (type !== 'SHA1' || typeof hash !== 'string' || !token) throw badBill('a bill without hash or address');
    // The host of the address is WeChat Pay's main one; the token is what matters, and it goes where all calls go.
    const file = await client.download({ path: FILE_PATH, query: { token } });
    if (createHash('sha1').update(file).digest('hex') !== hash.toLowerCase()) throw badBill('an altered bill');
    return linesOf(file);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    if (error.vendorCode === 'STATEMENT_CREATING') return 'not-ready';
    if (error.vendorCode !== 'NO_STATEMENT_EXIST') throw error;
    return nowMs - Date.parse(`${day}T00:00:00+08:00`) < READY_AFTER_MS ? 'not-ready' : [];
  }
}

/** Returns the lines of a bill: CSV with a back quote before each cell, amounts in yuan. */
export function linesOf(file: Buffer): BillLine[] {
  const bill: unknown = Formatter.castCsvBill(file);
  const rows: unknown[] = isObject(bill) && Array.isArray(bill['rows']) ? bill['rows'] : [];
  return rows.flatMap((row): BillLine[] => {
    if (!isObject(row)) throw badBill('a bill that is not understood');
    const cell = (name: string): string => {
      const value = row[name];
      if (typeof value !== 'string') throw badBill('a bill that is not understood');
      return value;
    };
    const fenIn = (name: string): number => {
      const fen = fenOf(cell(name));
      if (fen === null) throw badBill('a bill that is not understood');
      return fen;
    };
    const named = { outTradeNo: cell('商户订单号'), transactionId: cell('微信订单号') };
    switch (cell('交易状态')) {
      case 'SUCCESS':
        return [{ ...named, kind: 'payment', refundNo: null, amountFen: fenIn('订单金额') }];
      case 'REFUND':
        return [{ ...named, kind: 'refund', refundNo: cell('商户退款单号'), amountFen: fenIn('申请退款金额') }];
      case 'REVOKED':
        return [];
      default:
        throw badBill('a bill that is not understood');
    }
  });
}
