import { expect, it } from 'vitest';
import { comparePath, documentIdOf } from './addresses.ts';

it('names one document of a comparison, or both', () => {
  expect([comparePath(9), comparePath(9, 12)]).toEqual(['/compare/9', '/compare/9/12']);
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
