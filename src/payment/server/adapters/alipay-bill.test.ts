import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readBill } from './alipay-bill.ts';

/**
 * GBK of the Chinese words of a bill, written down from a table of the standard: Node decodes GBK and does not encode it.
 */
const WORDS: Record<string, string> = {
  支付宝业务明细查询: 'd6a7b8b6b1a6d2b5cef1c3f7cfb8b2e9d1af',
  支付宝业务汇总查询: 'd6a7b8b6b1a6d2b5cef1bbe3d7dcb2e9d1af',
  业务明细列表结束: 'd2b5cef1c3f7cfb8c1d0b1edbde1caf8',
  业务明细列表: 'd2b5cef1c3f7cfb8c1d0b1ed',
  支付宝交易号: 'd6a7b8b6b1a6bdbbd2d7bac5',
  商户订单号: 'c9ccbba7b6a9b5a5bac5',
  交易合计: 'bdbbd2d7bacfbcc6',
  退款合计: 'cdcbbfeebacfbcc6',
  交易: 'bdbbd2d7',
  退款: 'cdcbbfee',
  转账: 'd7aad5cb',
  会员: 'bbe1d4b1',
  '：': 'a3ba',
  笔: 'b1ca',
};

function gbk(text: string): Uint8Array {
  const pieces = text.split(new RegExp(`(${Object.keys(WORDS).join('|')})`));
  return Buffer.concat(
    pieces.map((piece) => (WORDS[piece] ? Buffer.from(WORDS[piece], 'hex') : Buffer.from(piece, 'ascii'))),
  );
}

/** A line as Alipay writes it: tabs behind texts, the amount in the eighth column from the first time on. */
function line(no: number, business: string, amount: string, more: { name?: string; refundNo?: string } = {}): string {
  const { name = '会员', refundNo = '' } = more;
  const numbers = `20261122220014${String(no).padStart(14, '0')}\t,M${no}\t`;
  const times = '2026-11-22 10:55:16,2026-11-22 10:55:23';
  const sums = `${amount},${amount},0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00`;
  return `${numbers},${business}\t,${name},${times},\t,\t,\t,\t,*(602***@qq.com)\t,${sums},${refundNo}\t,0.00,0.00,`;
}

const details = (lines: string[], payments: number, refunds: number) =>
  [
    '#支付宝业务明细查询',
    '#-----业务明细列表-----',
    '支付宝交易号,商户订单号,...',
    ...lines,
    '#-----业务明细列表结束-----',
    `#交易合计：${payments}笔`,
    `#退款合计：${refunds}笔`,
    '',
  ].join('\r\n');
const zip = (...texts: string[]) =>
  Buffer.from(zipSync(Object.fromEntries(texts.map((text, at) => [`${at}.csv`, gbk(text)]))));

test('payments and refunds in fen, positive both; the file with the sums is not read', () => {
  const text = details([line(1, '交易', '298.00'), line(1, '退款', '-298.00', { refundNo: 'R1' })], 1, 1);
  expect(readBill(zip('#支付宝业务汇总查询\r\n', text))).toEqual([
    {
      outTradeNo: 'M1',
      transactionId: expect.stringMatching(/^\d{28}$/),
      kind: 'payment',
      refundNo: null,
      amountFen: 29_800,
    },
    { outTradeNo: 'M1', transactionId: expect.any(String), kind: 'refund', refundNo: 'R1', amountFen: 29_800 },
  ]);
});

test('a name with commas in it, and movements of other kinds', () => {
  const text = details([line(1, '交易', '0.01', { name: 'a,b,"c"' }), line(2, '转账', '5.00')], 1, 0);
  expect(readBill(zip(text))).toMatchObject([{ outTradeNo: 'M1', amountFen: 1 }]);
});

test('a day without movements has no lines', () => {
  expect(readBill(zip(details([], 0, 0)))).toEqual([]);
});

test('ten thousand lines', () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => line(at, '交易', '12.34'));
  expect(readBill(zip(details(lines, 10_000, 0)))).toHaveLength(10_000);
});

test.each([
  ['no ZIP', Buffer.from('<html>')],
  ['nothing', Buffer.alloc(0)],
  ['a ZIP cut short', zip(details([line(1, '交易', '1.00')], 1, 0)).subarray(0, 200)],
  ['another file', zip('#支付宝业务汇总查询\r\n')],
  ['without its end', zip(details([line(1, '交易', '1.00')], 1, 0).replace(/#-----业务明细列表结束[^]*/, ''))],
  ['fewer payments than it says', zip(details([line(1, '交易', '1.00')], 2, 0))],
  ['fewer refunds than it says', zip(details([line(1, '交易', '1.00')], 1, 1))],
  ['an amount that is none', zip(details([line(1, '交易', '1.0')], 1, 0))],
  ['a line that is none', zip(details(['x,y'], 0, 0))],
])('%s: not understood', (_what, bytes) => {
  expect(readBill(bytes)).toBeNull();
});
