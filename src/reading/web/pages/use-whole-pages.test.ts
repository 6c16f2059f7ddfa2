import { describe, expect, it } from 'vitest';
import { firstUnlisted } from './use-whole-pages.ts';

const listed = (...pages: number[]) => new Map(pages.map((page) => [page, true]));

describe('the page from which pages are listed next', () => {
  it.each([
    ['nothing near the beginning, where the preview is not nearly over', listed(), 1, 10, 300, 11],
    ['a deck within the preview needs nothing', listed(), 3, 10, 8, 0],
    [
      'nothing when all near pages are known',
      listed(11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23),
      11,
      10,
      300,
      0,
    ],
    ['the first gap behind a jump', listed(), 250, 10, 300, 238],
    ['never past the last page', listed(), 300, 10, 300, 288],
    ['nothing at the end of a short rest', listed(11, 12), 12, 10, 12, 0],
  ])('%s', (_, known, from, previews, total, expected) => {
    expect(firstUnlisted(known, { from, previews, total })).toBe(expected);
  });
});
