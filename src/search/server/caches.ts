import { LRUCache } from 'lru-cache';
import type { Named } from '../../library/contract.ts';
import { CLOSED_KINDS } from '../../library/taxonomy.ts';
import { createMemo } from '../../platform/memo.ts';
import type { Found } from './indexing/store-entries.ts';
import type { PageHit } from '../contract.ts';
import type { AnsweredCharts } from './charts/answer-charts.ts';
import type { SearchAnswer } from './find/answer-query.ts';
import type { MatchedDecks } from './find/match-decks.ts';
import type { Searched } from './log/store-log.ts';
import type { PopularQuery } from './suggest/related-queries.ts';
import { emptyVocabulary, type Vocabulary } from '../spelling/vocabulary.ts';

export type VocabularyState = {
  vocabulary: Vocabulary;
  /** Words that stand on pages and in no name: suggested after the others, and found by their pinyin. */
  pageWords: Vocabulary;
  /** Words of names, series and categories of charts, by which a search of charts is corrected. */
  chartWords: Vocabulary;
  madeAt: number;
  costMs: number;
  making: Promise<Vocabulary> | null;
};
/** Searches that wait to be written. */
type SearchLog = {
  rows: Searched[];
  timer: NodeJS.Timeout | null;
  cleanedUpAt: number;
  /** The last query without a result of each session, by the session's id. */
  misses: LRUCache<number, { query: string; at: number }>;
  /** When somebody's query was last counted, by a keyed hash of who asked what. */
  askers: LRUCache<string, number>;
};
const MAX_MISSES = 5_000;
/** About 10 MB. */
const MAX_ASKERS = 100_000;

/** Equal searches share an answer for a second, which is also how soon a change has to be visible. */
const ANSWERS_FRESH_MS = 1_000;
const MAX_ANSWERS = 300;
/** Matched decks take about 90 KB for each question. */
const MAX_MATCHED = 100;
/** Found documents stay valid while the index has not changed; the database writes the page entries of snippets some seconds after a text. */
const FOUND_FRESH_MS = 5_000;
const MAX_FOUND = 1_000;
/** New labels are rare, so they may appear some seconds late. */
const NAMES_FRESH_MS = 5_000;

const emptyVocabularyState = (): VocabularyState => ({
  vocabulary: emptyVocabulary(),
  pageWords: emptyVocabulary(),
  chartWords: emptyVocabulary(),
  madeAt: 0,
  costMs: 0,
  making: null,
});
const emptySearchLog = (): SearchLog => ({
  rows: [],
  timer: null,
  cleanedUpAt: 0,
  misses: new LRUCache({ max: MAX_MISSES }),
  askers: new LRUCache({ max: MAX_ASKERS }),
});

/** Creates the caches of search, in the memory of this process. The search index is not among them. */
export const createSearchCaches = () => ({
  found: createMemo<SearchAnswer>(FOUND_FRESH_MS, MAX_FOUND, ({ isIncomplete }) => !isIncomplete),
  similar: createMemo<number[]>(FOUND_FRESH_MS, MAX_ANSWERS),
  foundPages: createMemo<ReadonlyMap<number, PageHit[]>>(FOUND_FRESH_MS, MAX_FOUND),
  answers: createMemo<Found>(ANSWERS_FRESH_MS, MAX_ANSWERS),
  pageHits: createMemo<{ id: number; page: number; text: string }[]>(ANSWERS_FRESH_MS, MAX_ANSWERS),
  decks: createMemo<MatchedDecks>(ANSWERS_FRESH_MS, MAX_MATCHED),
  charts: createMemo<AnsweredCharts>(ANSWERS_FRESH_MS, MAX_ANSWERS),
  labels: createMemo<Named[]>(NAMES_FRESH_MS, CLOSED_KINDS.length),
  chartTypes: createMemo<Named[]>(NAMES_FRESH_MS, 1),
  popularQueries: createMemo<PopularQuery[]>(300_000, 1),
  /** Visitors who type the same letters get the same words, so the counts of suggestions are cached. */
  suggestionCounts: createMemo<number>(60_000, 5_000),
  vocabulary: emptyVocabularyState(),
  log: emptySearchLog(),
});
