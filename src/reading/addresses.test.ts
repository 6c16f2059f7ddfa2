import { expect, it } from 'vitest';
import { comparePath, detailPath, titleWithLink, documentIdOf } from './addresses.ts';

it.each([
  [{}, '/detail/9'],
  [{ page: 12 }, '/detail/9#p=12'],
  [{ inviter: 7 }, '/detail/9?invite=7'],
  [{ page: 12, inviter: 7 }, '/detail/9?invite=7#p=12'],
])('%j is %s', (of, path) => {
  expect(detailPath(9, of)).toBe(path);
});

it('names one document of a comparison, or both', () => {
  expect([comparePath(9), comparePath(9, 12)]).toEqual(['/compare/9', '/compare/9/12']);
});

it('is one line for any title', () => {
  expect(titleWithLink(' 中秋\n方案 ', 'https://a/detail/9')).toBe('《中秋 方案》 https://a/detail/9');
});

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
