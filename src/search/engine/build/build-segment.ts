import { createDictionaries, placeFacts } from '../format/dictionaries.ts';
import { createGrowing, push } from '../format/growing-list.ts';
import { writeDocument, type IndexedDocument } from '../format/document.ts';
import {
  allocateSegment,
  byLabel,
  copyColumns,
  createColumns,
  FIELD_BITS,
  FILTER_LABELS,
  LABEL_COLUMNS,
  MAX_DOCUMENTS,
  viewSegment,
} from '../format/layout.ts';
import { createMemoryWriter, type MainSegment, type StoreWriter } from '../format/page-store.ts';
import { termsOf } from './index-document.ts';
import { createPageRuns } from './page-runs.ts';
import { countPages, mergePages, writePages } from './term-source.ts';

export type SegmentBuilder = {
  /** Adds a document. Throws RangeError unless documents come in ascending order of ids, and when the segment is full. */
  add(document: IndexedDocument): void;
  /** Writes the postings of page text to the store, by default one in memory, and returns the segment. */
  finish(pages?: StoreWriter): MainSegment;
  /** Ends the build, finished or not. */
  close(): void;
};

/**
 * Builds a main segment. Postings are collected in the order of documents, each with the number of its term, and sorted
 * by term at the end (a counting sort). This takes about 8 bytes per posting while building: 200 MB for a million
 * documents. The postings of page text, forty times as many, are sorted in runs (page-runs.ts), in the file `runsPath`; null keeps them in
 * memory.
 */
export function createSegmentBuilder(runsPath: string | null = null, runPostings?: number): SegmentBuilder {
  const numbers = new Map<string, number>();
  const termOf = createGrowing(1 << 16);
  const postings = createGrowing(1 << 16);
  const runs = createPageRuns(runsPath, runPostings);
  const dictionaries = createDictionaries();
  const { themeSets, labels } = dictionaries;
  let columns = createColumns(1 << 12);
  let documents = 0;
  let lastId = -1;

  return {
    add(document) {
      if (document.id <= lastId || document.id >= 2 ** 32) throw new RangeError('documents out of order');
      if (documents === MAX_DOCUMENTS) throw new RangeError('too many documents for one segment');
      lastId = document.id;
      if (documents === columns.ids.length) columns = createColumns(documents * 2, columns);
      writeDocument(columns, documents, document, placeFacts(dictionaries, document));
      for (const [term, fields] of termsOf(document)) {
        let number = numbers.get(term);
        if (number === undefined) numbers.set(term, (number = numbers.size));
        push(termOf, number);
        push(postings, ((documents << FIELD_BITS) | fields) >>> 0);
      }
      for (const [spread, lexemes] of document.inside.entries()) runs.add(lexemes, documents, spread);
      documents++;
    },
    finish(pages = createMemoryWriter()) {
      const pageTerms = mergePages(runs.finish(), pages);
      const terms = [...numbers.keys()].sort(byUnits);
      const buffer = allocateSegment({
        documents,
        terms: terms.length,
        termUnits: terms.reduce((sum, term) => sum + term.length, 0),
        postings: postings.length,
        themeSets: themeSets.values.length,
        themes: themeSets.values.reduce((sum, set) => sum + set.length, 0),
        ...countPages(pageTerms),
        ...byLabel((label) => labels[label].values.length),
      });
      const views = viewSegment(buffer);
      copyColumns(views.columns, columns, documents);
      const { tables } = views;
      for (const label of LABEL_COLUMNS) tables[FILTER_LABELS[label].ids].set(labels[label].values);
      writeLists(themeSets.values, tables.themeStarts, (set, at) => tables.themes.set(set, at));
      writeLists(terms, tables.termStarts, (term, at) => {
        for (let unit = 0; unit < term.length; unit++) tables.termUnits[at + unit] = term.charCodeAt(unit);
      });
      sortPostings(tables, termOf, postings, placesOf(terms, numbers));
      writePages(tables, pageTerms);
      return { buffer, pages: pages.finish() };
    },
    close: runs.close,
  };
}

/** Compares terms by UTF-16 units, not by locale, as the binary search of segment.ts does. */
const byUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function writeLists<T extends { length: number }>(
  lists: T[],
  starts: Uint32Array,
  write: (list: T, at: number) => void,
): void {
  let at = 0;
  lists.forEach((list, index) => {
    starts[index] = at;
    write(list, at);
    at += list.length;
  });
  starts[lists.length] = at;
}

function placesOf(sorted: string[], numbers: Map<string, number>): Uint32Array {
  const places = new Uint32Array(sorted.length);
  sorted.forEach((term, place) => (places[numbers.get(term) ?? 0] = place));
  return places;
}

/** Writes the postings grouped by term: a counting sort. `places`: position of each term number in the sorted terms. */
function sortPostings(
  tables: { postings: Uint32Array; postingStarts: Uint32Array },
  termOf: { data: Uint32Array; length: number },
  postings: { data: Uint32Array },
  places: Uint32Array,
): void {
  const next = new Uint32Array(places.length);
  for (let index = 0; index < termOf.length; index++) {
    const place = places[termOf.data[index] ?? 0] ?? 0;
    next[place] = (next[place] ?? 0) + 1;
  }
  let at = 0;
  for (let place = 0; place < next.length; place++) {
    tables.postingStarts[place] = at;
    at += next[place] ?? 0;
    next[place] = tables.postingStarts[place] ?? 0;
  }
  tables.postingStarts[places.length] = at;
  for (let index = 0; index < termOf.length; index++) {
    const place = places[termOf.data[index] ?? 0] ?? 0;
    const to = next[place] ?? 0;
    tables.postings[to] = postings.data[index] ?? 0;
    next[place] = to + 1;
  }
}
