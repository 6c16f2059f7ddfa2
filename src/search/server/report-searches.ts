import type { Ctx } from '../../context.ts';
import { searchTotals, slowQueries, topQueries, type QueryCount, type SearchTotals } from './store-log.ts';

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
    searchTotals(ctx.db, days),
    topQueries(ctx.db, days, { isFound: null, limit }),
    topQueries(ctx.db, days, { isFound: false, limit }),
    slowQueries(ctx.db, days, limit),
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
