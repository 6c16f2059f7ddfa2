import { chartKeys, recordCharts } from '../../../charts/server/record-charts.ts';
import { extractCharts } from '../charts/extract-charts.ts';
import { extractPdfCharts } from '../charts/extract-pdf-charts.ts';
import type { Step } from './step.ts';

/**
 * Charts of a PPTX, and of a PDF that says which of its figures are charts: the pictures go into the store under
 * `chartKeys`, the rows come with the step's record. Of a PPT nothing is read.
 */
export const chartsStep: Step = {
  name: 'charts',
  isOptional: true,
  async run({ ctx, file, original, workDir, pool, signal, withPdf }) {
    if (file.fileType === 'ppt') return { detail: { charts: 0 } };
    const charts = await withPdf((pdf) =>
      pool.run((slot) => {
        const input = { path: original, pdf, workDir, slot, ...(signal && { signal }) };
        return file.fileType === 'pptx' ? extractCharts(input) : extractPdfCharts({ ...input, pdf: original });
      }),
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
      save: (tx) => recordCharts(tx, file.id, charts, titles),
    };
  },
};
