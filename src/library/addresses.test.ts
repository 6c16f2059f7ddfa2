import { expect, it } from 'vitest';
import { detailPath, titleWithLink } from './addresses.ts';

it.each([
  [{}, '/detail/9'],
  [{ page: 12 }, '/detail/9#p=12'],
  [{ inviter: 7 }, '/detail/9?invite=7'],
  [{ page: 12, inviter: 7 }, '/detail/9?invite=7#p=12'],
])('%j is %s', (of, path) => {
  expect(detailPath(9, of)).toBe(path);
});

it('is one line for any title', () => {
  expect(titleWithLink(' 中秋\n方案 ', 'https://a/detail/9')).toBe('《中秋 方案》 https://a/detail/9');
});
