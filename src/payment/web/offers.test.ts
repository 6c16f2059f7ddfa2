import { expect, it } from 'vitest';
import type { Member } from '../../membership/contract.ts';
import type { PriceItem } from '../../prices/contract.ts';
import { defaultOffer, effectOf, offersOf } from './offers.ts';

const NOW = Date.parse('2026-11-23T12:00:00+08:00');
const DAY = 86_400;
const item = (facts: Partial<PriceItem>): PriceItem => ({
  id: 1,
  desc: '',
  price: 98,
  org_price: 149,
  orginal_price: 149,
  kind: 'vip',
  tier: 2,
  days: 90,
  months: 3,
  coins: 0,
  ...facts,
});
const pack = (id: number, price: number, coins: number) => item({ id, kind: 'coin', tier: 0, days: 0, price, coins });
const prices = {
  items: [item({ id: 1, tier: 1, days: 365, price: 198 }), item({ id: 2, days: 365, price: 298 })],
  vip: [item({ id: 3 }), item({ id: 4, days: 365, price: 298 }), item({ id: 5, days: 36_500, price: 998 })],
  miao: [pack(6, 10, 100), pack(7, 30, 330), pack(8, 50, 600)],
  session_limits: { standard: 5, lifetime: 20 },
};
const member = (facts: Partial<Member> = {}): Member => ({
  id: 1,
  uid: 1,
  user_id: 1,
  sid: '',
  token: '',
  openid: '',
  name: '',
  nickname: '',
  avatar: '',
  phone: '',
  has_password: 0,
  is_vip: 0,
  user_type: 1,
  unlock_chart: 0,
  unlock_end_time: 0,
  unlock_end_time_text: '',
  advanced_end_time: 0,
  advanced_end_time_text: '',
  vip_last_day: 0,
  vCount: 0,
  today_left: 0,
  today_used: 0,
  month_left: 0,
  month_used: 0,
  read_month_left: 0,
  read_month_used: 0,
  balance: 30,
  roles: [],
  ...facts,
});
const inDays = (days: number) => NOW / 1_000 + days * DAY;

it('sells the plans of the price list that belong to the dialog, and the same coins in both', () => {
  expect(offersOf(prices, 'vip', 'site').map(({ name, term }) => `${name} ${term}`)).toEqual([
    '季度会员 90 天',
    '年度会员 365 天',
    '终身会员 100 年',
  ]);
  expect(offersOf(prices, 'vip', 'user-centre').map(({ name, term }) => `${name} ${term}`)).toEqual([
    '标准会员 365 天',
    '高级会员 365 天',
  ]);
  expect(offersOf(prices, 'coin', 'site')).toEqual(offersOf(prices, 'coin', 'user-centre'));
});

it.each([
  ['the second membership', 'vip', {}, 2],
  ['the item that was named', 'vip', { itemId: 1 }, 1],
  ['an item that is off sale', 'vip', { itemId: 99 }, 2],
  ['the smallest pack', 'coin', {}, 6],
  ['the pack that covers what is missing', 'coin', { missingCoins: 120 }, 7],
  ['the largest pack where none covers it', 'coin', { missingCoins: 5_000 }, 8],
] as const)('chooses %s', (_what, kind, wanted, id) => {
  expect(defaultOffer(offersOf(prices, kind, 'user-centre'), kind, { kind, ...wanted })?.item.id).toBe(id);
});

it('chooses nothing when nothing is on sale', () => {
  expect(defaultOffer([], 'vip', { kind: 'vip' })).toBeNull();
  expect(defaultOffer([], 'coin', { kind: 'coin', missingCoins: 3 })).toBeNull();
});

const standard = member({
  is_vip: 1,
  unlock_end_time: inDays(10),
  unlock_end_time_text: '2026-12-03',
  vip_last_day: 10,
});
const advanced = member({
  is_vip: 2,
  advanced_end_time: inDays(100),
  advanced_end_time_text: '2027-03-03',
  vip_last_day: 100,
});

it.each([
  ['a first membership', member(), item({}), '开通', '非会员', '高级会员 2027-02-21 到期'],
  ['a renewal', advanced, item({}), '续费', '高级会员 2027-03-03 到期', '高级会员 2027-06-01 到期'],
  [
    'an upgrade, which moves the rest of the standard tier behind the advanced one',
    standard,
    item({}),
    '升级',
    '标准会员 2026-12-03 到期',
    '高级会员 2027-02-21 到期，之后标准会员 2027-03-03 到期',
  ],
  ['coins', member(), pack(6, 10, 1_000), '充值', '余额 30 喵币', '余额 1,030 喵币'],
] as const)('says what one has and will have: %s', (_what, who, bought, verb, before, then) => {
  expect(effectOf(bought, who, NOW)).toEqual({ verb, before, after: then, warning: '', isUseless: false });
});

it('sells nothing that changes nothing', () => {
  expect(effectOf(item({ tier: 1, days: 30 }), advanced, NOW)).toMatchObject({ isUseless: true, verb: '续费' });
  // As long as what was bought minutes ago: the standard tier would end minutes later, on the same day.
  expect(effectOf(item({ tier: 1, days: 100 }), advanced, NOW + 8 * 60_000)).toMatchObject({ isUseless: true });
  const forLife = member({
    is_vip: 2,
    advanced_end_time: inDays(36_500),
    advanced_end_time_text: '2126-10-30',
    vip_last_day: 36_500,
  });
  expect(effectOf(item({}), forLife, NOW)).toMatchObject({ isUseless: true, warning: '您已是终身会员，无需再购买' });
  expect(effectOf(pack(6, 10, 100), forLife, NOW).isUseless).toBe(false);
  const standardForLife = { unlock_end_time: inDays(36_500), unlock_end_time_text: '2126-10-30', vip_last_day: 36_500 };
  const standardPlan = item({ tier: 1, days: 365 });
  for (const who of [member({ ...standardForLife, is_vip: 1 }), { ...advanced, ...standardForLife }]) {
    expect(effectOf(standardPlan, who, NOW)).toMatchObject({
      isUseless: true,
      warning: '您已是终身标准会员，无需再购买',
    });
    expect(effectOf(item({}), who, NOW)).toMatchObject({ isUseless: false, warning: '' });
  }
});
