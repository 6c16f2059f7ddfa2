import { expect, it } from 'vitest';
import { detailPath, documentIdOf, markedWords, titleWithLink } from './addresses.ts';

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

it.each<[string | undefined, string | null, number]>([
  ['9', null, 9],
  ['9', '12', 9],
  [undefined, '12', 12],
  ['abc', '12', 12],
  ['abc', null, 0],
  [undefined, null, 0],
  ['9.5', null, 0],
  ['-1', null, 0],
  ['1234567890123456', null, 0],
  [undefined, '', 0],
])('segment %s and fid %s mean document %d (C-20)', (segment, fid, id) => {
  expect(documentIdOf(segment, fid)).toBe(id);
});
