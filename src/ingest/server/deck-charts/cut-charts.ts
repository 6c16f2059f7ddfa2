import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChartFrame } from '../../../charts/chart-data.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { runChild } from '../run-child.ts';

/** What the parent asks of the child: a JSON file, its path the only argument. */
export type CutJob = {
  pdf: string;
  outDir: string;
  /** JSON lines are appended here. */
  results: string;
  /** Pages the PDF must have: otherwise positions say nothing, and nothing is cut. */
  pages: number;
  frames: { index: number; page: number; frame: ChartFrame }[];
};

/** One chart cut: paths of the pictures, pixel size of the display image. */
export type CutLine = { index: number; display: string; original: string; width: number; height: number };

const CHILD = fileURLToPath(new URL('./cut-child.ts', import.meta.url));
const START_MS = 15_000;
const PAGE_MS = 3_000;
const MOST_MS = 120_000;

/**
 * Pictures of charts, cut from the pages of a deck's PDF drawn 1,920 px wide, by the index asked for. What could not be cut in time,
 * or at all, is missing from the answer; a chart without its picture is still a chart.
 */
export async function cutCharts(
  input: Omit<CutJob, 'results'> & { signal?: AbortSignal },
): Promise<Map<number, CutLine>> {
  const { signal, ...wanted } = input;
  if (wanted.frames.length === 0) return new Map();
  const jobFile = join(wanted.outDir, 'cut-job.json');
  const results = join(wanted.outDir, 'cut-results.jsonl');
  await writeFile(jobFile, JSON.stringify({ ...wanted, results } satisfies CutJob));
  await writeFile(results, '');
  const pages = new Set(wanted.frames.map(({ page }) => page)).size;
  const wallMs = Math.min(START_MS + pages * PAGE_MS, MOST_MS);
  await runChild({
    command: process.execPath,
    args: ['--max-old-space-size=1024', CHILD, jobFile],
    cwd: wanted.outDir,
    env: { PATH: '/usr/bin:/bin', HOME: wanted.outDir, TMPDIR: wanted.outDir, NODE_NO_WARNINGS: '1' },
    limits: { wallMs, cpuSeconds: Math.ceil(wallMs / 1_000), fileBytes: limits.convertFileBytes },
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  // The last line may be cut by a kill.
  const lines = (await readFile(results, 'utf8')).split('\n').slice(0, -1);
  // Written by `cut-child.ts`, one object a line.
  return new Map(lines.map((text) => JSON.parse(text) as CutLine).map((line) => [line.index, line]));
}
