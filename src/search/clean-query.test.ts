import { expect, it } from 'vitest';
import { cleanQuery } from './clean-query.ts';

it.each([
  ['中 秋 活 动', '中秋活动'],
  ['年　会', '年会'],
  ['咖 啡 快闪店', '咖啡 快闪店'],
  ['快闪店 咖 啡', '快闪店 咖啡'],
  ['茶饮 快闪', '茶饮 快闪'],
  ['茶 快闪店', '茶 快闪店'],
  ['中秋 a b', '中秋 a b'],
])('%j is read as %j', (typed, key) => expect(cleanQuery(typed)).toBe(key));

it('joins characters before it counts them', () => {
  expect(cleanQuery([...'中秋'.repeat(25)].join(' '))).toBe('中秋'.repeat(25));
});
