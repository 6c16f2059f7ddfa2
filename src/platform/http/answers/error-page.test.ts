import { expect, it } from 'vitest';
import { errorPage, serveErrorPage } from './error-page.ts';

it.each([429, 500, 503])('%i offers to open the same address again, since a later try may succeed', (status) => {
  expect(errorPage(status, '').body).toContain('<a href="">重试</a>');
});

it.each([403, 404, 405, 410, 416, 431])(
  '%i leads to the home page alone: another try would be refused as well',
  (status) => {
    const { body } = errorPage(status, '');
    expect(body).not.toContain('重试');
    expect(body).toContain('<a href="/index">返回首页</a>');
  },
);

it('needs no other file: all it shows is within the page, and its policy lets nothing be fetched', () => {
  const { body, headers } = errorPage(503, 'id-1');
  expect(body).toContain('请求编号 id-1');
  expect(body).not.toMatch(/<(?:img|link|script)\b|url\(/);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

it('says when to ask again while the site is away, and puts the words of a caller in place of its own', async () => {
  const response = serveErrorPage(503, '', '访问的人太多，请稍后再试。');
  expect(response.headers.get('retry-after')).toBe('5');
  const text = await response.text();
  expect(text).toContain('访问的人太多');
  expect(text).not.toContain('您的账户没有任何扣费');
  expect(serveErrorPage(404, '').headers.get('retry-after')).toBeNull();
});
