import { expect, test } from 'vitest';
import { nearestTheme } from './nearest-theme.ts';

const THEMES = [{ name: '新品发布' }, { name: '节日营销' }];

test.each(['端午', '商场端午活动方案', '圣诞', '618', '母亲节'])('%s is near other festivals', (searchKey) => {
  expect(nearestTheme(searchKey, THEMES)?.name).toBe('节日营销');
});

test.each(['奠基', '节能', '综艺节目', ''])('%s is near nothing', (searchKey) => {
  expect(nearestTheme(searchKey, THEMES)).toBe(null);
});

test('a library without such a theme offers none', () => {
  expect(nearestTheme('端午', [{ name: '新品发布' }])).toBe(null);
});
