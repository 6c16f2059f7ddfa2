import { expect, test } from 'vitest';
import {
  DEFAULT_QUERY,
  NO_FILTERS,
  readReportQuery,
  REPORT_PARAMETERS,
  reportHref,
  searchInput,
} from './report-query.ts';

const read = (query: string) => readReportQuery(new URLSearchParams(query));

/** Every parameter of /report, each with another value than the one it has when it is left out. */
const ALL =
  'search_key=a&theme_id=3&industry_id=7&filetype=2&pubdate=2025&pages=4&free=1&budget=2&people=3&days=4&sort=pages&exact=1&page=2';

test('the test knows every parameter', () => {
  expect(Object.keys(read(ALL))).toEqual(Object.keys(DEFAULT_QUERY));
  expect(Object.entries(read(ALL)).filter(([key, value]) => value === Reflect.get(DEFAULT_QUERY, key))).toEqual([]);
});

test.each([
  ['', '/report'],
  ['search_key=&page=1&filetype=0', '/report'],
  ['search_key=%20%E9%A4%90%E9%A5%AE%20', '/report?search_key=%E9%A4%90%E9%A5%AE'],
  ['theme_id=3&filetype=2&page=4', '/report?theme_id=3&filetype=2&page=4'],
  ['themeid=3', '/report?theme_id=3'],
  ['filetype=9&page=0&theme_id=-1', '/report'],
  ['search_key=xhs&exact=1&page=2', '/report?search_key=xhs&exact=1&page=2'],
  ['exact=1', '/report'],
  ['industryid=7&pubdate=3&pages=2&free=1&sort=newest', '/report?industry_id=7&pubdate=3&pages=2&free=1&sort=newest'],
  ['pubdate=2025&sort=relevance', '/report?pubdate=2025'],
  ['pubdate=4&pages=5&free=2&sort=best&industry_id=x', '/report'],
  ['budget=3&people=5&days=5&sort=budget', '/report?budget=3&people=5&days=5&sort=budget'],
  ['budget=6&people=-2&days=6&sort=people', '/report?sort=people'],
  ['sort=days', '/report?sort=days'],
  ['pubdate=1989&pages=-1&free=true&sort=', '/report'],
])('?%s is read and written back as %s', (query, href) => {
  const parsed = read(query);
  expect(reportHref(parsed, { page: parsed.page })).toBe(href);
});

test('a changed filter starts at the first page and keeps the rest', () => {
  expect(reportHref(read('search_key=a&theme_id=3&page=4'), { filetype: 1 })).toBe(
    '/report?search_key=a&theme_id=3&filetype=1',
  );
});

test('every control is kept by every other', () => {
  const kept = new URLSearchParams(new URL(reportHref(read(ALL), { filetype: 1 }), 'http://x').search);
  expect(kept.toString()).toBe(ALL.replace('filetype=2', 'filetype=1').replace('&page=2', ''));
  expect(reportHref(read(ALL), NO_FILTERS)).toBe('/report?search_key=a&sort=pages&exact=1');
});

test('to the letter lasts while the filters change, and ends with other letters', () => {
  expect(reportHref(read('search_key=xhs&exact=1'), { filetype: 1 })).toBe('/report?search_key=xhs&filetype=1&exact=1');
  expect(reportHref(read('search_key=xhs&exact=1'), { searchKey: 'a' })).toBe('/report?search_key=a');
});

test('a keyword is cut at fifty characters, whole ones', () => {
  expect([...read(`search_key=${'😀'.repeat(60)}`).searchKey]).toHaveLength(50);
});

test('the filters are all that NO_FILTERS takes back', () => {
  expect(Object.keys(NO_FILTERS)).toEqual([
    'themeId',
    'industryId',
    'filetype',
    'pubdate',
    'pages',
    'isFree',
    'budget',
    'people',
    'days',
  ]);
});

test('the address names only parameters that are read, and search is asked for all of them', () => {
  const all = read(ALL);
  const named = [...new URL(reportHref(all, { page: all.page }), 'http://x').searchParams.keys()];
  expect(named.filter((name) => !REPORT_PARAMETERS.includes(name))).toEqual([]);
  expect(Object.keys(searchInput(all)).toSorted()).toEqual(named.toSorted());
});
