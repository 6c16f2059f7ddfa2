import { findPlaces } from './format/dictionaries.ts';
import { createSegmentBuilder } from './build/build-segment.ts';
import { createDelta, type Delta } from './delta.ts';
import { writeColumns, type Change, type DocumentFacts, type IndexedDocument } from './format/document.ts';
import { SIGNIFICANT_TERMS } from '../decks/deck-similarity.ts';
import type { MainSegment } from './format/page-store.ts';
import { type DeckQuery, type GatheredPart, prepareDecks } from './match/gather.ts';
import type { Query, Result } from './match/query.ts';
import { prepareSearch, type Prepared } from './match/search-segments.ts';
import { openSegment, type Segment } from './match/segment.ts';

/** The index of one thread: the main segment, which all threads share, and a delta and removals, which each thread has for itself. */
export type Index = {
  search(query: Query): Result;
  prepare(query: Query): Prepared;
  prepareDecks(query: DeckQuery): { effort: number; run(): GatheredPart };
  /** Applies changes. A later change of a document replaces an earlier change; repeating a change has no effect. */
  apply(changes: Change[]): void;
  /** Tells whether a document is searchable and its segment has its theme set and its labels, so that a change of facts alone suffices. */
  canTakeFacts(facts: DocumentFacts): boolean;
  /** Returns the significant terms of a document (significant-terms.ts), as a view of the index; empty when it is not searchable. */
  significant(id: number): Uint16Array;
  stats(): IndexStats;
};

/** `documents`: searchable documents. `changed`: how many of them are in the delta. `removed`: places that a search skips. */
type IndexStats = { documents: number; changed: number; removed: number };

const NO_TERMS = new Uint16Array(0);

export const emptySegment = () => createSegmentBuilder().finish();

export function openIndex(segment: MainSegment): Index {
  const main = openSegment(segment);
  const delta = createDelta();
  const segments = [main, delta];

  function findHome(id: number): { segment: Segment; place: number } | null {
    for (const segment of segments) {
      const place = segment.placeOf(id);
      if (place !== undefined) return { segment, place };
    }
    return null;
  }

  function put(document: IndexedDocument): void {
    const home = findHome(document.id);
    if (home) {
      const isSameText = home.segment.columns.fingerprints[home.place] === document.fingerprint;
      if (isSameText && writeInPlace(home.segment, home.place, document)) return;
      home.segment.remove(home.place);
    }
    delta.add(document);
  }

  function putFacts(facts: DocumentFacts): void {
    const home = findHome(facts.id);
    if (home && !writeInPlace(home.segment, home.place, facts))
      throw new Error(`document ${facts.id} has a label or theme set that its segment lacks`);
  }

  return {
    search: (query) => prepareSearch(segments, query).run(),
    prepare: (query) => prepareSearch(segments, query),
    prepareDecks: (query) => prepareDecks(segments, query),
    apply(changes) {
      for (const change of changes) {
        if ('facts' in change) putFacts(change.facts);
        else if (change.document) put(change.document);
        else segments.forEach((segment) => removeFrom(segment, change.id));
      }
    },
    canTakeFacts(facts) {
      const home = findHome(facts.id);
      return home !== null && findPlaces(home.segment, facts) !== null;
    },
    significant(id) {
      const home = findHome(id);
      const from = (home?.place ?? 0) * SIGNIFICANT_TERMS;
      return home ? home.segment.columns.significant.subarray(from, from + SIGNIFICANT_TERMS) : NO_TERMS;
    },
    stats: () => statsOf(main, delta),
  };
}

/**
 * Overwrites the facts of a document whose text has not changed (a download, another theme). Returns false when the
 * document needs a new place. Threads that share the main segment write the same values, so their order does not
 * matter.
 */
function writeInPlace(segment: Segment, place: number, facts: DocumentFacts): boolean {
  const places = findPlaces(segment, facts);
  if (!places) return false;
  writeColumns(segment.columns, place, facts, places);
  return true;
}

function removeFrom(segment: Segment, id: number): void {
  const place = segment.placeOf(id);
  if (place !== undefined) segment.remove(place);
}

function statsOf(main: Segment, delta: Delta): IndexStats {
  const changed = delta.documents - delta.removed;
  return { documents: main.documents - main.removed + changed, changed, removed: main.removed + delta.removed };
}
