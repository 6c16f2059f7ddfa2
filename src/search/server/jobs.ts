import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { documentsChanged } from '../../library/jobs.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
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

/** Enqueues the indexing work that an upgrade left. Called once at the start of the site. */
export async function resumeSearch(ctx: Ctx): Promise<void> {
  if (await hasUnindexedPages(ctx.db)) await ctx.jobs.add(pagesMissing, {}, { key: pagesMissing.name, priority: 10 });
}

export const searchJobs = [indexChanged, pagesMissing];
