import { expect, test } from 'vitest';
import { homeHref, readHomeQuery } from './home-query.ts';

test.each([
  ['', '/index'],
  ['theme_id=3', '/index?theme_id=3'],
  ['page=2&theme_id=3', '/index?theme_id=3&page=2'],
  ['page=-1&theme_id=abc', '/index'],
  ['page=1.5', '/index'],
])('?%s is read and written back as %s', (query, href) => {
  expect(homeHref(readHomeQuery(new URLSearchParams(query)))).toBe(href);
});
