import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { documentsChanged } from '../../library/jobs.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import type { Measurement } from '../../platform/metrics.ts';
import { hasUnindexedCharts } from './charts/store-charts.ts';
import { hasUnindexedPages } from './indexing/store-pages.ts';

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
    const { indexAllPages } = await import('./indexing/index-documents.ts');
    return async (ctx: Ctx) => void (await indexAllPages(ctx, false));
  },
});

/** Writes missing chart entries of a library whose charts were recorded before chart entries existed. */
const chartsMissing = defineJob({
  name: 'chart-entries-missing',
  payload: z.object({}),
  maxAttempts: 10,
  load: async () => {
    const { indexMissingCharts } = await import('./charts/index-charts.ts');
    return async (ctx: Ctx) => indexMissingCharts(ctx);
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

/** Enqueues the indexing work that an upgrade left. Called once at the start of the site. */
export async function resumeSearch(ctx: Ctx): Promise<void> {
  if (await hasUnindexedPages(ctx.db)) await ctx.jobs.add(pagesMissing, {}, { key: pagesMissing.name, priority: 10 });
  if (await hasUnindexedCharts(ctx.db))
    await ctx.jobs.add(chartsMissing, {}, { key: chartsMissing.name, priority: 10 });
}

export const searchJobs = [indexChanged, pagesMissing, chartsMissing];
