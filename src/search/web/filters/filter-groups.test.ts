import { expect, test } from 'vitest';
import { activeFilters, filterGroups, sortsOf } from './filter-groups.ts';
import { reportHref, DEFAULT_QUERY } from './report-query.ts';

const answer = {
  themes: [
    { id: 3, name: '节日营销', count: 12 },
    { id: 4, name: '快闪路演', count: 0 },
  ],
  facets: {
    file_types: [{ id: 2, name: 'PDF', count: 5 }],
    industries: [{ id: 9, name: '餐饮', count: 7 }],
    years: [{ year: 2025, count: 4 }],
    recent: [{ id: 3, count: 2 }],
    pages: [{ id: 1, count: 6 }],
    free: 3,
    budgets: [{ id: 2, count: 5 }],
    people: [],
    days: [],
  },
};

test('offers what would leave something, with its number', () => {
  const offered = filterGroups(DEFAULT_QUERY, answer).map(({ label, choices }) => [
    label,
    choices.map((c) => [c.name, c.count]),
  ]);
  expect(offered).toEqual([
    ['活动类型', [['节日营销', 12]]],
    ['行业', [['餐饮', 7]]],
    ['格式', [['PDF', 5]]],
    [
      '时间',
      [
        ['近 30 天', 2],
        ['2025 年', 4],
      ],
    ],
    ['页数', [['20 页以内', 6]]],
    ['预算', [['5–20 万', 5]]],
    ['价格', [['免费', 3]]],
  ]);
});

test('offers a sort by a fact only where a plan of the list states the fact, or the list is sorted so already', () => {
  const sorts = (query = DEFAULT_QUERY) => sortsOf(query, filterGroups(query, answer));
  expect(sorts()).toEqual(['relevance', 'newest', 'hottest', 'pages', 'budget']);
  expect(sorts({ ...DEFAULT_QUERY, sort: 'people' })).toContain('people');
  expect(sorts({ ...DEFAULT_QUERY, days: 2 })).toContain('days');
});

test('never takes away what is chosen, also when it leaves nothing', () => {
  const query = {
    ...DEFAULT_QUERY,
    themeId: 4,
    filetype: 1 as const,
    pubdate: 2019,
    pages: 4,
    isFree: true,
    industryId: 77,
    people: 3,
    days: 2,
  };
  const groups = filterGroups(query, answer);
  expect(groups.map(({ current }) => current?.name)).toEqual([
    '快闪路演',
    undefined,
    'PPT',
    '2019 年',
    '100 页以上',
    undefined,
    '201–500 人',
    '2–3 天',
    '免费',
  ]);
  const chosen = activeFilters(query, groups);
  expect(chosen.map(({ name }) => name)).toEqual([
    '快闪路演',
    '其他行业',
    'PPT',
    '2019 年',
    '100 页以上',
    '201–500 人',
    '2–3 天',
    '免费',
  ]);
  expect(reportHref(query, chosen[0]?.clear)).toBe(
    '/report?industry_id=77&filetype=1&pubdate=2019&pages=4&free=1&people=3&days=2',
  );
  expect(reportHref(query, chosen[7]?.clear)).toBe(
    '/report?theme_id=4&industry_id=77&filetype=1&pubdate=2019&pages=4&people=3&days=2',
  );
});

test('a choice changes its own filter and goes back to page 1', () => {
  const query = { ...DEFAULT_QUERY, searchKey: '中秋', sort: 'newest' as const, page: 5 };
  const changes = filterGroups(query, answer).flatMap(({ choices }) =>
    choices.map(({ change }) => reportHref(query, change)),
  );
  const start = '/report?search_key=%E4%B8%AD%E7%A7%8B&';
  expect(changes).toEqual(
    ['theme_id=3', 'industry_id=9', 'filetype=2', 'pubdate=3', 'pubdate=2025', 'pages=1', 'budget=2', 'free=1'].map(
      (change) => `${start}${change}&sort=newest`,
    ),
  );
});
