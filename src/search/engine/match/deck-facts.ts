import type { FileType } from '../../../library/file-types.ts';
import { FILE_TYPES, FREE_BIT, TYPE_BITS } from '../format/document.ts';
import { FILTER_LABELS, LABEL_COLUMNS, type LabelFieldIds } from '../format/layout.ts';
import type { Segment } from './segment.ts';

/** The facts of a document that lists filter, sort and count by. */
export type DeckFacts = LabelFieldIds & {
  fileId: number;
  fileType: FileType;
  themeIds: number[];
  isFree: boolean;
  /** Epoch ms, to the second. */
  createdAt: number;
  pageCount: number;
  /** 0 when the plan states none; so with people and days. */
  budgetYuan: number;
  people: number;
  days: number;
  popularity: number;
  recommendScore: number;
};

/** `levels`: for each word of the query (deck-levels.ts). */
export type GatheredDeck = DeckFacts & { id: number; levels: number[] };

// Safe: one entry for each label.
export const NO_LABELS = Object.fromEntries(
  LABEL_COLUMNS.map((label) => [FILTER_LABELS[label].field, 0]),
) as LabelFieldIds;

/** Reads a deck from the columns of its segment. */
export function deckAt({ columns, themeSets, labels }: Segment, place: number, levels: number[]): GatheredDeck {
  const type = columns.fileTypes[place] ?? 0;
  const deck: GatheredDeck = {
    ...NO_LABELS,
    id: columns.ids[place] ?? 0,
    levels,
    fileId: columns.files[place] ?? 0,
    fileType: FILE_TYPES[type & TYPE_BITS] ?? 'pptx',
    themeIds: themeSets.values[columns.themeSets[place] ?? 0] ?? [],
    isFree: (type & FREE_BIT) !== 0,
    createdAt: (columns.createdSeconds[place] ?? 0) * 1_000,
    pageCount: columns.pages[place] ?? 0,
    budgetYuan: columns.budgets[place] ?? 0,
    people: columns.people[place] ?? 0,
    days: columns.days[place] ?? 0,
    popularity: columns.popularity[place] ?? 0,
    recommendScore: columns.scores[place] ?? 0,
  };
  for (const label of LABEL_COLUMNS)
    deck[FILTER_LABELS[label].field] = labels[label].values[columns[label][place] ?? 0] ?? 0;
  return deck;
}
