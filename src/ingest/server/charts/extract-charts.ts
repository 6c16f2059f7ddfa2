import type { FoundChart } from '../../../charts/chart-data.ts';
import type { CutLine } from '../render/child-jobs.ts';
import { cutCharts } from './cut-charts.ts';
import type { DeckCharts } from './read-charts.ts';
import { readChartsInChild } from './read-deck.ts';
import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';

export type ExtractedChart = FoundChart & {
  /** Paths in the work folder, to be stored under `chartKeys`; null without a picture. */
  files: { display: string; original: string } | null;
};

export type ExtractChartsInput = {
  /** The PPTX, sniffed. */
  path: string;
  /** The PDF made of it; null while there is none: then charts come without pictures. */
  pdf: string | null;
  workDir: string;
  signal?: AbortSignal;
  /** A warm child to draw with; left out, one is started for this deck. */
  slot?: RendererSlot;
};

/**
 * The charts of a PPTX with their numbers, and pictures cut from its PDF where slides and pages agree. A picture counts
 * as one where a program wrote so beside it; none is guessed at by its looks. Throws RefusedError as `openZip` does,
 * and the signal's reason when aborted.
 */
export async function extractCharts(input: ExtractChartsInput): Promise<ExtractedChart[]> {
  const { path, pdf, ...cutting } = input;
  const slot = input.slot ?? openRendererSlot();
  try {
    const deck = await readChartsInChild({ path, ...cutting, slot });
    return await withPictures(deck, { pdf, ...cutting, slot });
  } finally {
    if (!input.slot) slot.close();
  }
}

/** Charts with their pictures, cut from a PDF that has `pages` pages; without any when there is no PDF. */
export async function withPictures(
  { charts, pages }: DeckCharts,
  { pdf, workDir, signal, slot }: Omit<ExtractChartsInput, 'path'>,
): Promise<ExtractedChart[]> {
  const frames = charts.flatMap(({ page, frame, isDrawn }, index) =>
    frame && isDrawn ? [{ index, page, frame }] : [],
  );
  const cuts =
    pdf === null
      ? new Map<number, CutLine>()
      : await cutCharts({ pdf, outDir: workDir, pages, frames, ...(signal && { signal }), ...(slot && { slot }) });
  return charts.map(({ isDrawn: _isDrawn, ...chart }, index) => {
    const cut = cuts.get(index);
    return {
      ...chart,
      image: cut ? { width: cut.width, height: cut.height } : null,
      files: cut ? { display: cut.display, original: cut.original } : null,
    };
  });
}
