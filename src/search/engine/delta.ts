import { createDictionaries, placeFacts } from './format/dictionaries.ts';
import { createGrowing, type Growing, push } from './format/growing-list.ts';
import { writeDocument, type IndexedDocument } from './format/document.ts';
import { createColumns, FIELD_BITS } from './format/layout.ts';
import { SPREAD_MARKS } from './format/inside.ts';
import { openUnpacked } from './match/inside-cursor.ts';
import type { PostingList } from './match/postings.ts';
import { createRemovals, type InsideList, type Segment } from './match/segment.ts';
import { eachInside, termsOf } from './build/index-document.ts';

export type Delta = Segment & { add(document: IndexedDocument): void };

/**
 * Creates the delta: the small segment of documents that changed after the main segment was built. Documents are only
 * appended, so that its postings are ascending: a document that changes again gets a new place, and its old place is
 * removed.
 */
export function createDelta(): Delta {
  // Terms are grouped by their first character, so that a prefix is not compared with all terms.
  const groups = new Map<string, Map<string, Growing>>();
  const insideGroups = new Map<string, Map<string, Growing>>();
  const places = new Map<number, number>();
  const dictionaries = createDictionaries();
  const removed = createRemovals(64);
  let columns = createColumns(64);
  let documents = 0;

  const listOf = ({ data, length }: Growing): PostingList => ({ data, from: 0, to: length, isSorted: true });

  const insideListOf = (list: Growing): InsideList => ({
    frequency: list.length,
    open: () => openUnpacked(listOf(list)),
  });

  return {
    get documents() {
      return documents;
    },
    get columns() {
      return columns;
    },
    ...dictionaries,
    find(term) {
      const list = groups.get(term.charAt(0))?.get(term);
      return list ? listOf(list) : null;
    },
    findPrefix(prefix) {
      const found: PostingList[] = [];
      for (const [term, list] of groups.get(prefix.charAt(0)) ?? [])
        if (term.startsWith(prefix)) found.push(listOf(list));
      return found;
    },
    findInside(term) {
      const list = insideGroups.get(term.charAt(0))?.get(term);
      return list ? insideListOf(list) : null;
    },
    findInsidePrefix(prefix, maxLists) {
      const found: InsideList[] = [];
      for (const [term, list] of insideGroups.get(prefix.charAt(0)) ?? [])
        if (term.startsWith(prefix) && found.length < maxLists) found.push(insideListOf(list));
      return found;
    },
    placeOf: (id) => places.get(id),
    dropRemoved: removed.drop,
    remove(place) {
      removed.add(place);
      places.delete(columns.ids[place] ?? 0);
    },
    get removed() {
      return removed.size;
    },
    add(document) {
      if (documents === columns.ids.length) columns = createColumns(documents * 2, columns);
      writeDocument(columns, documents, document, placeFacts(dictionaries, document));
      for (const [term, fields] of termsOf(document)) push(listIn(groups, term), (documents << FIELD_BITS) | fields);
      eachInside(document, (term, spread) =>
        push(listIn(insideGroups, term), (documents << FIELD_BITS) | (SPREAD_MARKS[spread] ?? 0)),
      );
      places.set(document.id, documents++);
    },
  };
}

/** Returns the postings of a term, which are empty for a new term. */
function listIn(groups: Map<string, Map<string, Growing>>, term: string): Growing {
  let group = groups.get(term.charAt(0));
  if (!group) groups.set(term.charAt(0), (group = new Map()));
  let list = group.get(term);
  if (!list) group.set(term, (list = createGrowing()));
  return list;
}
