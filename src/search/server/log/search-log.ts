import type { Ctx } from '../../../context.ts';
import {
  deleteOldSearches,
  insertSearches,
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
const CLEANUP_MS = 3_600_000;

/** Logs a search. Searches are written in batches within two seconds; those of a process that ends earlier are lost. */
export function logSearch(ctx: Ctx, searched: Omit<Searched, 'at'>): void {
  const state = ctx.caches.search.log;
  if (state.rows.length >= MAX_PENDING) return;
  state.rows.push({ ...searched, query: maskPersonalData(searched.query), at: ctx.clock.now() });
  state.timer ??= setTimeout(() => {
    flushSearches(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'searches were not noted'));
  }, FLUSH_MS).unref();
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

export type SearchReport = {
  days: number;
  totals: SearchTotals;
  top: QueryCount[];
  /** Queries without results as typed; `forgiven` says how they were answered instead. */
  empty: QueryCount[];
  slow: QueryCount[];
};

/** Reports the searches of the last `days` (90 days are kept), with `limit` lines per list. */
export async function reportSearches(ctx: Ctx, days: number, limit: number): Promise<SearchReport> {
  const [totals, top, empty, slow] = await Promise.all([
    selectSearchTotals(ctx.db, days),
    selectTopQueries(ctx.db, days, { isFound: null, limit }),
    selectTopQueries(ctx.db, days, { isFound: false, limit }),
    selectSlowQueries(ctx.db, days, limit),
  ]);
  return { days, totals, top, empty, slow };
}

/** Formats a report for a terminal. */
export function reportText({ days, totals, top, empty, slow }: SearchReport): string {
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
  ].join('\n');
}

function list(title: string, rows: QueryCount[], facts: (row: QueryCount) => (string | number)[]): string[] {
  if (rows.length === 0) return [];
  // Strangers typed the queries: control characters must not reach the terminal.
  const lines = rows.map((row) =>
    [...facts(row).map((fact) => String(fact).padStart(9)), row.query.replace(/\p{C}/gu, '')].join('  '),
  );
  return ['', title, ...lines];
}
