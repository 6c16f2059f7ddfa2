import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { documentsChanged } from '../../library/jobs.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { hasUnindexedPages } from './indexing/store-pages.ts';

/** What the catalogue announces, heard: its notice with our handler. */
const indexChanged = defineJob({
  ...documentsChanged,
  load: async () => {
    const { indexDocuments } = await import('./indexing/index-documents.ts');
    return (ctx: Ctx, payload: { ids: number[] }) => indexDocuments(ctx, payload.ids);
  },
});

/** Makes the page entries that miss, of a library that was filled before there were any. */
const pagesMissing = defineJob({
  name: 'page-entries-missing',
  payload: z.object({}),
  maxAttempts: 10,
  load: async () => {
    const { indexAllPages } = await import('./indexing/index-documents.ts');
    return async (ctx: Ctx) => void (await indexAllPages(ctx, false));
  },
});

/** Asked once at the start of a site: enqueues what an upgrade left to do. */
export async function resumeSearch(ctx: Ctx): Promise<void> {
  if (await hasUnindexedPages(ctx.db)) await ctx.jobs.add(pagesMissing, {}, { key: pagesMissing.name, priority: 10 });
}

export const searchJobs = [indexChanged, pagesMissing];
