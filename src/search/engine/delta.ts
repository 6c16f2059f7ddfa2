import { createGrowing, createIndustries, createThemeSets, type Growing, push } from './build-columns.ts';
import { writeColumns, type IndexedDocument } from './document.ts';
import { createColumns, FIELD_BITS } from './layout.ts';
import { createRemovals, type PostingList, type Segment } from './segment.ts';
import { termsOf } from './index-document.ts';

export type Delta = Segment & { add(document: IndexedDocument): void };

/**
 * The small segment that takes what has changed since the main one was built. Only ever appended to, so its postings
 * are ascending too: a document that changes again gets a new place, and the old one is removed.
 */
export function createDelta(): Delta {
  // By their first character, so that a prefix need not be looked for in all of them.
  const groups = new Map<string, Map<string, Growing>>();
  const places = new Map<number, number>();
  const themeSets = createThemeSets();
  const industries = createIndustries();
  const removed = createRemovals(64);
  let columns = createColumns(64);
  let documents = 0;

  const listOf = ({ data, length }: Growing): PostingList => ({ data, from: 0, to: length, isSorted: true });

  return {
    get documents() {
      return documents;
    },
    get columns() {
      return columns;
    },
    themeSets,
    industries,
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
      const filed = { themeSet: themeSets.place(document.themeIds), industry: industries.place(document.industryId) };
      writeColumns(columns, documents, document, filed);
      for (const [term, fields] of termsOf(document)) {
        let group = groups.get(term.charAt(0));
        if (!group) groups.set(term.charAt(0), (group = new Map()));
        let list = group.get(term);
        if (!list) group.set(term, (list = createGrowing()));
        push(list, (documents << FIELD_BITS) | fields);
      }
      places.set(document.id, documents++);
    },
  };
}
