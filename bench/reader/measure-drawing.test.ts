import { expect, it } from 'vitest';
import { chooseDecks, firstPageOf, type Deck } from './measure-drawing.ts';

const deck = (name: string, pageCount: number): Deck => ({
  id: 1,
  name,
  pageCount,
  image: pageCount > 10 ? 'normal' : 'large',
});

it('chooses the longest decks, and always the same ones', () => {
  const decks = [deck('b', 12), deck('short', 4), deck('long', 60), deck('a', 12), deck('tiny', 1)];
  for (const order of [decks, decks.toReversed()])
    expect(chooseDecks(order, 4).map(({ name }) => name)).toEqual(['long', 'a', 'b', 'short']);
});

it('asks for a page after the preview, whichever the turn, and of a short deck for its last page', () => {
  const pages = Array.from({ length: 40 }, (_, turn) => firstPageOf(deck('long', 14), turn));
  expect(new Set(pages)).toEqual(new Set([11, 12, 13, 14]));
  expect(firstPageOf(deck('eleven', 11), 5)).toBe(11);
  expect(firstPageOf(deck('short', 6), 5)).toBe(6);
});
