import { describe, expect, it } from 'vitest';
import {
  couponsLeft,
  daysLeft,
  decideDownload,
  extendClocks,
  isChartTier,
  isExpected,
  quotasOf,
  tierAt,
  type Clocks,
  type Standing,
} from './rules.ts';

const NOW = Date.UTC(2026, 10, 20, 4);
const DAY = 86_400_000;
/** Clocks in days from now; null for never. */
const clocks = (standard: number | null, advanced: number | null): Clocks => ({
  standardEndAt: standard === null ? null : new Date(NOW + standard * DAY),
  advancedEndAt: advanced === null ? null : new Date(NOW + advanced * DAY),
});

it.each([
  [null, null, 0, 0],
  [1, null, 1, 1],
  [null, 1, 2, 1],
  [10, 1, 2, 10],
  [10, -1, 1, 10],
  [-1, -1, 0, 0],
  [0, 0, 0, 0],
  [0.5, null, 1, 1],
  [null, 36_500, 2, 36_500],
])('ends in %s and %s days: tier %i, %i days left', (standard, advanced, tier, days) => {
  expect(tierAt(clocks(standard, advanced), NOW)).toBe(tier);
  expect(daysLeft(clocks(standard, advanced), NOW)).toBe(days);
});

it.each([
  ['standard, first', clocks(null, null), 1, clocks(365, null)],
  ['standard, running', clocks(10, null), 1, clocks(375, null)],
  ['standard, ended', clocks(-10, null), 1, clocks(365, null)],
  ['advanced, first', clocks(null, null), 2, clocks(null, 365)],
  ['advanced, running', clocks(null, 10), 2, clocks(null, 375)],
  ['advanced while standard runs', clocks(10, null), 2, clocks(375, 365)],
  ['advanced after standard ended', clocks(-10, null), 2, clocks(-10, 365)],
  ['standard while advanced runs', clocks(null, 10), 1, clocks(365, 10)],
] as const)('365 days of %s', (_name, before, tier, after) => {
  expect(extendClocks(before, tier, 365, NOW)).toEqual(after);
});

describe('decideDownload', () => {
  const standing = (tier: Standing['tier'], balance: number, todayUsed = 0, monthUsed = todayUsed): Standing => ({
    tier,
    balance,
    todayUsed,
    monthUsed,
  });
  const paid = { isOwned: false, priceCoins: 5 };

  it.each([
    ['owned, poor', { isOwned: true, priceCoins: 5 }, standing(0, 0), { method: 'owned', cost: 0 }],
    ['free of charge', { isOwned: false, priceCoins: 0 }, standing(0, 0), { method: 'free', cost: 0 }],
    ['free of charge, member', { isOwned: false, priceCoins: 0 }, standing(2, 9), { method: 'free', cost: 0 }],
    ['member', paid, standing(1, 100), { method: 'coupon', cost: 0 }],
    ['member, 20th today', paid, standing(1, 100, 19), { method: 'coupon', cost: 0 }],
    ['member, 21st today', paid, standing(1, 100, 20), { method: 'coin', cost: 5 }],
    ['member, 21st today, poor', paid, standing(1, 4, 20), { method: 'insufficient', cost: 5, code: 31 }],
    ['standard, 300th of the month', paid, standing(1, 0, 3, 299), { method: 'coupon', cost: 0 }],
    ['standard, 301st of the month', paid, standing(1, 5, 3, 300), { method: 'coin', cost: 5 }],
    ['standard, 301st, poor', paid, standing(1, 0, 3, 300), { method: 'insufficient', cost: 5, code: 33 }],
    ['advanced, 301st of the month', paid, standing(2, 0, 3, 300), { method: 'coupon', cost: 0 }],
    ['advanced, 601st, poor', paid, standing(2, 0, 3, 600), { method: 'insufficient', cost: 5, code: 33 }],
    ['day and month used up, poor', paid, standing(1, 0, 20, 300), { method: 'insufficient', cost: 5, code: 33 }],
    ['ended membership', paid, standing(0, 0, 3, 300), { method: 'insufficient', cost: 5, code: 31 }],
    ['ordinary, enough', paid, standing(0, 5), { method: 'coin', cost: 5 }],
    ['ordinary, one short', paid, standing(0, 4), { method: 'insufficient', cost: 5, code: 31 }],
  ])('%s', (_name, document, facts, decision) => {
    expect(decideDownload(document, facts)).toEqual(decision);
  });

  it('shows no more coupons than the month allows', () => {
    expect(couponsLeft(standing(1, 0, 3, 298))).toBe(2);
    expect(couponsLeft(standing(2, 0, 3, 298))).toBe(17);
    expect(couponsLeft(standing(0, 0, 0, 0))).toBe(0);
  });
});

