/**
 * One segment of the index is one SharedArrayBuffer, and a snapshot is that buffer on disk: nothing is parsed when it is
 * loaded, and every thread reads the same memory.
 *
 *   header     the counts below, as Uint32
 *   documents  columns, one value each; a document is its place in them (0, 1, 2, …), in the order of ids
 *     ids[d] scores[d] scoreCaps[d] heats[d] createdSeconds[d] years[d] pages[d] types[d] lengths[d] fingerprints[d]
 *     themeSets[d] ──► themeStarts[s] ──► themes[…]      few distinct sets: what is told of a set is told of many
 *     industries[d] ─► industryIds[i]
 *   terms      sorted; term t is termUnits[termStarts[t] … termStarts[t + 1]), UTF-16
 *   postings   of term t: postings[postingStarts[t] … postingStarts[t + 1]), ascending
 *
 *     one posting   ┌───────────────── 29 bits ─────────────────┬ organization, industry ┬ keywords ┬ name ┐
 *                   │ document                                  │           4            │    2     │  1   │
 *                   └───────────────────────────────────────────┴────────────────────────┴──────────┴──────┘
 *
 * Terms that begin alike stand side by side, and so do their postings: a prefix is one slice.
 */
export type Counts = {
  documents: number;
  terms: number;
  termUnits: number;
  postings: number;
  themeSets: number;
  themes: number;
  industries: number;
};

export const FIELD = { name: 1, keyword: 2, label: 4 } as const;
export const FIELD_BITS = 3;
export const ALL_FIELDS = 7;
/** One bit less than a posting holds: a document shifted into place is never negative. */
export const MAX_DOCUMENTS = 2 ** (31 - FIELD_BITS) - 1;

/** Raise it with any change of this page: snapshots of another layout are refused. */
export const LAYOUT_VERSION = 2;

const KINDS = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array };
type ArrayMaker = new (buffer: ArrayBufferLike, at: number, length: number) => Columns[keyof Columns];
const HEADER = ['documents', 'terms', 'termUnits', 'postings', 'themeSets', 'themes', 'industries'] as const;
const HEADER_BYTES = 64;

const COLUMNS = {
  /** The static part of the rank: recommended score, in units of 60 days. */
  scores: 'f64',
  /** Of everything the terms were made from: tells whether a change touches them. */
  fingerprints: 'f64',
  ids: 'u32',
  /** Downloads. */
  heats: 'u32',
  createdSeconds: 'u32',
  themeSets: 'u32',
  industries: 'u16',
  pages: 'u16',
  /** The score rounded up (ranking.ts): tells most hits of a common word to be too low in a quarter of the memory. */
  scoreCaps: 'u16',
  /** Shanghai calendar year, from 1970. */
  years: 'u8',
  /** Bits 0-1 the file type (types.ts order), bit 2 free. */
  types: 'u8',
  /** Class of the name's length (ranking.ts). */
  lengths: 'u8',
} as const;

const TABLES = {
  postings: ['u32', (counts: Counts) => counts.postings],
  postingStarts: ['u32', (counts: Counts) => counts.terms + 1],
  termStarts: ['u32', (counts: Counts) => counts.terms + 1],
  themeStarts: ['u32', (counts: Counts) => counts.themeSets + 1],
  themes: ['u32', (counts: Counts) => counts.themes],
  industryIds: ['u32', (counts: Counts) => counts.industries],
  termUnits: ['u16', (counts: Counts) => counts.termUnits],
} as const;

type Views<Shape extends Record<string, keyof typeof KINDS>> = {
  [Name in keyof Shape]: InstanceType<(typeof KINDS)[Shape[Name]]>;
};
export type Columns = Views<typeof COLUMNS>;
export type Tables = Views<{ [Name in keyof typeof TABLES]: (typeof TABLES)[Name][0] }>;

type Section = { name: string; kind: keyof typeof KINDS; length: number };

function sectionsOf(counts: Counts): Section[] {
  return [
    ...Object.entries(COLUMNS).map(([name, kind]) => ({ name, kind, length: counts.documents })),
    ...Object.entries(TABLES).map(([name, [kind, length]]) => ({ name, kind, length: length(counts) })),
  ];
}

const paddedBytes = (section: Section) => Math.ceil((section.length * KINDS[section.kind].BYTES_PER_ELEMENT) / 8) * 8;

export function segmentBytes(counts: Counts): number {
  return sectionsOf(counts).reduce((sum, section) => sum + paddedBytes(section), HEADER_BYTES);
}

/** An empty segment of that size, its header written. */
export function allocateSegment(counts: Counts): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(segmentBytes(counts));
  const header = new Uint32Array(buffer, 0, HEADER.length);
  HEADER.forEach((name, index) => (header[index] = counts[name]));
  return buffer;
}

/** The parts of a segment, in place. Throws RangeError when the buffer is not as long as its header says. */
export function viewSegment(buffer: SharedArrayBuffer): { counts: Counts; columns: Columns; tables: Tables } {
  if (buffer.byteLength < HEADER_BYTES) throw new RangeError('a segment without its header');
  const header = new Uint32Array(buffer, 0, HEADER.length);
  const count = (name: (typeof HEADER)[number]) => header[HEADER.indexOf(name)] ?? 0;
  const counts: Counts = {
    documents: count('documents'),
    terms: count('terms'),
    termUnits: count('termUnits'),
    postings: count('postings'),
    themeSets: count('themeSets'),
    themes: count('themes'),
    industries: count('industries'),
  };
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
  // Safe: made above from the very tables the two types are made from.
  return { counts, columns: views as unknown as Columns, tables: views as unknown as Tables };
}

/** Columns for up to `capacity` documents, in memory of one's own; filled with those of `from`. */
export function createColumns(capacity: number, from?: Columns): Columns {
  const columns = Object.fromEntries(Object.entries(COLUMNS).map(([name, kind]) => [name, new KINDS[kind](capacity)]));
  // Safe: as above.
  const made = columns as unknown as Columns;
  if (from) copyColumns(made, from, from.ids.length);
  return made;
}

/** Copies the first `documents` values of every column. */
export function copyColumns(to: Columns, from: Columns, documents: number): void {
  // Safe: the keys of COLUMNS are those of Columns.
  for (const name of Object.keys(COLUMNS) as (keyof Columns)[]) to[name].set(from[name].subarray(0, documents));
}
