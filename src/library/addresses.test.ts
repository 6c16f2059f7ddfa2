import { expect, it } from 'vitest';
import { detailPath, markedWords, titleWithLink } from './addresses.ts';

it.each([
  [{}, '/detail/9'],
  [{ page: 12 }, '/detail/9#p=12'],
  [{ inviter: 7 }, '/detail/9?invite=7'],
  [{ page: 12, inviter: 7 }, '/detail/9?invite=7#p=12'],
  [{ page: 12, words: ['动线', 'a,b&c'] }, '/detail/9#p=12&w=%E5%8A%A8%E7%BA%BF,a%2Cb%26c'],
  [{ words: ['动线'] }, '/detail/9'],
])('%j is %s', (of, path) => {
  expect(detailPath(9, of)).toBe(path);
});

it('is one line for any title', () => {
  expect(titleWithLink(' 中秋\n方案 ', 'https://a/detail/9')).toBe('《中秋 方案》 https://a/detail/9');
});

it.each([
  ['#p=12&w=%E5%8A%A8%E7%BA%BF,a%2Cb%26c', ['动线', 'a,b&c']],
  ['#p=12&w=%E5', []],
  ['#p=12&w=', []],
  ['#p=12', []],
  ['#w=a', []],
  ['#p=1&w=1,2,3,4,5,6,7', ['1', '2', '3', '4', '5']],
  [`#p=1&w=${'a'.repeat(21)},b`, ['b']],
])('%s marks %j', (hash, words) => expect(markedWords(hash)).toEqual(words));
