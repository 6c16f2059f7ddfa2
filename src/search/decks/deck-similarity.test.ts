import { expect, it } from 'vitest';
import { type SignificantTerms, similaritiesTo } from './deck-similarity.ts';

const similarityTo = (terms: SignificantTerms) => (other: SignificantTerms) => similaritiesTo([terms])(other)[0];

it('is 1 for the same terms, 0 for none in common, and more for the first terms than for the last', () => {
  const similarityOf = similarityTo([1, 2, 3, 4]);
  expect(similarityOf([1, 2, 3, 4])).toBeCloseTo(1);
  expect(similarityOf([5, 6, 7, 8])).toBe(0);
  expect(similarityOf([1, 6, 7, 8]) ?? 0).toBeGreaterThan(similarityOf([5, 6, 7, 4]) ?? 0);
});

it('takes 0 for no term: two short decks have nothing in common by it', () => {
  expect(similarityTo([1, 0, 0])([2, 0, 0])).toBe(0);
  expect(similarityTo([1, 0, 0])([1, 0, 0])).toBeCloseTo(1);
});

it('knows nothing of decks without terms', () => {
  expect(similarityTo([])([1])).toBeUndefined();
  expect(similarityTo([1])([])).toBeUndefined();
  expect(similarityTo([1])([0, 0])).toBeUndefined();
});

it('compares with several decks at once', () => {
  const terms = [[1, 2, 3], [3, 4], [], [513, 1]];
  const other = [3, 1, 513];
  expect(similaritiesTo(terms)(other)).toEqual(terms.map((each) => similarityTo(each)(other)));
});
