import { describe, expect, it } from 'vitest';
import { daysText, lapsedText, saleName, standingText, type Member } from './contract.ts';

const DAY = 86_400;
const NOW = Date.UTC(2026, 10, 22, 4) / 1000;
const dayOf = (at: number) => new Date((at + 8 * 3600) * 1000).toISOString().slice(0, 10);

/** A member whose tiers end in this number of days; 0: never had the tier. */
function member(days: { standard: number; advanced: number }): Member {
  const [unlock, advanced] = [days.standard, days.advanced].map((count) => (count === 0 ? 0 : NOW + count * DAY));
  const textOf = (at = 0) => (at === 0 ? '' : dayOf(at));
  return {
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
    is_vip: days.advanced > 0 ? 2 : days.standard > 0 ? 1 : 0,
    user_type: 1,
    unlock_chart: 0,
    unlock_end_time: unlock ?? 0,
    unlock_end_time_text: textOf(unlock),
    advanced_end_time: advanced ?? 0,
    advanced_end_time_text: textOf(advanced),
    vip_last_day: Math.floor(Math.max(days.standard, days.advanced, 0)),
    vCount: 0,
    today_left: 0,
    today_used: 0,
    month_left: 0,
    month_used: 0,
    read_month_left: 0,
    read_month_used: 0,
    balance: 0,
    roles: [],
  };
}

describe('the text about the remaining time of a membership', () => {
  it.each([
    ['nobody', { standard: 0, advanced: 0 }, '', ''],
    ['standard alone', { standard: 90, advanced: 0 }, '标准会员 2027-02-20 到期', '剩 90 天'],
    ['advanced alone', { standard: 0, advanced: 40 }, '高级会员 2027-01-01 到期', '剩 40 天'],
    ['both', { standard: 99, advanced: 40 }, '高级会员 2027-01-01 到期，之后标准会员 2027-03-01 到期', '共剩 99 天'],
    ['standard that ends first', { standard: 20, advanced: 40 }, '高级会员 2027-01-01 到期', '剩 40 天'],
    ['both at one moment', { standard: 40, advanced: 40 }, '高级会员 2027-01-01 到期', '剩 40 天'],
    // Bought eight minutes after the advanced one: no day is added.
    [
      'standard that ends later on the same day',
      { standard: 40 + 8 / 1_440, advanced: 40 },
      '高级会员 2027-01-01 到期',
      '剩 40 天',
    ],
    ['an advanced one that is over', { standard: 90, advanced: -3 }, '标准会员 2027-02-20 到期', '剩 90 天'],
    ['advanced for life', { standard: 0, advanced: 36_500 }, '高级会员终身有效', '终身'],
    ['advanced for life, standard longer', { standard: 36_590, advanced: 36_500 }, '高级会员终身有效', '终身'],
    ['standard for life', { standard: 36_500, advanced: 40 }, '高级会员 2027-01-01 到期，之后标准会员终身有效', '终身'],
  ])('%s', (_who, days, standing, left) => {
    const one = member(days);
    expect([standingText(one), daysText(one)]).toEqual([standing, left]);
  });
});

describe('the text about a membership that is over', () => {
  it.each([
    ['nobody', { standard: 0, advanced: 0 }, ''],
    ['a member', { standard: 0, advanced: 40 }, ''],
    ['a standard member whose advanced tier ended', { standard: 90, advanced: -3 }, ''],
    ['standard', { standard: -10, advanced: 0 }, '标准会员已于 2026-11-12 到期'],
    ['advanced', { standard: 0, advanced: -1 }, '高级会员已于 2026-11-21 到期'],
    ['both, advanced last', { standard: -10, advanced: -1 }, '高级会员已于 2026-11-21 到期'],
    ['both, standard last', { standard: -1, advanced: -10 }, '标准会员已于 2026-11-21 到期'],
  ])('%s', (_who, days, text) => {
    expect(lapsedText(member(days))).toBe(text);
  });
});

it.each([
  [0, 90, '季度会员'],
  [0, 30, '月卡'],
  [0, 365, '月卡'],
  [1, 366, '年度会员'],
  [1, 90, '月卡'],
  [2, 36_500, '终身会员'],
  [2, 365, '月卡'],
  [3, 365, '月卡'],
])('the plan at place %i that lasts %i days is ordered as %s', (position, days, name) => {
  expect(saleName({ catalogue: 'vip', position, tier: 2, days, description: '月卡' })).toBe(name);
});

it('a plan of the user centre has the name of its tier, a pack that of the price list', () => {
  const item = { position: 0, days: 30, description: '月卡' };
  expect(saleName({ ...item, catalogue: 'items', tier: 1 })).toBe('标准会员');
  expect(saleName({ ...item, catalogue: 'miao', tier: null })).toBe('月卡');
});
