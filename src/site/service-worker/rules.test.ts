import { expect, test } from 'vitest';
import { cachesToDelete, handlingOf, mayKeepPage } from './rules.ts';

const ORIGIN = 'https://ceku.test';
const handling = (path: string, mode = 'navigate', method = 'GET') =>
  handlingOf({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN);

test.each([
  ['/index', 'navigate', 'page'],
  ['/report?search_key=a', 'navigate', 'page'],
  ['/detail/9', 'navigate', 'page'],
  ['/user/index', 'navigate', 'page'],
  ['/nope', 'navigate', 'page'],
  ['/assets/entry-a1.js', 'cors', 'asset'],
  ['/assets/root-b2.css', 'no-cors', 'asset'],
  ['/api', 'navigate', 'none'],
  ['/api/doc/search', 'cors', 'none'],
  ['/dl/signed.key', 'navigate', 'none'],
  ['/media/x/p1.webp', 'no-cors', 'none'],
  ['/favicon.svg', 'no-cors', 'none'],
  ['/report.data?page=2', 'cors', 'none'],
  ['https://other.test/index', 'navigate', 'none'],
  ['https://other.test/assets/a.js', 'cors', 'none'],
  ['/apiary', 'navigate', 'page'],
])('%s (%s) is handled as %s', (path, mode, expected) => {
  expect(handling(path, mode)).toBe(expected);
});

test('only reading is handled', () => {
  expect(handling('/report', 'navigate', 'POST')).toBe('none');
  expect(handling('/assets/a.js', 'cors', 'HEAD')).toBe('none');
});

const answer = (change: Partial<{ status: number; type: string; redirected: boolean }> = {}, headers = {}) => ({
  status: 200,
  type: 'basic',
  redirected: false,
  ...change,
  headers: new Headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-cache',
    ...headers,
  }),
});
const mayKeep = (path: string, ...rest: Parameters<typeof answer>) => mayKeepPage(ORIGIN + path, answer(...rest));

test('a page that every visitor gets is kept', () => {
  for (const path of ['/index', '/report?theme_id=3', '/detail/9', '/aboutVip', '/privacy']) {
    expect(mayKeep(path)).toBe(true);
  }
  expect(mayKeep('/index', {}, { 'cache-control': 'public, max-age=60' })).toBe(true);
});

test.each([
  ['a page of a member', '/index', {}, { 'cache-control': 'private, no-store' }],
  ['the same, written otherwise', '/index', {}, { 'cache-control': 'No-Store' }],
  ['a page about the reader', '/user', {}, {}],
  ['one of its pages', '/user/userinfo', {}, {}],
  ['a collection of the reader', '/myCollection', {}, {}],
  ['a shortlist, which may end', '/s/9-abc', {}, {}],
  ['what was searched for', '/report?search_key=%E4%B8%AD%E7%A7%8B', {}, {}],
  ['which charts were searched for', '/chart?keyword=%E5%AE%A2%E6%B5%81&page=2', {}, {}],
  ['who invited', '/detail/9?invite=7', {}, {}],
  ['an error', '/index', { status: 500 }, {}],
  ['what is gone', '/detail/9', { status: 410 }, {}],
  ['a redirect', '/', { type: 'opaqueredirect', status: 0 }, {}],
  ['where a redirect led', '/', { redirected: true }, {}],
  ['what is no page', '/sitemap.xml', {}, { 'content-type': 'application/xml' }],
])('%s is not kept', (_, path, change, headers) => {
  expect(mayKeep(path, change, headers)).toBe(false);
});

test('a new build leaves the assets of the build before, and no pages of it', () => {
  const names = ['ceku-assets-1', 'ceku-pages-1', 'other', 'ceku-assets-2', 'ceku-pages-2', 'ceku-assets-3'];
  expect(cachesToDelete(names, '3')).toEqual(['ceku-assets-1', 'ceku-pages-1', 'ceku-pages-2']);
  expect(cachesToDelete(['ceku-assets-3', 'ceku-pages-3'], '3')).toEqual([]);
  expect(cachesToDelete([], '3')).toEqual([]);
});
