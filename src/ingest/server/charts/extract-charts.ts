import type { FoundChart } from '../../../charts/chart-data.ts';
import type { CutLine } from '../render/child-jobs.ts';
import { cutCharts } from './cut-charts.ts';
import type { DeckCharts } from './read-charts.ts';
import { readChartsInChild } from './read-deck.ts';
import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';

export type ExtractedChart = FoundChart & {
  /** Paths of the pictures in the work folder, stored under `chartKeys`; null without a picture. */
  files: { display: string; original: string } | null;
};

type ExtractChartsInput = {
  /** Path of the PPTX, which has been sniffed. */
  path: string;
  /** Path of the PDF of the deck; null when there is none: charts then have no pictures. */
  pdf: string | null;
  workDir: string;
  /** Whether the charts are not read again when this fails: the loss of the child that cuts them leaves them without pictures. */
  isLast?: boolean;
  signal?: AbortSignal;
  /** The render child to use; left out, a child is started for this deck. */
  slot?: RendererSlot;
};

/**
 * Returns the charts of a PPTX with their numbers, and pictures cut from its PDF when it has as many pages as slides. A
 * picture is a chart only when its alternative text says so. Throws RefusedError as `openZip` does, ChildLost, and
 * the reason of the signal when aborted.
 */
export async function extractCharts(input: ExtractChartsInput): Promise<ExtractedChart[]> {
  const { path, pdf, isLast = false, ...reading } = input;
  const slot = input.slot ?? openRendererSlot();
  try {
    const deck = await readChartsInChild({ path, ...reading, slot });
    return await withPictures(deck, { pdf, isLast, ...reading, slot });
  } finally {
    if (!input.slot) slot.close();
  }
}

/** Returns the charts with pictures cut from a PDF of `pages` pages; without pictures when there is no PDF. */
export async function withPictures(
  { charts, pages }: DeckCharts,
  { pdf, workDir, isLast = false, signal, slot }: Omit<ExtractChartsInput, 'path' | 'slot'> & { slot: RendererSlot },
): Promise<ExtractedChart[]> {
  const frames = charts.flatMap(({ page, frame, isDrawn }, index) =>
    frame && isDrawn ? [{ index, page, frame }] : [],
  );
  const cuts =
    pdf === null
      ? new Map<number, CutLine>()
      : await cutCharts({ pdf, outDir: workDir, pages, frames, isLast, slot, ...(signal && { signal }) });
  return charts.map(({ isDrawn: _isDrawn, ...chart }, index) => {
    const cut = cuts.get(index);
    return {
      ...chart,
      image: cut ? { width: cut.width, height: cut.height } : null,
      files: cut ? { display: cut.display, original: cut.original } : null,
    };
  });
}
