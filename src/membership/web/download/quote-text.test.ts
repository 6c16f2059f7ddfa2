import { describe, expect, it } from 'vitest';
import {
  barText,
  buttonText,
  coinQuestion,
  costTag,
  pricedButtonText,
  quotaNote,
  quoteText,
  type Quote,
} from './quote-text.ts';

const quote = (facts: Partial<Quote>): Quote => ({
  is_vip: 0,
  missing: 0,
  pack: null,
  pack_count: 0,
  vip: null,
  free_at: 0,
  free_at_text: '',
  method: 'coin',
  cost: 12,
  balance: 30,
  balance_after: 18,
  today_left: 0,
  month_left: 0,
  code: 0,
  ...facts,
});

describe('quoteText', () => {
  it.each<[string, Quote | null, number, boolean, [string, string]]>([
    ['a visitor at a price', null, 9999, false, ['9,999 喵币', 'VIP免费下载']],
    ['a visitor at a free one', null, 0, false, ['免费', '']],
    ['one that is theirs', quote({ method: 'owned', cost: 0 }), 12, false, ['已购，可再次下载', '']],
    ['a free one', quote({ method: 'free', cost: 0 }), 0, false, ['免费', '']],
    ['a coupon', quote({ method: 'coupon', cost: 0, today_left: 19 }), 12, true, ['将使用 1 张下载券', '剩 19 张']],
    ['coins', quote({}), 12, false, ['12 喵币', '余额 30']],
    ['too few coins', quote({ method: 'insufficient', balance: 3, code: 31 }), 12, false, ['12 喵币', '余额 3，不足']],
    [
      'a member without coupons',
      quote({ method: 'insufficient', balance: 3, code: 31 }),
      12,
      true,
      ['12 喵币', '余额 3，今日下载券已用完'],
    ],
    [
      'a member at the end of the month',
      quote({ method: 'insufficient', balance: 3, code: 33 }),
      12,
      true,
      ['12 喵币', '余额 3，本月免费下载已用完'],
    ],
  ])('%s', (_, given, price, isMember, [main, note]) => {
    expect(quoteText(given, price, isMember)).toMatchObject({ main, note });
  });

  it.each<[Quote | null, string]>([
    [null, '立即下载'],
    [quote({}), '立即下载'],
    [quote({ method: 'coupon' }), '立即下载'],
    [quote({ method: 'owned', cost: 0 }), '再次下载'],
    [quote({ method: 'insufficient', cost: 1200, balance: 72, code: 31 }), '充值后下载（还差 1,128 喵币）'],
  ])('the button of %j says %s', (given, text) => {
    expect(buttonText(given)).toBe(text);
  });

  it.each<[Quote | null, number, string, string]>([
    [null, 12, '立即下载（12 喵币）', '12 喵币 · VIP 免费'],
    [null, 0, '免费下载', '免费'],
    [quote({}), 12, '立即下载（12 喵币）', '12 喵币 · VIP 免费'],
    [quote({ is_vip: 1 }), 12, '立即下载（12 喵币）', '12 喵币'],
    [quote({ method: 'free', cost: 0 }), 0, '免费下载', '免费'],
    [quote({ method: 'coupon', cost: 0, is_vip: 2 }), 12, '立即下载（用 1 张下载券）', 'VIP 免费'],
    [quote({ method: 'owned', cost: 0 }), 12, '再次下载', '已购'],
    [quote({ method: 'insufficient', balance: 3 }), 12, '充值后下载（还差 9 喵币）', '12 喵币 · VIP 免费'],
  ])('a button alone, and the viewer: %j at %i coins', (given, price, label, tag) => {
    expect([pricedButtonText(given, price), costTag(given, price)]).toEqual([label, tag]);
  });

  it.each<[Quote, number, [string, string]]>([
    [quote({ method: 'insufficient', cost: 1_200, balance: 72, code: 31 }), 1_200, ['1,200 喵币', '还差 1,128']],
    [quote({ method: 'coupon', cost: 0, today_left: 19 }), 12, ['1 张下载券', '剩 19 张']],
    [quote({}), 12, ['12 喵币', '余额 30']],
    [quote({ method: 'owned', cost: 0 }), 12, ['已购，可再次下载', '']],
  ])('in the bar of a phone %j at %i coins is %j', (given, price, [main, note]) => {
    expect(barText(given, quoteText(given, price, false))).toMatchObject({ main, note });
  });

  it('says when a member need not pay coins any more', () => {
    expect(quotaNote(quote({ free_at: 1, free_at_text: '2026-11-23 00:00' }))).toBe('免费下载 11月23日 00:00 恢复');
    expect([quotaNote(quote({})), quotaNote(null)]).toEqual(['', '']);
  });

  it('asks before coins are spent', () => {
    expect(coinQuestion(quote({}))).toBe('将消耗 12 喵币，当前余额 30');
  });
});
