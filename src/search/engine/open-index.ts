import { createSegmentBuilder } from './build-segment.ts';
import { createDelta, type Delta } from './delta.ts';
import { writeColumns, type Change, type IndexedDocument } from './document.ts';
import type { Query, Result } from './query.ts';
import { prepareSearch, type Prepared } from './search-segments.ts';
import { openSegment, type Segment } from './segment.ts';

/** The index as one thread sees it: a shared main segment, and a delta and removals of its own. */
export type Index = {
  search(query: Query): Result;
  prepare(query: Query): Prepared;
  /** Later changes of a document replace earlier ones; the same change again does nothing. */
  apply(changes: Change[]): void;
  stats(): IndexStats;
};

/** `documents` living; `changed` of them in the delta; `removed` places that are only skipped. */
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
 * A change that leaves the text alone (a download, a new theme) needs no new place. Threads that share the main segment
 * write the same values there, so it does not matter which comes first.
 */
function writeInPlace(segment: Segment, place: number, document: IndexedDocument): boolean {
  const themeSet = segment.themeSets.find(document.themeIds);
  const industry = segment.industries.find(document.industryId);
  const isSameText = segment.columns.fingerprints[place] === document.fingerprint;
  if (!isSameText || themeSet === undefined || industry === undefined) return false;
  writeColumns(segment.columns, place, document, { themeSet, industry });
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
