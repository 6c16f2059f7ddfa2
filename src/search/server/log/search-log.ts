import type { Ctx } from '../../../context.ts';
import { addressNetwork } from '../../../protocol/address-group.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { queryWords } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';
import { refreshVocabulary } from '../words/vocabulary.ts';
import { proposeSynonyms, type Proposal } from './propose-synonyms.ts';
import {
  deleteOldSearches,
  insertSearches,
  selectChangedQueries,
  type QueryCount,
  type Searched,
  selectSearchTotals,
  type SearchTotals,
  selectSlowQueries,
  selectTopQueries,
} from './store-log.ts';

const FLUSH_MS = 2_000;
/** Searches beyond this number are not logged: the database does not keep up, and memory must not grow. */
const MAX_PENDING = 2_000;
/** Queries that proposals are made from. */
const CONSIDERED = 1_000;
const CLEANUP_MS = 3_600_000;

/** Somebody's query counts once in this time, which is also how far back related queries are counted. */
export const PEOPLE_DAYS = 30;

/** A query within this time after one that found nothing is the same person's other attempt. */
const CHANGED_WITHIN_MS = 120_000;

/** Logs a search. Searches are written in batches within two seconds; those of a process that ends earlier are lost. */
export function logSearch(ctx: Ctx, searched: Omit<Searched, 'at' | 'insteadOf' | 'isRepeat'>): void {
  const state = ctx.caches.search.log;
  const query = maskPersonalData(searched.query);
  const insteadOf = missBefore(ctx, query, searched.found);
  if (state.rows.length >= MAX_PENDING) return;
  state.rows.push({ ...searched, query, insteadOf, isRepeat: isRepeat(ctx, query), at: ctx.clock.now() });
  state.timer ??= setTimeout(() => {
    flushSearches(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'searches were not noted'));
  }, FLUSH_MS).unref();
}

/**
 * True when the same member, or a visitor of the same network, made a query of this meaning within PEOPLE_DAYS, as far as this process
 * remembers: not before its start, not at other nodes, and the last 100,000 at most.
 */
function isRepeat(ctx: Ctx, query: string): boolean {
  const { askers } = ctx.caches.search.log;
  const { ip } = ctx.request;
  const asker = ctx.session ? `member ${ctx.session.userId}` : (addressNetwork(ip) ?? ip);
  const key = ctx.signer.sign('search asker', asker, meaningOf(query));
  const now = ctx.clock.now();
  const countedAt = askers.get(key);
  if (countedAt !== undefined && now - countedAt < PEOPLE_DAYS * DAY_MS) return true;
  askers.set(key, now);
  return false;
}

/** Returns what is equal for queries of the same words in another order, width or case. */
export const meaningOf = (query: string): string =>
  queryWords(query, cutWords)
    .map(({ forms }) =>
      forms
        .map(({ text }) => text)
        .sort()
        .join('|'),
    )
    .sort()
    .join(' ');

/** Returns the query without a result that this session made just before, once, and remembers this one when it found nothing. */
function missBefore(ctx: Ctx, query: string, found: number): string {
  if (!ctx.session) return '';
  const { misses } = ctx.caches.search.log;
  const { id } = ctx.session;
  const now = ctx.clock.now();
  const before = misses.get(id);
  if (found === 0) {
    misses.set(id, { query, at: now });
    return '';
  }
  misses.delete(id);
  return before && now - before.at <= CHANGED_WITHIN_MS && before.query !== query ? before.query : '';
}

/** Writes the pending searches. */
export async function flushSearches(ctx: Ctx): Promise<void> {
  const state = ctx.caches.search.log;
  if (state.timer) clearTimeout(state.timer);
  state.timer = null;
  const rows = state.rows.splice(0);
  if (rows.length > 0) await insertSearches(ctx.db, rows);
  if (ctx.clock.now() - state.cleanedUpAt < CLEANUP_MS) return;
  state.cleanedUpAt = ctx.clock.now();
  await deleteOldSearches(ctx.db);
}

/** Masks phone, order and identity numbers and mail addresses, which people paste into search boxes. */
export function maskPersonalData(query: string): string {
  return query
    .replace(/\S+@\S+/gu, '***')
    .replace(/\p{Nd}(?:[\p{Nd}xX -]*\p{Nd})?/gu, (number) =>
      number.replace(/[^\p{Nd}]/gu, '').length > 8 ? '***' : number,
    );
}

type SearchReport = {
  days: number;
  totals: SearchTotals;
  top: QueryCount[];
  /** Queries without results as typed; `forgiven` says how they were answered instead. */
  empty: QueryCount[];
  slow: QueryCount[];
  /** Lines for SYNONYMS_FILE that queries suggest. */
  proposed: Proposal[];
};

/** Reports the searches of the last `days` (90 days are kept), with `limit` lines per list. */
export async function reportSearches(ctx: Ctx, days: number, limit: number): Promise<SearchReport> {
  const [totals, top, empty, slow, changed, { byText }] = await Promise.all([
    selectSearchTotals(ctx.db, days),
    selectTopQueries(ctx.db, days, { isFound: null, limit }),
    selectTopQueries(ctx.db, days, { isFound: false, limit }),
    selectSlowQueries(ctx.db, days, limit),
    selectChangedQueries(ctx.db, days, CONSIDERED),
    refreshVocabulary(ctx),
  ]);
  const misses = await selectTopQueries(ctx.db, days, { isFound: false, limit: CONSIDERED });
  const proposed = proposeSynonyms({ changed, misses, isKnown: (text) => byText.has(text) }).slice(0, limit);
  return { days, totals, top, empty, slow, proposed };
}

/** Formats a report for a terminal. */
export function reportText({ days, totals, top, empty, slow, proposed }: SearchReport): string {
  if (totals.searches === 0) return `No searches in the last ${days} days.`;
  const share = (part: number) => `${part} (${((100 * part) / totals.searches).toFixed(1)} %)`;
  const ms = (value: number | null) => `${(value ?? 0).toFixed(1)} ms`;
  return [
    `Last ${days} days: ${totals.searches} searches of ${totals.queries} queries; p50 ${ms(totals.p50)}, p95 ${ms(totals.p95)}, p99 ${ms(totals.p99)}`,
    `Nothing found as typed: ${share(totals.empty)}; answered by another spelling: ${share(totals.corrected)}, with words left out: ${share(totals.dropped)}`,
    ...list('Most searched (searches, found, query)', top, (row) => [row.searches, row.found]),
    ...list('Nothing found (searches, shown instead, query)', empty, (row) => [
      row.searches,
      row.forgiven || 'nothing',
    ]),
    ...list('Slowest (slowest ms, searches, query)', slow, (row) => [row.ms.toFixed(1), row.searches]),
    ...list(
      'Proposed for SYNONYMS_FILE, to be checked and completed (searches, line)',
      proposed.map(({ times, line }) => ({ times, query: line })),
      (row) => [row.times],
    ),
  ].join('\n');
}

function list<Row extends { query: string }>(
  title: string,
  rows: Row[],
  facts: (row: Row) => (string | number)[],
): string[] {
  if (rows.length === 0) return [];
  // Strangers typed the queries: control characters must not reach the terminal.
  const lines = rows.map((row) =>
    [...facts(row).map((fact) => String(fact).padStart(9)), row.query.replace(/\p{C}/gu, '')].join('  '),
  );
  return ['', title, ...lines];
}
