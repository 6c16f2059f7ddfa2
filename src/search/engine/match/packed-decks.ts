import { FILE_TYPES } from '../format/document.ts';
import { FILTER_LABELS, LABEL_COLUMNS, type LabelField, type LabelIds } from '../format/layout.ts';
import type { Gathered, GatheredDeck } from './gather.ts';

const NUMBERS = ['id', 'fileId', 'createdAt', 'pageCount', 'budgetYuan', 'people', 'popularity', 'standing'] as const;
// Safe: one field for each label.
const LABELS = LABEL_COLUMNS.map((label) => FILTER_LABELS[label].field) as LabelField[];
/** After the numbers: the file type, whether the document is free, and the place of its themes in `themeSets`. */
const FACTS = NUMBERS.length + LABELS.length + 3;

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
    ...NUMBERS.map((name) => deck[name]),
    ...LABELS.map((name) => deck[name]),
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
    const own = facts.subarray(deck * FACTS, (deck + 1) * FACTS);
    const [type = 0, isFree = 0, themes = 0] = own.subarray(FACTS - 3);
    // Safe: one entry for each name, in the order of packDecks.
    const numbers = Object.fromEntries([...NUMBERS, ...LABELS].map((name, at) => [name, own[at] ?? 0])) as Record<
      (typeof NUMBERS)[number],
      number
    > &
      LabelIds;
    return {
      ...numbers,
      fileType: FILE_TYPES[type] ?? 'pptx',
      isFree: isFree === 1,
      themeIds: themeSets[themes] ?? [],
      levels: [...levels.subarray(deck * words, (deck + 1) * words)],
    };
  };
  return { ...rest, decks: Array.from({ length: facts.length / FACTS }, (_, deck) => deckAt(deck)) };
}
