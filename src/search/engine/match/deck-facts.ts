import type { FileType } from '../../../library/file-types.ts';
import { FILE_TYPES, FREE_BIT, TYPE_BITS } from '../format/document.ts';
import { FILTER_LABELS, LABEL_COLUMNS, type LabelIds } from '../format/layout.ts';
import type { Segment } from './segment.ts';

/** The facts of a document that lists filter, sort and count by. */
export type DeckFacts = LabelIds & {
  fileId: number;
  fileType: FileType;
  themeIds: number[];
  isFree: boolean;
  /** Epoch ms, to the second. */
  createdAt: number;
  pageCount: number;
  /** 0 when the plan states none; so with people. */
  budgetYuan: number;
  people: number;
  popularity: number;
  /** The recommended score. */
  standing: number;
};

/** Reads the facts of a document from the columns of its segment. */
export function deckFactsAt({ columns, themeSets, labels }: Segment, place: number): DeckFacts {
  const type = columns.fileTypes[place] ?? 0;
  // Safe: one entry for each label.
  const labelIds = Object.fromEntries(
    LABEL_COLUMNS.map((label) => [FILTER_LABELS[label].field, labels[label].values[columns[label][place] ?? 0] ?? 0]),
  ) as LabelIds;
  return {
    ...labelIds,
    fileId: columns.files[place] ?? 0,
    fileType: FILE_TYPES[type & TYPE_BITS] ?? 'pptx',
    themeIds: themeSets.values[columns.themeSets[place] ?? 0] ?? [],
    isFree: (type & FREE_BIT) !== 0,
    createdAt: (columns.createdSeconds[place] ?? 0) * 1_000,
    pageCount: columns.pages[place] ?? 0,
    budgetYuan: columns.budgets[place] ?? 0,
    people: columns.people[place] ?? 0,
    popularity: columns.popularity[place] ?? 0,
    standing: columns.scores[place] ?? 0,
  };
}
