import type { FilterField } from '../../../library/document-filter.ts';
import { SIGNIFICANT_TERMS } from '../../decks/deck-similarity.ts';

/**
 * Labels of which a document has at most one: the column that holds a place in the table `ids`, and the `field` with the id (0 for none)
 * in documents and filters. A further label is one line here, and raises LAYOUT_VERSION.
 */
export const FILTER_LABELS = {
  industries: { ids: 'industryIds', field: 'industryId' },
} as const satisfies Record<string, { ids: string; field: FilterField }>;

export type LabelColumn = keyof typeof FILTER_LABELS;
type LabelField = (typeof FILTER_LABELS)[LabelColumn]['field'];
type LabelTable = (typeof FILTER_LABELS)[LabelColumn]['ids'];
/** The ids of labels by their fields (themeId aside, of which a document has several). */
export type LabelFieldIds = Record<LabelField, number>;

// Safe: the keys of the literal above.
export const LABEL_COLUMNS = Object.keys(FILTER_LABELS) as LabelColumn[];

/** Returns an object with one field for each label. */
export function byLabel<Value>(valueOf: (label: LabelColumn) => Value): Record<LabelColumn, Value> {
  // Safe: one entry for each label.
  return Object.fromEntries(LABEL_COLUMNS.map((label) => [label, valueOf(label)])) as Record<LabelColumn, Value>;
}

/**
 * One segment of the index is one SharedArrayBuffer beside the postings of page text, and a snapshot is both on disk: nothing is
 * parsed when it is loaded, and every thread reads the same memory.
 *
 *   header     the counts below, as Uint32
 *   documents  columns with one value per document; a document is known by its place in them (0, 1, 2, …), in the order of ids
 *     ids[d] files[d] scores[d] scoreCaps[d] popularity[d] createdSeconds[d] years[d] pages[d] fileTypes[d] lengths[d] fingerprints[d] budgets[d] people[d] days[d]
 *     significant[d × SIGNIFICANT_TERMS … ]               several values per document
 *     themeSets[d] ──► themeStarts[s] ──► themes[…]      few distinct sets, shared by many documents
 *     industries[d] ─► industryIds[i]                    and so each label of FILTER_LABELS
 *   terms      sorted; term t is termUnits[termStarts[t] … termStarts[t + 1]), UTF-16
 *   postings   of term t: postings[postingStarts[t] … postingStarts[t + 1]), ascending
 *   inside     the terms of page text, sorted, in a table of their own: a search of names never touches them. The packed postings
 *              (inside.ts) of term t are the bytes insideStarts[t] … insideStarts[t + 1] of the page store (page-store.ts), which are
 *              read when a question needs them, insideFrequencies[t] of them
 *
 *     one posting   ┌───────────────── 29 bits ─────────────────┬ organization, industry ┬ keywords ┬ name ┐
 *                   │ document                                  │           4            │    2     │  1   │
 *                   └───────────────────────────────────────────┴────────────────────────┴──────────┴──────┘
 *
 * Terms with the same beginning are adjacent, and so are their postings: a prefix is one slice.
 */
export type Counts = Record<
  | 'documents'
  | 'terms'
  | 'termUnits'
  | 'postings'
  | 'themeSets'
  | 'themes'
  | 'insideTerms'
  | 'insideUnits'
  | 'insideSkips'
  | LabelColumn,
  number
>;

export const FIELD = { name: 1, keyword: 2, label: 4 } as const;
export const FIELD_BITS = 3;
export const ALL_FIELDS = 7;
/** One bit less than a posting could hold, so that a shifted document place is never a negative number. */
export const MAX_DOCUMENTS = 2 ** (31 - FIELD_BITS) - 1;

/** Raise this number with every change of the layout: snapshots of another layout are refused. */
export const LAYOUT_VERSION = 8;

const KINDS = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array };
type ArrayMaker = new (buffer: ArrayBufferLike, at: number, length: number) => Columns[keyof Columns];
const HEADER: (keyof Counts)[] = [
  'documents',
  'terms',
  'termUnits',
  'postings',
  'themeSets',
  'themes',
  'insideTerms',
  'insideUnits',
  'insideSkips',
  ...LABEL_COLUMNS,
];
const HEADER_BYTES = 64;

const COLUMNS = {
  /** The part of the rank that does not depend on the query: the recommended score, in units of 60 days. */
  scores: 'f64',
  /** Hash of the texts that the terms were made from; it tells whether a change of the document changes its terms. */
  fingerprints: 'f64',
  ids: 'u32',
  files: 'u32',
  /** Sort key of 最热: heat, then downloads. */
  popularity: 'u32',
  createdSeconds: 'u32',
  themeSets: 'u32',
  /** Stated budget in yuan, and stated numbers of people and days; 0 for nothing. */
  budgets: 'u32',
  people: 'u32',
  days: 'u16',
  ...byLabel(() => 'u16' as const),
  pages: 'u16',
  /** The score, rounded up (ranking.ts): excludes most hits of a common word while reading a quarter of the memory. */
  scoreCaps: 'u16',
  /** What tells most of what the document is about (significant-terms.ts), the most telling first; 0 behind the last. */
  significant: 'u16',
  /** Shanghai calendar year, as years since 1970. */
  years: 'u8',
  /** Bits 0 and 1: the file type as its index in FILE_TYPES. Bit 2: the document is free. Bit 3: it states a budget, people or days. */
  fileTypes: 'u8',
  /** Length class of the name (ranking.ts). */
  lengths: 'u8',
} as const;

