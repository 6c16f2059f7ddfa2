import { expect, it } from 'vitest';
import { cleanQuery } from './clean-query.ts';
import { createdWithin, visibleCount } from './rules.ts';

const NOW = Date.parse('2026-11-20T12:00:00+08:00');

it.each([
  ['  中秋 \n 活动 ', '中秋 活动'],
  ['\u0000\u3000', ''],
  ['签\u200b到\ufeff', '签到'],
  ['年\u0000会\u202e', '年会'],
  ['字'.repeat(10_000), '字'.repeat(50)],
  ['😀'.repeat(60), '😀'.repeat(50)],
])('cleans %j', (typed, cleaned) => expect(cleanQuery(typed)).toBe(cleaned));

it.each([
  [0, null],
  [1, { since: new Date(NOW - 3 * 86_400_000) }],
  [2, { since: new Date(NOW - 7 * 86_400_000) }],
  [3, { since: new Date(NOW - 30 * 86_400_000) }],
  [4, null],
  [2024, { year: 2024 }],
  [2099, { year: 2099 }],
  [1989, null],
  [2101, null],
  [1_000_000_000, null],
])('pubdate %i', (pubdate, within) => expect(createdWithin(pubdate, NOW)).toEqual(within));

it('shows ten below membership', () => {
  expect(visibleCount(40, false)).toBe(10);
  expect(visibleCount(4, false)).toBe(4);
  expect(visibleCount(40, true)).toBe(40);
});
