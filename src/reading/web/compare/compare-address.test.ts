import { describe, expect, it } from 'vitest';
import { pairHash, pairOf, turnPair } from './compare-address.ts';

describe('the pages in the address', () => {
  it('are those of both sides', () => {
    expect(pairOf(pairHash([3, 12]))).toEqual([3, 12]);
  });
  it.each([
    ['', [1, 1]],
    ['#p=4', [4, 1]],
    ['#p=0,0', [1, 1]],
    ['#p=x,2', [1, 1]],
    ['#p=123456,1', [1, 1]],
    ['#content', [1, 1]],
  ])('are the first pages where %j names none', (hash, pages) => {
    expect(pairOf(hash)).toEqual(pages);
  });
});

describe('turning one side', () => {
  const last = [10, 4] as const;
  it.each([
    ['leaves the other side', [2, 3], 0, 5, false, [5, 3]],
    ['takes the other side along', [2, 3], 0, 3, true, [3, 4]],
    ['takes the other side back', [2, 3], 1, 2, true, [1, 2]],
    ['takes the other side along to its last page at most', [2, 3], 0, 9, true, [9, 4]],
    ['takes the other side back to its first page at most', [1, 3], 1, 1, true, [1, 1]],
    ['never goes after the last page', [2, 3], 1, 9, false, [2, 4]],
    ['never goes before the first page', [2, 3], 0, -1, false, [1, 3]],
  ] as const)('%s', (_, pages, side, page, isLinked, expected) => {
    expect(turnPair(pages, side, page, { last, isLinked })).toEqual(expected);
  });
});
