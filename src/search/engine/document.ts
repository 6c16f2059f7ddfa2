import type { FileType } from '../../library/file-types.ts';
import type { Columns } from './layout.ts';
import { capOf } from './ranking.ts';

/** What the catalogue knows of a published document and search needs. */
export type SourceDocument = {
  id: number;
  name: string;
  keyword: string;
  organization: string;
  industry: string;
  industryId: number;
  themeIds: number[];
  fileType: FileType;
  pageCount: number;
  isFree: boolean;
  downloads: number;
  /** Epoch ms. */
  createdAt: number;
  recommendScore: number;
};

/** The same as the index takes it: facts as numbers, text as lexemes separated by spaces. Small enough to be sent about. */
export type IndexedDocument = {
  id: number;
  score: number;
  heat: number;
  createdSeconds: number;
  /** Shanghai calendar year. */
  year: number;
  pages: number;
  type: number;
  isFree: boolean;
  length: number;
  industryId: number;
  /** Ascending. */
  themeIds: number[];
  fingerprint: number;
  name: string;
  keyword: string;
  labels: string;
};

/** `document` null: it left the shelf. */
export type Change = { id: number; document: IndexedDocument | null };

export const FILE_TYPES: readonly FileType[] = ['pptx', 'ppt', 'pdf'];
/** Of the types column. */
export const TYPE_BITS = 3;
export const FREE_BIT = 4;
export const FIRST_YEAR = 1970;

/** Writes the facts of a document to place `at`; the set of its themes and its industry by their places. */
export function writeColumns(
  columns: Columns,
  at: number,
  document: IndexedDocument,
  places: { themeSet: number; industry: number },
): void {
  columns.scores[at] = document.score;
  columns.scoreCaps[at] = capOf(document.score);
  columns.fingerprints[at] = document.fingerprint;
  columns.ids[at] = document.id;
  columns.heats[at] = document.heat;
  columns.createdSeconds[at] = document.createdSeconds;
  columns.themeSets[at] = places.themeSet;
  columns.industries[at] = places.industry;
  columns.pages[at] = Math.min(document.pages, 65_535);
  columns.years[at] = Math.max(0, Math.min(document.year - FIRST_YEAR, 255));
  columns.types[at] = document.type | (document.isFree ? FREE_BIT : 0);
  columns.lengths[at] = document.length;
}
