/**
 * The pages and charts that the specification lets each reader see, as the crawl expects them. Written from C-21, C-26, C-37 to C-41, C-76, C-112
 * and section 6, and on purpose without the code's own rules: a rule that is wrong in the code must not be wrong here as well.
 */

export type ReaderName = 'visitor' | 'ordinary' | 'standard' | 'advanced' | 'over-limit' | 'owner';

/**
 * The reader `owner` has bought the documents that are `owned`, `hidden` or `removed`. `hidden`: off the shelf by the
 * operator. `removed`: taken down for rights. `unpublished`: never shown.
 */
export type Standing = 'published' | 'owned' | 'hidden' | 'removed' | 'unpublished';

type CrawledDocument = { pageCount: number; standing: Standing };

type Rights = {
  /** The last page of which image, words, text and hits may be seen; -1 for all pages. */
  lastPage: number;
  /** The last page of a document that the reader owns. */
  lastOwnedPage: number;
  /** How many results of one keyword search; -1 for all. */
  results: number;
  /** The numbers of charts as a file (C-39). */
  chartFiles: boolean;
};

const ALL = -1;
const TEN = 10;

const RIGHTS: Record<ReaderName, Rights> = {
  // C-21: facts, text excerpt and outline, no page. C-37: ten results.
  visitor: { lastPage: 0, lastOwnedPage: 0, results: TEN, chartFiles: false },
  // C-40, C-76: ten pages. C-41: what one owns may always be opened.
  ordinary: { lastPage: TEN, lastOwnedPage: ALL, results: TEN, chartFiles: false },
  owner: { lastPage: TEN, lastOwnedPage: ALL, results: TEN, chartFiles: false },
  // C-37, C-40, C-41.
  standard: { lastPage: ALL, lastOwnedPage: ALL, results: ALL, chartFiles: false },
  // C-39.
  advanced: { lastPage: ALL, lastOwnedPage: ALL, results: ALL, chartFiles: true },
  // C-40: a standard member over the reads of the month has the ordinary preview, and still searches without limit.
  'over-limit': { lastPage: TEN, lastOwnedPage: ALL, results: ALL, chartFiles: false },
};

// Safe: the keys of RIGHTS are all names.
export const READERS = Object.keys(RIGHTS) as ReaderName[];

const isOwner = (reader: ReaderName, { standing }: CrawledDocument) =>
  reader === 'owner' && (standing === 'owned' || standing === 'hidden');
const isShown = ({ standing }: CrawledDocument) => standing === 'published' || standing === 'owned';

/** Returns the last page of a document that a reader may see; 0 for none (C-40, C-41, C-112). */
export function lastPageFor(reader: ReaderName, document: CrawledDocument): number {
  if (!isShown(document)) return 0;
  const { lastPage, lastOwnedPage } = RIGHTS[reader];
  const last = isOwner(reader, document) ? lastOwnedPage : lastPage;
  return last === ALL ? document.pageCount : Math.min(last, document.pageCount);
}

/**
 * Returns the last page of which lines of text may be seen. Visitors see an excerpt, and lines in search answers (C-21):
 * of the pages that a login would show them.
 */
export const lastTextPageFor = (reader: ReaderName, document: CrawledDocument) =>
  lastPageFor(reader === 'visitor' ? 'ordinary' : reader, document);

/** Returns the last page whose lines search answers may quote; members have no limit (section 6: unlimited report search). */
export const lastFoundPageFor = (reader: ReaderName, document: CrawledDocument) =>
  resultsFor(reader) === null ? lastPageFor('standard', document) : lastTextPageFor(reader, document);

/**
 * Whether a reader may have the whole file: as PDF in the browser with the right to all pages (C-41), as a download when
 * it is owned, also off the shelf unless it was taken down for rights (C-112). None of the readers has coins left.
 */
export const mayHaveWhole = (reader: ReaderName, document: CrawledDocument) =>
  isOwner(reader, document) || (isShown(document) && RIGHTS[reader].lastPage === ALL);

/** Whether a reader may have the numbers of charts as a file (C-39). */
export const mayHaveChartFiles = (reader: ReaderName, document: CrawledDocument) =>
  isShown(document) && RIGHTS[reader].chartFiles;

/** Whether an answer to a reader may name a document; owners keep the row of what is off the shelf (C-112). */
export const mayBeNamed = (reader: ReaderName, document: CrawledDocument) =>
  isShown(document) || (reader === 'owner' && (document.standing === 'hidden' || document.standing === 'removed'));

/** Returns how many results of one keyword search a reader may see; null for all (C-37). */
export function resultsFor(reader: ReaderName): number | null {
  const { results } = RIGHTS[reader];
  return results === ALL ? null : results;
}
