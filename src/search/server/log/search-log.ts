import type { Ctx } from '../../../context.ts';
import type { Db } from '../../../platform/db/client.ts';
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
/** More at once means that the database is not keeping up: the log must not eat the memory. */
const MOST = 2_000;
const TIDY_MS = 3_600_000;

type Waiting = { rows: Searched[]; timer: NodeJS.Timeout | null; tidiedAt: number };
const waiting = new WeakMap<Db, Waiting>();

/** Notes a search. Written within two seconds, with others; lost when the process ends before, which nobody minds. */
export function logSearch(ctx: Ctx, searched: Omit<Searched, 'at'>): void {
  const state = waiting.get(ctx.db) ?? { rows: [], timer: null, tidiedAt: 0 };
  waiting.set(ctx.db, state);
  if (state.rows.length >= MOST) return;
  state.rows.push({ ...searched, query: maskPersonalData(searched.query), at: ctx.clock.now() });
  state.timer ??= setTimeout(() => {
    flushSearches(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'searches were not noted'));
  }, FLUSH_MS).unref();
}

/** Writes what waits. */
export async function flushSearches(ctx: Ctx): Promise<void> {
  const state = waiting.get(ctx.db);
  if (!state) return;
  if (state.timer) clearTimeout(state.timer);
  state.timer = null;
  const rows = state.rows.splice(0);
  if (rows.length > 0) await insertSearches(ctx.db, rows);
  if (ctx.clock.now() - state.tidiedAt < TIDY_MS) return;
  state.tidiedAt = ctx.clock.now();
  await deleteOldSearches(ctx.db);
}

/** Telephone, order and identity numbers, mail addresses: somebody pastes everything into a search box. */
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
  /** Found nothing as typed; `forgiven` says what was shown instead. */
  empty: QueryCount[];
  slow: QueryCount[];
};

/** What was searched for in the last `days` (at most 90 are kept), `limit` lines a list. */
export async function reportSearches(ctx: Ctx, days: number, limit: number): Promise<SearchReport> {
  const [totals, top, empty, slow] = await Promise.all([
    selectSearchTotals(ctx.db, days),
    selectTopQueries(ctx.db, days, { isFound: null, limit }),
    selectTopQueries(ctx.db, days, { isFound: false, limit }),
    selectSlowQueries(ctx.db, days, limit),
  ]);
  return { days, totals, top, empty, slow };
}

/** For a terminal. */
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
  // Queries are what strangers typed: no control character of theirs reaches the terminal.
  const lines = rows.map((row) =>
    [...facts(row).map((fact) => String(fact).padStart(9)), row.query.replace(/\p{C}/gu, '')].join('  '),
  );
  return ['', title, ...lines];
}
