import { describe, expect, it } from 'vitest';
import type { PriceItem } from '../../payment/contract.ts';
import { bonusCoins, comparisonOf, perDay, plansOf, yuan } from './plans.ts';

const item = (facts: Partial<PriceItem>): PriceItem => ({
  id: 1,
  desc: '',
  price: 0,
  org_price: 0,
  orginal_price: 0,
  kind: 'vip',
  tier: 2,
  days: 0,
  months: 0,
  coins: 0,
  ...facts,
});

describe('plans', () => {
  it('keeps four columns even when nothing is on sale, and recommends the yearly one', () => {
    expect(plansOf([]).map((plan) => [plan.name, plan.item])).toEqual([
      ['普通用户', null],
      ['季度会员', null],
      ['年度会员', null],
      ['终身会员', null],
    ]);
    expect(
      plansOf([])
        .filter((plan) => plan.isRecommended)
        .map((plan) => plan.key),
    ).toEqual(['year']);
  });

  it('names the monthly allowance of the tier each plan sells', () => {
    const plans = plansOf([item({ tier: 1 }), item({ tier: 2 })]);
    const row = comparisonOf(plans).find(({ row: name }) => name === '每月上限');
    expect(row?.cells).toEqual([false, '300 份', '600 份', false]);
    const tiers = comparisonOf(plans).find(({ row: name }) => name === '会员等级');
    expect(tiers?.cells).toEqual(['普通用户', '标准会员', '高级会员', false]);
    expect(comparisonOf(plans).every(({ cells }) => cells.length === plans.length)).toBe(true);
  });

  it.each([
    [98, '98'],
    [1998, '1,998'],
    [98.5, '98.50'],
  ])('writes %d yuan as %s', (price, text) => expect(yuan(price)).toBe(text));

  it('says what a plan costs a day, but not for life', () => {
    expect(perDay(item({ price: 298, days: 365 }))).toBe('0.82');
    expect(perDay(item({ price: 998, days: 36_500 }))).toBeNull();
    expect(perDay(item({ price: 10, days: 0 }))).toBeNull();
  });

  it('counts the coins a pack gives on top', () => {
    const packs = [item({ price: 10, coins: 100 }), item({ price: 30, coins: 330 })];
    expect(packs.map((pack) => bonusCoins(pack, packs))).toEqual([0, 30]);
    expect(bonusCoins(item({ price: 5, coins: 10 }), packs)).toBe(0);
    expect(bonusCoins(item({}), [])).toBe(0);
  });
});
