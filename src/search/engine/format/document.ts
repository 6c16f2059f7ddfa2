import type { FileType } from '../../../library/file-types.ts';
import type { KeyPage } from '../../../library/key-pages.ts';
import type { Places } from './dictionaries.ts';
import { SIGNIFICANT_TERMS } from '../../decks/deck-similarity.ts';
import { LABEL_COLUMNS, type Columns, type LabelFieldIds } from './layout.ts';
import { capOf } from './ranking.ts';

/** The facts of a published document that the index is built from. */
export type SourceDocument = LabelFieldIds & {
  id: number;
  /** Documents of one file have the same pages. */
  fileId: number;
  name: string;
  keyword: string;
  organization: string;
  industry: string;
  /** Names of the themes. They are searched with the page text. */
  themes: string[];
  /** Text of each page. */
  texts: string[];
  themeIds: number[];
  fileType: FileType;
  pageCount: number;
  isFree: boolean;
  /** The budget that the plan states (C-118); 0 when it states none. */
  budgetYuan: number;
  people: number;
  days: number;
  /** Its pages of the kinds that planners look for. */
  keyPages: readonly KeyPage[];
  /** Sort key of 最热: the heat of the last 30 days, then downloads (0010-ranking.sql). */
  popularity: number;
  /** Epoch ms. */
  createdAt: number;
  recommendScore: number;
};

/** The facts of a document as numbers: what its columns hold (layout.ts). */
export type DocumentFacts = LabelFieldIds & {
  id: number;
  fileId: number;
  score: number;
  popularity: number;
  createdSeconds: number;
  /** Shanghai calendar year. */
  year: number;
  pages: number;
  budgetYuan: number;
  people: number;
  days: number;
  /** Place in FILE_TYPES. */
  fileType: number;
  isFree: boolean;
  length: number;
  /** Ascending. */
  themeIds: number[];
};

/**
 * A document as the index stores it: facts, and texts as lexemes separated by spaces. Small, because every change is sent to every search
 * thread.
 */
export type IndexedDocument = DocumentFacts & {
  /** Hash of the lexemes. */
  fingerprint: number;
  name: string;
  keyword: string;
  labels: string;
  /** Lexemes of the pages by their spread (inside.ts): those of one page first. */
  inside: string[];
  /** Hashes of what tells most of what the document is about, the most telling first (significant-terms.ts). */
  significant: number[];
};

/** A changed document. `document` is null when the document is no longer published. */
export type DocumentChange = { id: number; document: IndexedDocument | null };
/** New facts of an indexed document whose texts, theme set and labels stay as they are. */
type FactsChange = { id: number; facts: DocumentFacts };
export type Change = DocumentChange | FactsChange;

export const FILE_TYPES: readonly FileType[] = ['pptx', 'ppt', 'pdf'];
/**
 * Bits of a value of the `fileTypes` column: the file type as its index in FILE_TYPES, whether the document is free, and whether it states a budget,
 * people or days.
 */
export const TYPE_BITS = 3;
export const FREE_BIT = 4;
export const STATED_BIT = 8;
/** One more than the largest value of the column. */
export const TYPE_VALUES = 16;
export const FIRST_YEAR = 1970;

/** Writes a new document to place `at` of the columns. */
export function writeDocument(columns: Columns, at: number, document: IndexedDocument, places: Places): void {
  writeColumns(columns, at, document, places);
  columns.fingerprints[at] = document.fingerprint;
  columns.significant.set(document.significant, at * SIGNIFICANT_TERMS);
}

/** Writes the facts of a document to place `at` of the columns, and nothing that depends on its texts. `places`: positions of its theme set and labels in the dictionaries. */
export function writeColumns(columns: Columns, at: number, document: DocumentFacts, places: Places): void {
  columns.scores[at] = document.score;
  columns.scoreCaps[at] = capOf(document.score);
  columns.ids[at] = document.id;
  columns.files[at] = document.fileId;
  columns.popularity[at] = document.popularity;
  columns.createdSeconds[at] = document.createdSeconds;
  columns.themeSets[at] = places.themeSet;
  for (const label of LABEL_COLUMNS) columns[label][at] = places.labels[label];
  columns.pages[at] = Math.min(document.pages, 65_535);
  columns.budgets[at] = document.budgetYuan;
  columns.people[at] = document.people;
  columns.days[at] = document.days;
  columns.years[at] = Math.max(0, Math.min(document.year - FIRST_YEAR, 255));
  const isStated = document.budgetYuan > 0 || document.people > 0 || document.days > 0;
  columns.fileTypes[at] = document.fileType | (document.isFree ? FREE_BIT : 0) | (isStated ? STATED_BIT : 0);
  columns.lengths[at] = document.length;
}
