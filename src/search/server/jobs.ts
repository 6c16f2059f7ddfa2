import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { documentsChanged } from '../../library/jobs.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import type { Measurement } from '../../platform/metrics.ts';

/** Handles the job that the library enqueues when documents change. */
const indexChanged = defineJob({
  ...documentsChanged,
  load: async () => {
    const { indexDocuments } = await import('./indexing/index-documents.ts');
    return (ctx: Ctx, payload: { ids: number[] }) => indexDocuments(ctx, payload.ids);
  },
});

/** Writes missing page entries of a library that was filled before page entries existed. */
const pagesMissing = defineJob({
  name: 'page-entries-missing',
  payload: z.object({}),
  maxAttempts: 10,
  load: async () => {
    const { indexMissingPages } = await import('./indexing/index-documents.ts');
    return (ctx: Ctx, _payload, { signal }) => indexMissingPages(ctx, signal);
  },
});

/** Writes missing chart entries of a library whose charts were recorded before chart entries existed. */
const chartsMissing = defineJob({
  name: 'chart-entries-missing',
  payload: z.object({}),
  maxAttempts: 10,
  load: async () => {
    const { indexMissingCharts } = await import('./charts/index-charts.ts');
    return (ctx: Ctx, _payload, { signal }) => indexMissingCharts(ctx, signal);
  },
});

/** Measures whether the engine of this node answers searches, for /metrics. */
export const measureSearch = async ({ config, searchIndex }: Ctx): Promise<Measurement[]> => [
  {
    name: 'ceku_search_engine_ready',
    help: '1 when the search engine of this node answers, 0 while the database answers in its place; missing with SEARCH_THREADS=0.',
    values: config.searchThreads > 0 ? [{ value: searchIndex.version() === null ? 0 : 1 }] : [],
  },
];

/**
 * Enqueues the jobs that write the index entries which an upgrade left missing. Called once at the start of the site, which does not wait
 * for the jobs: in a large library, finding the missing entries takes longer than a statement may. Where none are missing, the jobs end soon.
 */
export async function resumeSearch(ctx: Ctx): Promise<void> {
  for (const job of [pagesMissing, chartsMissing])
    await ctx.jobs.add(job, {}, { key: job.name, isKept: true, priority: 10 });
}

export const searchJobs = [indexChanged, pagesMissing, chartsMissing];
