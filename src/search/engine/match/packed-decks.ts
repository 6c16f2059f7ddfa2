import { FILE_TYPES } from '../format/document.ts';
import type { LabelField } from '../format/layout.ts';
import { type GatheredDeck, NO_LABELS } from './deck-facts.ts';
import type { Gathered } from './gather.ts';

type NumberName = Exclude<keyof GatheredDeck, 'fileType' | 'isFree' | 'themeIds' | 'levels' | LabelField>;
const NO_NUMBERS: Record<NumberName, number> = {
  id: 0,
  fileId: 0,
  createdAt: 0,
  pageCount: 0,
  budgetYuan: 0,
  people: 0,
  popularity: 0,
  standing: 0,
};
// Safe: the keys of the literals, and one field for each label.
const NAMES = [...Object.keys(NO_NUMBERS), ...Object.keys(NO_LABELS)] as (NumberName | LabelField)[];
/** After the numbers: the file type, whether the document is free, and the place of its themes in `themeSets`. */
const FACTS = NAMES.length + 3;

/** Gathered decks as a few arrays: a message between threads copies them at once, where 300 objects with lists take longer than the search. */
export type PackedDecks = Omit<Gathered, 'decks'> & {
  /** FACTS numbers of each deck. */
  facts: Float64Array;
  /** A level for each word of each deck. */
  levels: Uint8Array;
  themeSets: number[][];
};

export function packDecks({ decks, ...rest }: Gathered): PackedDecks {
  // Decks of a segment with the same themes share their list.
  const themeSets = [...new Set(decks.map(({ themeIds }) => themeIds))];
  const placeOf = new Map(themeSets.map((set, at) => [set, at]));
  const factsOf = (deck: GatheredDeck) => [
    ...NAMES.map((name) => deck[name]),
    FILE_TYPES.indexOf(deck.fileType),
    Number(deck.isFree),
    placeOf.get(deck.themeIds) ?? 0,
  ];
  return {
    ...rest,
    facts: Float64Array.from(decks.flatMap(factsOf)),
    levels: Uint8Array.from(decks.flatMap(({ levels }) => levels)),
    themeSets,
  };
}

export function unpackDecks({ facts, levels, themeSets, ...rest }: PackedDecks): Gathered {
  const words = rest.frequencies.length;
  const deckAt = (deck: number): GatheredDeck => {
    const from = deck * FACTS;
    const last = from + FACTS - 1;
    const unpacked: GatheredDeck = {
      ...NO_NUMBERS,
      ...NO_LABELS,
      fileType: FILE_TYPES[facts[last - 2] ?? 0] ?? 'pptx',
      isFree: facts[last - 1] === 1,
      themeIds: themeSets[facts[last] ?? 0] ?? [],
      levels: Array.from(levels.subarray(deck * words, (deck + 1) * words)),
    };
    for (const [at, name] of NAMES.entries()) unpacked[name] = facts[from + at] ?? 0;
    return unpacked;
  };
  return { ...rest, decks: Array.from({ length: facts.length / FACTS }, (_, deck) => deckAt(deck)) };
}
