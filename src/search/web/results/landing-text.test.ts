import { expect, it } from 'vitest';
import type { FilterGroup } from '../filters/filter-groups.ts';
import { DEFAULT_QUERY } from '../filters/report-query.ts';
import { landingText } from './landing-text.ts';

const group = (key: FilterGroup['key'], current: number, names: [number, string, number][]): FilterGroup => {
  const choices = names.map(([id, name, count]) => ({ key: id, name, count, change: {}, isCurrent: id === current }));
  return { key, label: '', choices, current: choices.find(({ isCurrent }) => isCurrent) ?? null, clear: {} };
};
const groups = [
  group('themeId', 3, [
    [3, '节日营销', 1_200],
    [4, '新品发布', 40],
  ]),
  group('industryId', 0, [
    [1, '餐饮', 12],
    [2, '电商', 30],
  ]),
  group('filetype', 0, [
    [1, 'PPT', 1_000],
    [2, 'PDF', 200],
  ]),
  group('isFree', 0, [[1, '免费', 8]]),
];

it('tells of a theme what is known of its plans', () => {
  expect(landingText({ ...DEFAULT_QUERY, themeId: 3 }, groups, 750)).toBe(
    '节日营销方案共 1,200 份，其中 PPT 1,000 份、PDF 200 份；常见的行业有电商、餐饮；8 份可免费下载。每份都有封面、目录和正文摘录，登录后可预览前 10 页。',
  );
});

it('tells nothing of a search, of two filters, of a later page, and of nothing', () => {
  const theme = { ...DEFAULT_QUERY, themeId: 3 };
  for (const query of [
    DEFAULT_QUERY,
    { ...theme, searchKey: '中秋' },
    { ...theme, industryId: 1 },
    { ...theme, page: 2 },
  ])
    expect(landingText(query, groups, 750)).toBe('');
  expect(landingText(theme, groups, 0)).toBe('');
});
