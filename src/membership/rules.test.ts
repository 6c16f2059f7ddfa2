import { describe, expect, it } from 'vitest';
import {
  couponsLeft,
  daysLeft,
  decideDownload,
  extendClocks,
  insufficient,
  isExpected,
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

  it('says why in the words of the upsell dialog', () => {
    const texts = ([0, 1, 2] as const).map((tier) => insufficient({ cost: 5, code: 31 }, standing(tier, 3)).message);
    expect(texts).toEqual([
      '喵币余额不足，请充值，或开通VIP免费下载',
      '今日免费下载额度已用完，请充值喵币',
      '今日免费下载额度已用完，请充值喵币',
    ]);
    const refusal = insufficient({ cost: 5, code: 33 }, standing(1, 3));
    expect(refusal).toMatchObject({
      code: 33,
      message: '您的下载次数已达上限~',
      data: { is_vip: 1, balance: 3, cost: 5 },
    });
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