describe('quotasOf', () => {
  const used = (tier: Standing['tier'], todayUsed: number, monthUsed: number, reads: number) =>
    quotasOf({ tier, balance: 0, todayUsed, monthUsed, reads });

  it.each([
    ['nobody', used(0, 0, 0, 0), [0, 0], [0, 0], [0, 0]],
    ['a new standard member', used(1, 0, 0, 0), [0, 20], [0, 300], [0, 1_500]],
    ['a standard member', used(1, 7, 133, 12), [7, 13], [133, 167], [12, 1_488]],
    ['an advanced member', used(2, 7, 133, 12), [7, 13], [133, 467], [12, 2_988]],
    ['the day used up', used(2, 20, 133, 12), [20, 0], [133, 467], [12, 2_988]],
    ['the month leaves fewer than the day', used(1, 3, 295, 12), [3, 5], [295, 5], [12, 1_488]],
    ['the month used up', used(1, 3, 300, 12), [3, 0], [300, 0], [12, 1_488]],
    ['the reads used up', used(1, 0, 0, 1_500), [0, 20], [0, 300], [1_500, 0]],
    ['standard after an advanced tier ended', used(1, 5, 450, 2_000), [5, 0], [450, 0], [2_000, 0]],
    ['advanced again', used(2, 5, 450, 2_000), [5, 15], [450, 150], [2_000, 1_000]],
    ['an ended membership', used(0, 5, 450, 2_000), [5, 0], [450, 0], [2_000, 0]],
  ])('%s', (_who, quotas, today, month, reads) => {
    const pairs = [quotas.today, quotas.month, quotas.reads].map(({ used: count, left }) => [count, left]);
    expect(pairs).toEqual([today, month, reads]);
  });

  it('leaves a coupon exactly when the next download takes one', () => {
    for (const tier of [0, 1, 2] as const)
      for (const todayUsed of [0, 1, 19, 20])
        for (const monthUsed of [20, 299, 300, 301, 599, 600]) {
          const standing = { tier, balance: 0, todayUsed, monthUsed, reads: 0 };
          const { method } = decideDownload({ isOwned: false, priceCoins: 5 }, standing);
          expect(quotasOf(standing).today.left > 0, JSON.stringify(standing)).toBe(method === 'coupon');
        }
  });
});

it.each([
  [undefined, true],
  [{ method: 'coin', cost: 5 }, true],
  [{ method: 'coin', cost: 4 }, false],
  [{ method: 'coupon', cost: 0 }, false],
])('expecting %j agrees to 5 coins: %s', (expected, isAgreed) => {
  expect(isExpected({ method: 'coin', cost: 5 }, expected)).toBe(isAgreed);
  expect(isExpected({ method: 'owned', cost: 0 }, expected)).toBe(true);
});

it('a coupon is not spent by who agreed to a free download: both cost 0', () => {
  expect(isExpected({ method: 'coupon', cost: 0 }, { method: 'free', cost: 0 })).toBe(false);
});

it('the advanced tier alone gives the numbers', () => {
  expect(([0, 1, 2] as const).map(isChartTier)).toEqual([false, false, true]);
});
