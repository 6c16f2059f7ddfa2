import { KINDS } from './questions.ts';
import type { Row, Spread } from './measure.ts';

const MB = 1_048_576;
const HEAD = [
  'engine',
  'build s',
  'start ms',
  'memory MB',
  'disk MB',
  'all p50/p95/p99 ms',
  'p95 / ours',
  'queries/s',
  'ours / queries/s',
  'change ms',
  'wrong totals',
];

/** Two tables in Markdown: the engines, and their p50/p95/p99 for each kind of query. */
export function tablesOf(rows: Row[]): string {
  const oursP95 = rows[0]?.measured?.all.p95 ?? 0;
  const oursPerSecond = rows[0]?.measured?.perSecond ?? 0;
  const first = rows.map(({ engine, missing, measured }) => {
    if (!measured) return [engine, missing ?? ''];
    const { buildMs, loadMs, memory, disk, all, perSecond, wrongTotals, asked, change } = measured;
    return [
      engine,
      (buildMs / 1_000).toFixed(1),
      loadMs === null ? 'none kept' : loadMs.toFixed(0),
      engine === 'PostgreSQL' ? 'a server' : (memory / MB).toFixed(0),
      disk === null ? '–' : (disk / MB).toFixed(0),
      text(all),
      oursP95 > 0 ? (all.p95 / oursP95).toFixed(1) : '–',
      perSecond.toFixed(0),
      perSecond > 0 ? (oursPerSecond / perSecond).toFixed(2) : '–',
      change ? `${change.p50.toPrecision(2)} / ${change.p95.toPrecision(2)}` : '–',
      wrongTotals === null ? '–' : `${wrongTotals} of ${asked}`,
    ];
  });
  const kinds = KINDS.filter((kind) => rows.some(({ measured }) => measured?.kinds[kind]));
  const second = rows.flatMap(({ engine, measured }) =>
    measured ? [[engine, ...kinds.map((kind) => text(measured.kinds[kind]))]] : [],
  );
  return `${table(HEAD, first)}\n\n${table(['p50/p95/p99 ms', ...kinds], second)}`;
}

const text = (spread: Spread | undefined) =>
  spread
    ? [spread.p50, spread.p95, spread.p99]
        .map((ms) => ms.toPrecision(2))
        .map(Number)
        .join(' / ')
    : '–';

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${head.map((_, at) => cells[at] ?? '').join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
