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
  const words = rest.frequencies.length;
  const facts = new Float64Array(decks.length * FACTS);
  const levels = new Uint8Array(decks.length * words);
  decks.forEach((deck, at) => {
    const from = at * FACTS;
    for (let name = 0; name < NAMES.length; name++) facts[from + name] = deck[NAMES[name] ?? 'id'];
    const last = from + FACTS - 1;
    facts[last - 2] = FILE_TYPES.indexOf(deck.fileType);
    facts[last - 1] = Number(deck.isFree);
    facts[last] = placeOf.get(deck.themeIds) ?? 0;
    levels.set(deck.levels, at * words);
  });
  return { ...rest, facts, levels, themeSets };
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
      levels: [...levels.subarray(deck * words, (deck + 1) * words)],
    };
    for (let name = 0; name < NAMES.length; name++) unpacked[NAMES[name] ?? 'id'] = facts[from + name] ?? 0;
    return unpacked;
  };
  return { ...rest, decks: Array.from({ length: facts.length / FACTS }, (_, deck) => deckAt(deck)) };
}
