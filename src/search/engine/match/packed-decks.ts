import { FILE_TYPES } from '../format/document.ts';
import { FILTER_LABELS, LABEL_COLUMNS } from '../format/layout.ts';
import { type GatheredDeck, NO_LABELS } from './deck-facts.ts';
import type { GatheredPart } from './gather.ts';

const LABEL_FIELDS = LABEL_COLUMNS.map((label) => FILTER_LABELS[label].field);
/** Numbers of a packed deck: those that are written out below, and its labels. */
const FACTS = 12 + LABEL_FIELDS.length;

/** Gathered decks as a few arrays: a message between threads copies them at once, where 300 objects with lists take longer than the search. */
export type PackedDecks = Omit<GatheredPart, 'decks'> & {
  /** FACTS numbers of each deck, one deck after the other. */
  facts: Float64Array;
  /** A level for each word of each deck. */
  levels: Uint8Array;
  themeSets: number[][];
};

export function packDecks({ decks, ...rest }: GatheredPart): PackedDecks {
  // Decks of a segment with the same themes share their list.
  const themeSets = [...new Set(decks.map(({ themeIds }) => themeIds))];
  const placeOf = new Map(themeSets.map((set, at) => [set, at]));
  const words = rest.frequencies.length;
  const facts = new Float64Array(decks.length * FACTS);
  const levels = new Uint8Array(decks.length * words);
  // Written out, as are the fields below: by a list of names it takes three times as long.
  let at = 0;
  for (const deck of decks) {
    facts[at++] = deck.id;
    facts[at++] = deck.fileId;
    facts[at++] = deck.createdAt;
    facts[at++] = deck.pageCount;
    facts[at++] = deck.budgetYuan;
    facts[at++] = deck.people;
    facts[at++] = deck.days;
    facts[at++] = deck.popularity;
    facts[at++] = deck.recommendScore;
    facts[at++] = FILE_TYPES.indexOf(deck.fileType);
    facts[at++] = Number(deck.isFree);
    facts[at++] = placeOf.get(deck.themeIds) ?? 0;
    for (const field of LABEL_FIELDS) facts[at++] = deck[field];
  }
  decks.forEach((deck, place) => levels.set(deck.levels, place * words));
  return { ...rest, facts, levels, themeSets };
}

export function unpackDecks({ facts, levels, themeSets, ...rest }: PackedDecks): GatheredPart {
  const words = rest.frequencies.length;
  const numberAt = (at: number) => facts[at] ?? 0;
  const deckAt = (place: number): GatheredDeck => {
    const from = place * FACTS;
    const deck: GatheredDeck = {
      ...NO_LABELS,
      id: numberAt(from),
      fileId: numberAt(from + 1),
      createdAt: numberAt(from + 2),
      pageCount: numberAt(from + 3),
      budgetYuan: numberAt(from + 4),
      people: numberAt(from + 5),
      days: numberAt(from + 6),
      popularity: numberAt(from + 7),
      recommendScore: numberAt(from + 8),
      fileType: FILE_TYPES[numberAt(from + 9)] ?? 'pptx',
      isFree: numberAt(from + 10) === 1,
      themeIds: themeSets[numberAt(from + 11)] ?? [],
      levels: [],
    };
    let at = from + 12;
    for (const field of LABEL_FIELDS) deck[field] = numberAt(at++);
    for (let word = place * words; word < (place + 1) * words; word++) deck.levels.push(levels[word] ?? 0);
    return deck;
  };
  return { ...rest, decks: Array.from({ length: facts.length / FACTS }, (_, deck) => deckAt(deck)) };
}
