import { unzipSync } from 'fflate';
import type { BillLine } from '../../ports.ts';
import { fenOf } from '../../rules.ts';

const MAX_CSV_BYTES = 200_000_000;
const TITLE = '#支付宝业务明细查询';
const END = /^#-*业务明细列表结束/;
/** Column offsets from 创建时间, which is found as the first cell that looks like a time: the item name before it may contain commas. */
const AMOUNT = 7;
const REFUND_NO = 17;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/**
 * Reads a bill: a ZIP with CSV files in GBK, one of them with every movement of money of a day, each text with a tab behind
 * it. Null when the file is not whole or not understood: fewer lines than its own sums say would look like missing payments.
 */
export function readBill(zip: Buffer): BillLine[] | null {
  const lines = detailsOf(zip)?.split(/\r?\n/);
  const end = lines?.findIndex((line) => END.test(line)) ?? -1;
  const start = lines?.findIndex((line) => line.startsWith('支付宝交易号,')) ?? -1;
  if (!lines || start < 0 || end < start) return null;
  const read = lines.slice(start + 1, end).map(lineOf);
  const known = read.filter((line) => line !== null);
  if (known.length < read.length) return null;
  const sums = lines.slice(end).join('\n');
  const isWhole = (['payment', 'refund'] as const).every((kind) => {
    const stated = new RegExp(kind === 'payment' ? '#交易合计：(\\d+)笔' : '#退款合计：(\\d+)笔').exec(sums)?.[1];
    return Number(stated) === known.filter((line) => line !== 'other' && line.kind === kind).length;
  });
  return isWhole ? known.filter((line) => line !== 'other') : null;
}

/** Returns the text of the file with all movements; the other file in the ZIP has sums. */
function detailsOf(zip: Buffer): string | null {
  try {
    const files = unzipSync(zip, { filter: ({ originalSize }) => originalSize <= MAX_CSV_BYTES });
    // GB18030 holds all of GBK.
    const decoder = new TextDecoder('gb18030');
    return (
      Object.values(files)
        .map((bytes) => decoder.decode(bytes))
        .find((text) => text.startsWith(TITLE)) ?? null
    );
  } catch {
    return null;
  }
}

/** Returns a line; `other` for movements that are neither payment nor refund, null when the line is not understood. */
function lineOf(text: string): BillLine | 'other' | null {
  const cells = text.split(',').map((cell) => cell.trim());
  const time = cells.findIndex((cell) => TIME.test(cell));
  const [transactionId = '', outTradeNo = '', business] = cells;
  const amountFen = fenOf(cells[time + AMOUNT]?.replace(/^-/, ''));
  if (time < 0 || amountFen === null || !/^\d+$/.test(transactionId) || !outTradeNo) return null;
  if (business === '交易') return { outTradeNo, transactionId, kind: 'payment', refundNo: null, amountFen };
  if (business !== '退款') return 'other';
  return { outTradeNo, transactionId, kind: 'refund', refundNo: cells[time + REFUND_NO] || null, amountFen };
}
