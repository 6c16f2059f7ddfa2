import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CutJob, CutLine } from '../render/child-jobs.ts';
import { failIfLost, type RendererSlot } from '../render/renderer-slot.ts';

const START_MS = 15_000;
const PAGE_MS = 3_000;
const MAX_MS = 120_000;

/**
 * Cuts pictures of charts out of the pages of a deck's PDF, drawn 1,920 px wide. Returns them by the index of the
 * chart. A chart that could not be cut, or not in time, is left out; it is then shown without a picture. Throws
 * ChildLost unless `isLast`: the charts are then shown without the pictures that were not cut.
 */
export async function cutCharts(
  input: Omit<CutJob, 'kind' | 'results'> & { isLast?: boolean; signal?: AbortSignal; slot: RendererSlot },
): Promise<Map<number, CutLine>> {
  const { isLast, signal, slot, ...wanted } = input;
  if (wanted.frames.length === 0) return new Map();
  const results = join(wanted.outDir, 'cut-results.jsonl');
  const pages = new Set(wanted.frames.map(({ page }) => page)).size;
  const end = Date.now() + Math.min(START_MS + pages * PAGE_MS, MAX_MS);
  const outcome = await slot.run({ job: { kind: 'cut-charts', ...wanted, results }, until: () => end, signal });
  signal?.throwIfAborted();
  if (!outcome.timedOut && !isLast) failIfLost(outcome, 'cuts the charts');
  // A kill may cut the last line.
  const lines = (await readFile(results, 'utf8')).split('\n').slice(0, -1);
  // Safe: `cut-pages.ts` writes one object a line.
  return new Map(lines.map((text) => JSON.parse(text) as CutLine).map((line) => [line.index, line]));
}
