import { describe, expect, it } from 'vitest';
import { PREVIEW_PAGES } from '../../../library/limits.ts';
import { FREE_RESULTS } from '../../../search/limits.ts';
import type { Member } from '../../contract.ts';
import { quotasOf, type Tier } from '../../rules.ts';
import { metersOf, ORDINARY_RIGHTS } from './meters.ts';

/** Returns a member as the meters read it, with quotas as the server counts them. */
function member(tier: Tier, todayUsed: number, monthUsed: number, readsUsed: number): Member {
  const { today, month, reads } = quotasOf({ tier, balance: 0, todayUsed, monthUsed, reads: readsUsed });
  const read = {
    is_vip: tier,
    today_used: today.used,
    today_left: today.left,
    month_used: month.used,
    month_left: month.left,
    read_month_used: reads.used,
    read_month_left: reads.left,
  };
  // Safe: the meters read no other field.
  return read as Member;
}

const textsOf = (one: Member) =>
  metersOf(one).map(({ name, used, limit, unit, note }) => `${name} ${used}/${limit} ${unit}：${note}`);

describe('the meters', () => {
  const NEXT_MONTH = '本月已用完，下月 1 日恢复';
  it.each([
    ['an ordinary user', member(0, 0, 0, 0), []],
    ['an expired member', member(0, 7, 133, 12), []],
    [
      'a standard member',
      member(1, 7, 133, 12),
      ['今日下载券 7/20 张：剩 13 张', '本月免费下载 133/300 份：剩 167 份', '本月阅读 12/1500 份：剩 1,488 份'],
    ],
    [
      'an advanced member',
      member(2, 7, 133, 12),
      ['今日下载券 7/20 张：剩 13 张', '本月免费下载 133/600 份：剩 467 份', '本月阅读 12/3000 份：剩 2,988 份'],
    ],
    [
      'the day used up',
      member(2, 20, 133, 0),
      [
        '今日下载券 20/20 张：今日已用完，明日 0 点恢复',
        '本月免费下载 133/600 份：剩 467 份',
        '本月阅读 0/3000 份：剩 3,000 份',
      ],
    ],
    [
      'less left of the month than of the day',
      member(1, 3, 295, 0),
      ['今日下载券 3/20 张：剩 5 张', '本月免费下载 295/300 份：剩 5 份', '本月阅读 0/1500 份：剩 1,500 份'],
    ],
    [
      'the month and the reads used up',
      member(1, 3, 300, 1_500),
      [
        `今日下载券 3/20 张：${NEXT_MONTH}`,
        `本月免费下载 300/300 份：${NEXT_MONTH}`,
        `本月阅读 1500/1500 份：${NEXT_MONTH}`,
      ],
    ],
    [
      'standard after the advanced tier ended',
      member(1, 3, 450, 2_000),
      [
        `今日下载券 3/20 张：${NEXT_MONTH}`,
        `本月免费下载 450/300 份：${NEXT_MONTH}`,
        `本月阅读 2000/1500 份：${NEXT_MONTH}`,
      ],
    ],
  ])('of %s', (_who, one, texts) => {
    expect(textsOf(one)).toEqual(texts);
  });

  it('are full exactly when nothing is left', () => {
    expect(metersOf(member(1, 3, 300, 12)).map(({ isUsedUp }) => isUsedUp)).toEqual([true, true, false]);
  });
});

it('tells ordinary users what search and reading give them', () => {
  expect(ORDINARY_RIGHTS.map(({ right }) => right)).toEqual([
    `每次前 ${FREE_RESULTS} 条`,
    `每份前 ${PREVIEW_PAGES} 页`,
    '使用喵币',
  ]);
});
