import { SPREAD_BITS, SPREADS, unpack } from '../format/inside.ts';
import {
  createMemoryWriter,
  type MainSegment,
  openStoreReader,
  type PageStore,
  type StoreWriter,
} from '../format/page-store.ts';
import { createSegmentBuilder } from './build-segment.ts';
import { createDictionaries } from '../format/dictionaries.ts';
import { countPages, keyOf, mergePages, type TermSource, writePages } from './term-source.ts';
import type { DocumentChange } from '../format/document.ts';
import {
  ALL_FIELDS,
  allocateSegment,
  byLabel,
  copyColumns,
  createColumns,
  FIELD_BITS,
  FILTER_LABELS,
  LABEL_COLUMNS,
  viewSegment,
  widthOf,
} from '../format/layout.ts';

type Views = ReturnType<typeof viewSegment> & { pages: PageStore };
/** One of the two merged segments. `places`: the new place of each of its documents, or GONE. */
type Part = Views & { places: Uint32Array };

const GONE = 0xffff_ffff;

/**
 * Returns a new main segment: the old segment with every changed document replaced, added or removed. Reads both
 * segments in the order of ids and of terms, which costs about as much as copying; no text is tokenized again. `pages`: where the postings of
 * page text are written.
 */
export function mergeSegments(
  main: MainSegment,
  changes: DocumentChange[],
  pages: StoreWriter = createMemoryWriter(),
): MainSegment {
  const builder = createSegmentBuilder();
  const changed = [...changes].sort((a, b) => a.id - b.id);
  for (const { document } of changed) if (document) builder.add(document);
  const old = viewsOf(main);
  const fresh = viewsOf(builder.finish());
  const { parts, origins } = placeDocuments(old, fresh, new Set(changed.map(({ id }) => id)));
  const { columns, themeSets, labels } = mergeColumns(origins);
  const merged = mergeTerms(parts);
  const pageTerms = mergePages(parts.map(pageSource), pages);

  const themes = themeSets.values.flat();
  const buffer = allocateSegment({
    documents: origins.length,
    terms: merged.terms.length,
    termUnits: merged.terms.reduce((sum, { text }) => sum + text.length, 0),
    postings: merged.postings,
    themeSets: themeSets.values.length,
    themes: themes.length,
    ...countPages(pageTerms),
    ...byLabel((label) => labels[label].values.length),
  });
  const { columns: made, tables } = viewSegment(buffer);
  copyColumns(made, columns, origins.length);
  for (const label of LABEL_COLUMNS) tables[FILTER_LABELS[label].ids].set(labels[label].values);
  tables.themes.set(themes);
  themeSets.values.reduce((at, set, index) => (tables.themeStarts[index + 1] = at + set.length), 0);
  let unit = 0;
  let posting = 0;
  merged.terms.forEach(({ text, lists }, term) => {
    for (let at = 0; at < text.length; at++) tables.termUnits[unit++] = text.charCodeAt(at);
    posting = writePostings(tables.postings, posting, parts, lists);
    tables.termStarts[term + 1] = unit;
    tables.postingStarts[term + 1] = posting;
  });
  writePages(tables, pageTerms);
  return { buffer, pages: pages.finish() };
}

const viewsOf = ({ buffer, pages }: MainSegment): Views => ({ ...viewSegment(buffer), pages });

/**
 * Orders the unchanged documents of the old segment and all documents of the fresh segment by id. `origins`: for each new place, the
 * segment and the place in it.
 */
function placeDocuments(old: Views, fresh: Views, changed: Set<number>) {
  const parts: [Part, Part] = [
    { ...old, places: new Uint32Array(old.counts.documents).fill(GONE) },
    { ...fresh, places: new Uint32Array(fresh.counts.documents) },
  ];
  const origins: [part: Part, at: number][] = [];
  let next = 0;
  const place = (part: Part, at: number) => (part.places[at] = origins.push([part, at]) - 1);
  const placeFreshBefore = (id: number) => {
    while (next < fresh.counts.documents && (fresh.columns.ids[next] ?? 0) < id) place(parts[1], next++);
  };
  old.columns.ids.forEach((id, at) => {
    placeFreshBefore(id);
    if (!changed.has(id)) place(parts[0], at);
  });
  placeFreshBefore(Infinity);
  return { parts, origins };
}

function mergeColumns(origins: [part: Part, at: number][]) {
  const columns = createColumns(origins.length);
  const { themeSets, labels } = createDictionaries();
  // Safe: the keys of an object of columns are their names.
  const names = Object.keys(columns) as (keyof typeof columns)[];
  origins.forEach(([part, at], place) => {
    for (const name of names) {
      const width = widthOf(name);
      for (let value = 0; value < width; value++)
        columns[name][place * width + value] = part.columns[name][at * width + value] ?? 0;
    }
    const { themes, themeStarts } = part.tables;
    const set = part.columns.themeSets[at] ?? 0;
    columns.themeSets[place] = themeSets.place([...themes.subarray(themeStarts[set], themeStarts[set + 1])]);
    for (const label of LABEL_COLUMNS) {
      const ids = part.tables[FILTER_LABELS[label].ids];
      columns[label][place] = labels[label].place(ids[part.columns[label][at] ?? 0] ?? 0);
    }
  });
  return { columns, themeSets, labels };
}

