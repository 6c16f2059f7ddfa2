import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../protocol/envelope.ts';
import { CHANNELS } from './ports.ts';
import {
  channelOf,
  fenOf,
  isDuplicate,
  isTradeNumber,
  mismatchOf,
  nextCheckAt,
  PLATFORM,
  subjectOf,
  tradeNumber,
  tradeStateOf,
  type OrderStatus,
  yuanOf,
} from './rules.ts';

const AT = Date.parse('2026-03-01T16:30:00.123Z');

test('a number is M, the Shanghai time and ten of Base32, and taken by both providers (C-48)', () => {
  expect(tradeNumber('M', AT, new Uint8Array(10))).toBe('M202603020030000000000000');
  const numbers = Array.from({ length: 1_000 }, () => tradeNumber('M', AT, randomBytes(10)));
  expect(new Set(numbers).size).toBe(1_000);
  for (const number of numbers) {
    expect(number).toMatch(/^M20260302003000[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(isTradeNumber(number)).toBe(true);
  }
  expect(['', 'M1', 'R202603020030000000000000', `${numbers[0]}\n`].filter(isTradeNumber)).toEqual([]);
});

test.each([
  [0, 30],
  [29_999, 30],
  [30_000, 60],
  [60_000, 120],
  [120_000, 300],
  [300_000, 600],
  [600_000, 900],
  [900_000, 1_200],
  [1_200_000, 1_500],
  [1_500_000, 1_800],
  [1_800_000, 1_800],
])('%i ms after it was made, an order is asked about at %i s', (afterMs, seconds) => {
  const order = { createdAt: new Date(AT), expiresAt: new Date(AT + 1_800_000) };
  expect(nextCheckAt(order, AT + afterMs)).toBe(AT + seconds * 1_000);
});

describe('what pays an order', () => {
  const order = { priceFen: 29_800 };
  const payment = { outTradeNo: 'M', transactionId: '1', amountFen: 29_800, currency: 'CNY', paidAt: new Date(AT) };

  test('the amount in fen and CNY', () => expect(mismatchOf(order, payment)).toBeNull());

  test.each([29_799, 29_801, 2_980_000, 298, 0, -29_800, 29_800.5, Number.NaN])('not %d fen', (amountFen) =>
    expect(mismatchOf(order, { ...payment, amountFen })).toContain('instead of 29800 fen'),
  );

  test.each(['USD', 'cny', '', 'CNY '])('not currency "%s"', (currency) =>
    expect(mismatchOf(order, { ...payment, currency })).toContain('instead of CNY'),
  );
});

describe('the second payment of what was meant once (C-57)', () => {
  const at = (seconds: number) => new Date(AT + seconds * 1_000);
  const done = (seconds: number, status: OrderStatus = 'fulfilled') => [{ status, fulfilledAt: at(seconds) }];

  test.each([
    ['a membership that was ordered before the other was fulfilled', 'vip', 0, done(10), true],
    ['one that was ordered afterwards is a second purchase', 'vip', 20, done(10), false],
    ['coins are always a purchase', 'coin', 0, done(10), false],
    ['the other was never fulfilled', 'vip', 0, [{ status: 'closed' as const, fulfilledAt: null }], false],
    ['the other was paid back', 'vip', 0, done(10, 'refunded'), false],
    ['there is no other', 'vip', 0, [], false],
  ] as const)('%s', (_name, kind, seconds, others, expected) =>
    expect(isDuplicate({ kind, createdAt: at(seconds) }, others)).toBe(expected),
  );
});

test('each channel has a number of its own, by which it is found; any other number is refused', () => {
  expect(CHANNELS.map((channel) => channelOf(PLATFORM[channel]))).toEqual(CHANNELS);
  for (const platform of [CHANNELS.length, -1, 0.5, Number.NaN]) expect(() => channelOf(platform)).toThrow(Refusal);
});

test.each([
  ['created', 'NOTPAY', 'WAIT_BUYER_PAY'],
  ['pending', 'NOTPAY', 'WAIT_BUYER_PAY'],
  ['closed', 'CLOSED', 'TRADE_CLOSED'],
  ['fulfilled', 'SUCCESS', 'TRADE_SUCCESS'],
  ['mismatch', 'NOTPAY', 'WAIT_BUYER_PAY'],
  ['refunding', 'REFUND', 'TRADE_CLOSED'],
  ['refunded', 'REFUND', 'TRADE_CLOSED'],
] as const)('%s is %s to WeChat and %s to Alipay (C-49)', (status, wechat, alipay) => {
  expect(tradeStateOf('wechat', status)).toBe(wechat);
  expect(tradeStateOf('alipay', status)).toBe(alipay);
});

test('a subject has no character that a provider refuses', () => {
  expect(subjectOf('策库', '高级VIP · 12个月')).toBe('策库 高级VIP · 12个月');
  expect(subjectOf('a/b=c&d', '<x>\n"y"')).toBe('a b c d x y');
  expect([...subjectOf('策'.repeat(60), 'x')]).toHaveLength(40);
});

test.each([
  [1, '0.01'],
  [10, '0.10'],
  [100, '1.00'],
  [29_800, '298.00'],
  [99_999_999_999, '999999999.99'],
])('%i fen are %s yuan, and back', (fen, yuan) => {
  expect(yuanOf(fen)).toBe(yuan);
  expect(fenOf(yuan)).toBe(fen);
});

test('every amount of a year of membership comes back as it was: nothing is rounded', () => {
  for (let fen = 1; fen <= 100_000; fen += 7) expect(fenOf(yuanOf(fen))).toBe(fen);
});

test.each([
  '298',
  '298.0',
  '298.000',
  '-1.00',
  '+1.00',
  ' 1.00',
  '1.00 ',
  '1,000.00',
  '1e2',
  '.50',
  '0x1.00',
  '1234567890.00',
  '',
  298,
  null,
  undefined,
])('%j is no amount', (text) => {
  expect(fenOf(text)).toBeNull();
});
