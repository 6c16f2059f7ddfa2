import { describe, expect, it } from 'vitest';
import { yuan } from '../../../ui/text/format-text.ts';
import type { PriceItem } from '../../../prices/contract.ts';
import { PREVIEW_PAGES } from '../../../library/limits.ts';
import { FREE_RESULTS } from '../../../search/limits.ts';
import { bonusCoins, comparisonOf, perDay, plansOf } from './plans.ts';

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

  it('names a plan that lasts another time than its column as the price list does', () => {
    const month = item({ desc: '月度会员', tier: 1, days: 30 });
    const plans = plansOf([month, item({ desc: '年度VIP', days: 365 }), item({ desc: '终身VIP', days: 36_500 })]);
    expect(plans.map(({ name }) => name)).toEqual(['普通用户', '月度会员', '年度会员', '终身会员']);
  });

  const SESSIONS = { standard: 5, lifetime: 20 };
  const quarter = item({ tier: 1, days: 90 });
  const year = item({ tier: 2, days: 365 });
  const lifetime = item({ tier: 2, days: 36_500 });

  it.each([
    ['会员等级', ['普通用户', '标准会员', '高级会员', '高级会员']],
    ['有效期', ['永久', '90 天', '365 天', '100 年']],
    ['搜索结果', [`${FREE_RESULTS} 条`, '不限', '不限', '不限']],
    ['方案下载', ['使用喵币', '每天 20 张下载券', '每天 20 张下载券', '每天 20 张下载券']],
    ['每月免费下载', [false, '300 份', '600 份', '600 份']],
    ['阅读全文', [`前 ${PREVIEW_PAGES} 页`, '每月 1,500 份', '每月 3,000 份', '每月 3,000 份']],
    ['图表数据', [false, false, true, true]],
    ['使用范围', ['仅个人', '仅个人', '仅个人', '可共享']],
    ['同时登录', ['5 处', '5 处', '5 处', '20 处']],
    ['每日更新', [true, true, true, true]],
    ['共享社群', [false, true, true, true]],
  ])('says of %s what the tier and the days of each plan give', (name, cells) => {
    const rows = comparisonOf(plansOf([quarter, year, lifetime]), SESSIONS);
    expect(rows.find(({ row }) => row === name)?.cells).toEqual(cells);
  });

  it('promises nothing of a plan that is not on sale, in any row', () => {
    const rows = comparisonOf(plansOf([quarter, year]), SESSIONS);
    expect(rows).toHaveLength(11);
    expect(rows.map(({ cells }) => [cells.length, cells[3]])).toEqual(rows.map(() => [4, false]));
  });

  it('says how long each plan runs, as its item says', () => {
    const plans = plansOf([item({ days: 30 }), item({ days: 365 }), item({ days: 36_500 })]);
    const row = comparisonOf(plans, SESSIONS).find(({ row: name }) => name === '有效期');
    expect(row?.cells).toEqual(['永久', '30 天', '365 天', '100 年']);
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
