import type { FoundChart } from '../../../charts/chart-data.ts';
import { cutCharts } from './cut-charts.ts';
import { readChartsApart } from '../read-apart.ts';
import { openRenderSeat, type RenderSeat } from '../run-render-child.ts';

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
  seat?: RenderSeat;
};

/**
 * The native charts of a PPTX with their numbers, and pictures cut from its PDF where slides and pages agree. Pictures that merely
 * look like charts are not guessed at: nothing in a file says of a picture that it is one. Throws RefusedError as `openZip` does, and
 * the signal's reason when aborted.
 */
export async function extractCharts(input: ExtractChartsInput): Promise<ExtractedChart[]> {
  const seat = input.seat ?? openRenderSeat();
  try {
    return await extract({ ...input, seat });
  } finally {
    if (!input.seat) seat.close();
  }
}

async function extract(input: ExtractChartsInput & { seat: RenderSeat }): Promise<ExtractedChart[]> {
  const deck = await readChartsApart(input);
  const frames = deck.charts.flatMap(({ page, frame, isDrawn }, index) =>
    frame && isDrawn ? [{ index, page, frame }] : [],
  );
  const cuts =
    input.pdf === null
      ? new Map()
      : await cutCharts({
          pdf: input.pdf,
          outDir: input.workDir,
          pages: deck.pages,
          frames,
          seat: input.seat,
          ...(input.signal && { signal: input.signal }),
        });
  return deck.charts.map(({ isDrawn: _isDrawn, ...chart }, index) => {
    const cut = cuts.get(index);
    return {
      ...chart,
      image: cut ? { width: cut.width, height: cut.height } : null,
      files: cut ? { display: cut.display, original: cut.original } : null,
    };
  });
}
