import { expect, test } from 'vitest';
import { readReportQuery, reportHref } from './report-query.ts';

const read = (query: string) => readReportQuery(new URLSearchParams(query));

test.each([
  ['', '/report'],
  ['search_key=&page=1&filetype=0', '/report'],
  ['search_key=%20%E9%A4%90%E9%A5%AE%20', '/report?search_key=%E9%A4%90%E9%A5%AE'],
  ['theme_id=3&filetype=2&page=4', '/report?theme_id=3&filetype=2&page=4'],
  ['themeid=3', '/report?theme_id=3'],
  ['filetype=9&page=0&theme_id=-1', '/report'],
  ['search_key=xhs&exact=1&page=2', '/report?search_key=xhs&exact=1&page=2'],
  ['exact=1', '/report'],
])('?%s is read and written back as %s', (query, href) => {
  const parsed = read(query);
  expect(reportHref(parsed, { page: parsed.page })).toBe(href);
});

test('a changed filter starts at the first page and keeps the rest', () => {
  expect(reportHref(read('search_key=a&theme_id=3&page=4'), { filetype: 1 })).toBe(
    '/report?search_key=a&theme_id=3&filetype=1',
  );
});

test('to the letter lasts while the filters change, and ends with other letters', () => {
  expect(reportHref(read('search_key=xhs&exact=1'), { filetype: 1 })).toBe('/report?search_key=xhs&filetype=1&exact=1');
  expect(reportHref(read('search_key=xhs&exact=1'), { searchKey: 'a' })).toBe('/report?search_key=a');
});

test('a keyword is cut at fifty characters, whole ones', () => {
  expect([...read(`search_key=${'😀'.repeat(60)}`).searchKey]).toHaveLength(50);
});
