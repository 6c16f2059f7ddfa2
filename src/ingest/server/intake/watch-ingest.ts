import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { printable } from '../../../platform/command-line.ts';
import { STEPS } from '../../steps.ts';
import { countItems, countItemsOfOpenBatches, selectLastProblem, type ItemCounts } from '../store/items.ts';
import { countSteps } from '../store/steps.ts';

const EVERY_MS = 1_000;
/** The pause after a count is this many times longer than the count. */
const PAUSE_FACTOR = 20;
const PLAIN_EVERY_MS = 10_000;
const BAR = 30;

type WatchView = {
  counts: ItemCounts;
  /** Number of files in each running step. */
  running: Record<string, number>;
  perMinute: number;
  problem: { path: string; message: string } | null;
};

/**
 * Shows the progress of ingest on stderr until every file has a result: redrawn in place on a terminal, otherwise a
 * line every ten seconds. Shows one batch, or all open batches, of any process. A batch that still grows to `expected`
 * files is watched until the signal.
 */
export async function watchIngest(ctx: Ctx, batchId: number | null, signal: AbortSignal, expected = 0): Promise<void> {
  const isGrowing = expected > 0;
  const isTerminal = process.stderr.isTTY === true;
  let drawnLines = 0;
  let drawnAt = 0;
  for (;;) {
    const begunAt = performance.now();
    const view = await readView(ctx, batchId);
    // Counting a batch of 100,000 files must not cause load of its own.
    const pause = Math.max(EVERY_MS, (performance.now() - begunAt) * PAUSE_FACTOR);
    const isOver = !isGrowing && view.counts.queued + view.counts.running === 0;
    if (isTerminal || isOver || Date.now() - drawnAt >= PLAIN_EVERY_MS) {
      const lines = linesOf(view, expected);
      if (isTerminal && drawnLines > 0) process.stderr.write(`\x1b[${drawnLines}A`);
      process.stderr.write(isTerminal ? lines.map((line) => `\x1b[2K${line}\n`).join('') : `${lines.join(' | ')}\n`);
      drawnLines = lines.length;
      drawnAt = Date.now();
    }
    if (isOver || signal.aborted) return;
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

async function readView(ctx: Ctx, batchId: number | null): Promise<WatchView> {
  const [counts, steps, problem] = await Promise.all([
    batchId === null ? countItemsOfOpenBatches(ctx.db) : countItems(ctx.db, batchId),
    countSteps(ctx.db),
    selectLastProblem(ctx.db, batchId),
  ]);
  return { counts, ...steps, problem };
}

/** Returns the lines to show for one state of the batch. */
export function linesOf({ counts, running, perMinute, problem }: WatchView, expected = 0): string[] {
  const known = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const done = known - counts.queued - counts.running;
  const total = Math.max(known, expected);
  const open = total - done;
  const share = total > 0 ? done / total : 1;
  const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░');
  const remaining = open > 0 && perMinute > 0 ? ` · ${durationOf((open / perMinute) * 60)} left` : '';
  const steps = STEPS.filter((step) => running[step]).map((step) => `${step} ${running[step]}`);
  const ends = (['published', 'duplicate', 'waiting', 'refused', 'failed'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${state}`);
  return [
    `${bar} ${done}/${total} · ${perMinute} documents/min${remaining}`,
    `now: ${steps.join(', ') || 'nothing'} · ${counts.queued} queued`,
    `so far: ${ends.join(', ') || 'nothing'}`,
    ...(problem ? [printable(`last problem: ${problem.path}: ${problem.message}`).slice(0, 160)] : []),
  ];
}

function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
