import type { Gathered } from './gather.ts';

/** Gathered decks as two arrays: a message between threads copies them at once, where 300 objects with lists take longer than the search. */
export type PackedDecks = Omit<Gathered, 'decks'> & {
  ids: Uint32Array;
  /** Those of the first deck first. */ levels: Uint8Array;
};

export function packDecks({ decks, ...rest }: Gathered): PackedDecks {
  return {
    ...rest,
    ids: Uint32Array.from(decks, ({ id }) => id),
    levels: Uint8Array.from(decks.flatMap(({ levels }) => levels)),
  };
}

export function unpackDecks({ ids, levels, ...rest }: PackedDecks): Gathered {
  const words = rest.frequencies.length;
  return {
    ...rest,
    decks: Array.from(ids, (id, at) => ({ id, levels: [...levels.subarray(at * words, (at + 1) * words)] })),
  };
}
