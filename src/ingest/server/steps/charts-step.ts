import { chartKeys, recordCharts } from '../../../charts/server/record-charts.ts';
import { extractCharts } from '../charts/extract-charts.ts';
import { extractPdfCharts } from '../charts/extract-pdf-charts.ts';
import { tellSearch } from './render-step.ts';
import type { Step } from './step.ts';

/**
 * Extracts the charts of a PPTX, or of a PDF whose figures are tagged as charts. Pictures are stored under `chartKeys`;
 * rows are saved with the record of the step. A PPT has no charts.
 */
export const chartsStep: Step = {
  name: 'charts',
  isOptional: true,
  async run({ ctx, file, original, workDir, pool, isLast, signal, withPdf }) {
    if (file.fileType === 'ppt') return { detail: { charts: 0 } };
    const charts = await withPdf((pdf) =>
      pool.run((slot) => {
        const input = { path: original, pdf, workDir, isLast, slot, ...(signal && { signal }) };
        return file.fileType === 'pptx' ? extractCharts(input) : extractPdfCharts({ ...input, pdf: original });
      }, signal),
    );
    for (const [index, { files }] of charts.entries()) {
      if (!files) continue;
      const keys = chartKeys(file.mediaKey, index + 1);
      await ctx.files.put(keys.display, files.display);
      await ctx.files.put(keys.original, files.original);
    }
    const titles = new Map(file.outline.map(({ page, title }) => [page, title]));
    return {
      detail: { charts: charts.length, pictures: charts.filter((chart) => chart.files).length },
      save: async (tx) => {
        if (await recordCharts(tx, file.id, charts, titles)) await tellSearch(tx, file.id);
      },
    };
  },
};
