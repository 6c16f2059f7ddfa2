import { expect, it } from 'vitest';
import { isPagePath, keptPageOf } from './kept-pages.ts';
import { REPORT_PARAMETERS } from './search/web/filters/report-query.ts';

const kept = (path: string) => keptPageOf(new URL(path, 'http://127.0.0.1'), () => false)?.url.pathname ?? null;

it.each([
  '/assets/root-abc.css',
  '/media/key/cover.webp',
  '/media/key/share.jpg',
  '/api/doc/poster?fid=9',
  '/api',
  '/dl/token',
  '/livez',
  '/readyz',
  '/favicon.ico',
  '/sw.js',
  '/index.data',
])('%s is asked of its own route before a kept page may answer it', (path) => expect(isPagePath(path)).toBe(false));

it.each(['/index', '/detail/9', '/a.b/c', '/nix'])('%s can be a page alone', (path) =>
  expect(isPagePath(path)).toBe(true),
);

it('one kept 404 page answers every address that no page has', () => {
  expect(kept('/nix')).toBe('/not-found');
  expect(kept('/a/b/c')).toBe('/not-found');
  expect(kept('/wp-login.php')).toBe('/not-found');
  expect(kept('/index.data')).toBeNull();
});

it('keeps a page under its address without `invite`', () => {
  expect(keptPageOf(new URL('http://127.0.0.1/detail/9?invite=3'), () => true)?.url.search).toBe('');
  expect(keptPageOf(new URL('http://127.0.0.1/report?made_up=1'), () => true)).toBeNull();
});

it.each(['/collection', '/collection?page=2', '/collection/detail?id=7', '/collection/detail?id=7&page=2'])(
  'keeps %s',
  (path) => {
    expect(keptPageOf(new URL(path, 'http://127.0.0.1'), () => true)?.url.href).toBe(`http://127.0.0.1${path}`);
  },
);

it.each(['/collection?id=7', '/collection/detail?id=7&made_up=1'])('keeps nothing of %s', (path) => {
  expect(keptPageOf(new URL(path, 'http://127.0.0.1'), () => true)).toBeNull();
});

it.each(REPORT_PARAMETERS)('/report is kept under its parameter %s', (name) => {
  const kept = keptPageOf(new URL(`http://127.0.0.1/report?${name}=1`), () => true);
  expect(kept?.url.search).toBe(`?${name}=1`);
});