/** A term and its number in each of the two segments, -1 where the segment does not have it. */
type MergedTerm = { text: string; lists: [number, number] };

/** Returns the terms of both segments that at least one remaining document contains, sorted. */
function mergeTerms(parts: [Part, Part]): { terms: MergedTerm[]; postings: number } {
  const [old, fresh] = parts;
  const terms: MergedTerm[] = [];
  let postings = 0;
  for (const merged of alignTerms(namesOf(old), namesOf(fresh))) {
    const count = merged.lists.reduce((sum, term, part) => sum + countLiving(parts[part], term), 0);
    if (count > 0) terms.push(merged);
    postings += count;
  }
  return { terms, postings };
}

/** Yields the terms of two sorted lists, each once, with their positions in both. */
function* alignTerms(old: string[], fresh: string[]): Generator<MergedTerm> {
  for (let a = 0, b = 0; a < old.length || b < fresh.length;) {
    const [first, second] = [old[a], fresh[b]];
    const isOld = first !== undefined && (second === undefined || first <= second);
    const isFresh = second !== undefined && (first === undefined || second <= first);
    yield { text: (isOld ? first : second) ?? '', lists: [isOld ? a++ : -1, isFresh ? b++ : -1] };
  }
}

const namesOf = ({ counts, tables }: Part) => readTerms(counts.terms, tables.termUnits, tables.termStarts);

function readTerms(terms: number, units: Uint16Array, starts: Uint32Array): string[] {
  return Array.from({ length: terms }, (_, term) =>
    String.fromCharCode(...units.subarray(starts[term], starts[term + 1])),
  );
}

/** Bytes of postings that are read at once. */
const READ_BYTES = 1 << 20;

/** Yields the terms of the pages of a segment with the postings of the remaining documents, under their new places. */
function pageSource({ counts, tables, pages, places }: Part): TermSource {
  const { insideUnits, insideTermStarts, insideStarts, insideFrequencies } = tables;
  const reader = openStoreReader(pages, 0, insideStarts[counts.insideTerms] ?? 0, READ_BYTES);
  let term = -1;
  const source: TermSource = {
    key: 0,
    rest: '',
    next() {
      if (++term === counts.insideTerms) return false;
      const start = insideTermStarts[term] ?? 0;
      const end = insideTermStarts[term + 1] ?? 0;
      source.key = keyOf(insideUnits[start] ?? 0, end - start > 1 ? (insideUnits[start + 1] ?? 0) : 0);
      source.rest = end - start > 2 ? String.fromCharCode(...insideUnits.subarray(start + 2, end)) : '';
      return true;
    },
    read(into) {
      const from = into.length;
      unpack(reader, insideFrequencies[term] ?? 0, into);
      const { data, length } = into;
      into.length = from;
      for (let at = from; at < length; at++) {
        const posting = data[at] ?? 0;
        const place = places[posting >>> SPREAD_BITS] ?? GONE;
        if (place !== GONE) data[into.length++] = ((place << SPREAD_BITS) | (posting & SPREADS)) >>> 0;
      }
    },
  };
  return source;
}

function countLiving(part: Part | undefined, term: number): number {
  if (!part || term < 0) return 0;
  const { postings, postingStarts } = part.tables;
  const end = postingStarts[term + 1] ?? 0;
  let count = 0;
  for (let at = postingStarts[term] ?? 0; at < end; at++)
    if (part.places[(postings[at] ?? 0) >>> FIELD_BITS] !== GONE) count++;
  return count;
}

/** Writes the postings of a term from both segments, ascending, from `start` on. Returns the position after the last posting. */
function writePostings(to: Uint32Array, start: number, parts: [Part, Part], lists: [number, number]): number {
  let end = start;
  parts.forEach(({ tables, places }, part) => {
    const term = lists[part] ?? -1;
    if (term < 0) return;
    const last = tables.postingStarts[term + 1] ?? 0;
    for (let at = tables.postingStarts[term] ?? 0; at < last; at++) {
      const posting = tables.postings[at] ?? 0;
      const place = places[posting >>> FIELD_BITS] ?? GONE;
      if (place !== GONE) to[end++] = ((place << FIELD_BITS) | (posting & ALL_FIELDS)) >>> 0;
    }
  });
  if (lists[0] >= 0 && lists[1] >= 0) to.subarray(start, end).sort();
  return end;
}
