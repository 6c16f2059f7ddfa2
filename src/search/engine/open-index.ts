import { findPlaces } from './build/build-columns.ts';
import { createSegmentBuilder } from './build/build-segment.ts';
import { createDelta, type Delta } from './delta.ts';
import { writeColumns, type Change, type IndexedDocument } from './format/document.ts';
import { type DeckQuery, type Gathered, prepareDecks } from './match/gather.ts';
import type { Query, Result } from './match/query.ts';
import { prepareSearch, type Prepared } from './match/search-segments.ts';
import { openSegment, type Segment } from './match/segment.ts';

/** The index of one thread: the main segment, which all threads share, and a delta and removals, which each thread has for itself. */
export type Index = {
  search(query: Query): Result;
  prepare(query: Query): Prepared;
  prepareDecks(query: DeckQuery): { effort: number; run(): Gathered };
  /** Applies changes. A later change of a document replaces an earlier change; repeating a change has no effect. */
  apply(changes: Change[]): void;
  stats(): IndexStats;
};

/** `documents`: searchable documents. `changed`: how many of them are in the delta. `removed`: places that a search skips. */
export type IndexStats = { documents: number; changed: number; removed: number };

export const emptySegment = () => createSegmentBuilder().finish();

export function openIndex(buffer: SharedArrayBuffer): Index {
  const main = openSegment(buffer);
  const delta = createDelta();
  const segments = [main, delta];

  function put(document: IndexedDocument): void {
    const home = segments.find((segment) => segment.placeOf(document.id) !== undefined);
    const place = home?.placeOf(document.id);
    if (home && place !== undefined) {
      if (writeInPlace(home, place, document)) return;
      home.remove(place);
    }
    delta.add(document);
  }

  return {
    search: (query) => prepareSearch(segments, query).run(),
    prepare: (query) => prepareSearch(segments, query),
    prepareDecks: (query) => prepareDecks(segments, query),
    apply(changes) {
      for (const { id, document } of changes) {
        if (document) put(document);
        else segments.forEach((segment) => removeFrom(segment, id));
      }
    },
    stats: () => statsOf(main, delta),
  };
}

/**
 * Overwrites the facts of a document whose text has not changed (a download, another theme). Returns false when the
 * document needs a new place. Threads that share the main segment write the same values, so their order does not
 * matter.
 */
function writeInPlace(segment: Segment, place: number, document: IndexedDocument): boolean {
  const isSameText = segment.columns.fingerprints[place] === document.fingerprint;
  const places = isSameText ? findPlaces(segment, document) : null;
  if (!places) return false;
  writeColumns(segment.columns, place, document, places);
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
