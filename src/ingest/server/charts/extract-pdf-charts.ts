import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FigureLine } from '../render/child-jobs.ts';
import { failIfLost, openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';
import { chartOfAltText } from './alt-text.ts';
import { withoutNumbers } from './chart-part.ts';
import { isLarge } from './cut-frame.ts';
import { withPictures, type ExtractedChart } from './extract-charts.ts';

type ExtractPdfChartsInput = {
  /** Path of the uploaded PDF, which has been sniffed. */
  pdf: string;
  workDir: string;
  /** As of extractCharts. */
  isLast?: boolean;
  signal?: AbortSignal;
  /** The render child to use; left out, a child is started for this document. */
  slot?: RendererSlot;
};

const START_MS = 15_000;
const PAGE_MS = 500;
const MAX_MS = 60_000;
const MAX_CHARTS = 1_000;

/**
 * Returns the charts of a tagged PDF, as Office and LibreOffice write it: large figures whose alternative text
 * describes a chart, with a picture and without numbers. Figures that could not be read in time are left out. Throws
 * the reason of the signal when aborted, and ChildLost.
 */
export async function extractPdfCharts(input: ExtractPdfChartsInput): Promise<ExtractedChart[]> {
  const { pdf, workDir, isLast = false, signal, slot = openRendererSlot() } = input;
  const results = join(workDir, 'figures.jsonl');
  const startedAt = Date.now();
  try {
    const outcome = await slot.run({
      job: { kind: 'find-figures', pdf, results },
      until: (pages) => startedAt + Math.min(START_MS + pages * PAGE_MS, MAX_MS),
      signal,
    });
    signal?.throwIfAborted();
    if (!outcome.timedOut) failIfLost(outcome, 'finds the figures');
    // A kill may cut the last line. Safe: `pdf-figures.ts` writes one object a line.
    const lines = (await readFile(results, 'utf8')).split('\n').slice(0, -1);
    const found = lines.map((line) => JSON.parse(line) as FigureLine);
    const pages = found.find((line) => line.kind === 'document')?.pageCount ?? 0;
    const charts = found.flatMap((line) => {
      if (line.kind !== 'figure' || !isLarge(line.frame)) return [];
      const chart = chartOfAltText({ name: '', title: '', descr: line.alt });
      return chart ? [{ page: line.page, frame: line.frame, ...withoutNumbers(chart.type), isDrawn: true }] : [];
    });
    return await withPictures({ pages, charts: charts.slice(0, MAX_CHARTS) }, { pdf, workDir, isLast, signal, slot });
  } finally {
    if (!input.slot) slot.close();
  }
}
