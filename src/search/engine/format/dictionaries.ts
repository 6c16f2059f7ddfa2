import { byLabel, FILTER_LABELS, LABEL_COLUMNS, type LabelColumn, type LabelFieldIds } from './layout.ts';

/** Assigns a number to each distinct value, in the order of insertion: for columns with few distinct values. */
type Dictionary<T> = { values: T[]; find(value: T): number | undefined; place(value: T): number };

function createDictionary<T>(keyOf: (value: T) => string | number, values: readonly T[] = []): Dictionary<T> {
  const kept = [...values];
  const places = new Map(kept.map((value, place) => [keyOf(value), place]));
  return {
    values: kept,
    find: (value) => places.get(keyOf(value)),
    place(value) {
      const key = keyOf(value);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, kept.length);
      return kept.push(value) - 1;
    },
  };
}

export const createThemeSets = (sets?: readonly number[][]) =>
  createDictionary<number[]>((themes) => themes.join(','), sets);
export const createIds = (ids?: readonly number[]) => createDictionary<number>((id) => id, ids);

/** The dictionaries of a segment: sets of themes, and the ids of each label. */
export type Dictionaries = {
  readonly themeSets: Dictionary<number[]>;
  readonly labels: Record<LabelColumn, Dictionary<number>>;
};

export const createDictionaries = (): Dictionaries => ({
  themeSets: createThemeSets(),
  labels: byLabel(() => createIds()),
});

/** The places of a document's facts in the dictionaries. */
export type Places = { themeSet: number; labels: Record<LabelColumn, number> };
type Filed = LabelFieldIds & { themeIds: number[] };

/** Returns the places of a document's facts; new facts get a place. */
export function placeFacts({ themeSets, labels }: Dictionaries, document: Filed): Places {
  return {
    themeSet: themeSets.place(document.themeIds),
    labels: byLabel((label) => labels[label].place(document[FILTER_LABELS[label].field])),
  };
}

/** Returns the places of a document's facts, or null when one of the facts has no place. */
export function findPlaces(dictionaries: Dictionaries, document: Filed): Places | null {
  const { themeSets, labels } = dictionaries;
  const isKnown =
    themeSets.find(document.themeIds) !== undefined &&
    LABEL_COLUMNS.every((label) => labels[label].find(document[FILTER_LABELS[label].field]) !== undefined);
  return isKnown ? placeFacts(dictionaries, document) : null;
}