/** Columns with several values per document. */
const WIDTHS: Partial<Record<string, number>> = { significant: SIGNIFICANT_TERMS };
/** Returns the number of values that a column has for each document. */
export const widthOf = (column: string): number => WIDTHS[column] ?? 1;

type LabelTables = Record<LabelTable, readonly ['u32', (counts: Counts) => number]>;

const TABLES = {
  /** Postings of page text may take more bytes than a Uint32 counts. */
  insideStarts: ['f64', (counts: Counts) => counts.insideTerms + 1],
  postings: ['u32', (counts: Counts) => counts.postings],
  postingStarts: ['u32', (counts: Counts) => counts.terms + 1],
  termStarts: ['u32', (counts: Counts) => counts.terms + 1],
  themeStarts: ['u32', (counts: Counts) => counts.themeSets + 1],
  themes: ['u32', (counts: Counts) => counts.themes],
  // Safe: one entry for each label.
  ...(Object.fromEntries(
    LABEL_COLUMNS.map((label) => [FILTER_LABELS[label].ids, ['u32', (counts: Counts) => counts[label]] as const]),
  ) as LabelTables),
  termUnits: ['u16', (counts: Counts) => counts.termUnits],
  insideTermStarts: ['u32', (counts: Counts) => counts.insideTerms + 1],
  insideFrequencies: ['u32', (counts: Counts) => counts.insideTerms],
  /** Where the skips of a term begin; a skip is two values, the place before its block and the first byte of the block. */
  insideSkipStarts: ['u32', (counts: Counts) => counts.insideTerms + 1],
  insideSkips: ['u32', (counts: Counts) => counts.insideSkips],
  insideUnits: ['u16', (counts: Counts) => counts.insideUnits],
} as const;

type Views<Shape extends Record<string, keyof typeof KINDS>> = {
  [Name in keyof Shape]: InstanceType<(typeof KINDS)[Shape[Name]]>;
};
export type Columns = Views<typeof COLUMNS>;
export type Tables = Views<{ [Name in keyof typeof TABLES]: (typeof TABLES)[Name][0] }>;

type Section = { name: string; kind: keyof typeof KINDS; length: number };

function sectionsOf(counts: Counts): Section[] {
  return [
    ...Object.entries(COLUMNS).map(([name, kind]) => ({ name, kind, length: counts.documents * widthOf(name) })),
    ...Object.entries(TABLES).map(([name, [kind, length]]) => ({ name, kind, length: length(counts) })),
  ];
}

const paddedBytes = (section: Section) => Math.ceil((section.length * KINDS[section.kind].BYTES_PER_ELEMENT) / 8) * 8;

function segmentBytes(counts: Counts): number {
  return sectionsOf(counts).reduce((sum, section) => sum + paddedBytes(section), HEADER_BYTES);
}

/** The counts of a segment without documents. */
// Safe: one entry for each name.
export const NO_COUNTS = Object.fromEntries(HEADER.map((name) => [name, 0])) as Counts;

/** Allocates a segment for these counts and writes its header; all other values are 0. */
export function allocateSegment(counts: Counts): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(segmentBytes(counts));
  const header = new Uint32Array(buffer, 0, HEADER.length);
  HEADER.forEach((name, index) => (header[index] = counts[name]));
  return buffer;
}

/**
 * Returns views of the parts of a segment, without copying. Throws RangeError when the length of the buffer differs from its header.
 */
export function viewSegment(buffer: SharedArrayBuffer): { counts: Counts; columns: Columns; tables: Tables } {
  if (buffer.byteLength < HEADER_BYTES) throw new RangeError('a segment without its header');
  const header = new Uint32Array(buffer, 0, HEADER.length);
  // Safe: one entry for each name.
  const counts = Object.fromEntries(HEADER.map((name, index) => [name, header[index] ?? 0])) as Counts;
  if (segmentBytes(counts) !== buffer.byteLength) throw new RangeError('a segment of the wrong length');
  let at = HEADER_BYTES;
  const views = Object.fromEntries(
    sectionsOf(counts).map((section) => {
      const Kind: ArrayMaker = KINDS[section.kind];
      const view = new Kind(buffer, at, section.length);
      at += paddedBytes(section);
      return [section.name, view];
    }),
  );
  // Safe: the views are made above from COLUMNS and TABLES, which define the two types.
  return { counts, columns: views as unknown as Columns, tables: views as unknown as Tables };
}

/** Allocates columns for `capacity` documents, and copies the values of `from` into them if given. */
export function createColumns(capacity: number, from?: Columns): Columns {
  const columns = Object.fromEntries(
    Object.entries(COLUMNS).map(([name, kind]) => [name, new KINDS[kind](capacity * widthOf(name))]),
  );
  // Safe: the entries are made from COLUMNS, which defines the type.
  const made = columns as unknown as Columns;
  if (from) copyColumns(made, from, from.ids.length);
  return made;
}

/** Copies the first `documents` values of every column. */
export function copyColumns(to: Columns, from: Columns, documents: number): void {
  // Safe: the keys of COLUMNS are those of Columns.
  for (const name of Object.keys(COLUMNS) as (keyof Columns)[])
    to[name].set(from[name].subarray(0, documents * widthOf(name)));
}
