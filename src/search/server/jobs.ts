import type { Ctx } from '../../context.ts';
import { documentsChanged } from '../../library/jobs.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';

/** What the catalogue announces, heard: its notice with our handler. */
const indexChanged = defineJob({
  ...documentsChanged,
  load: async () => {
    const { indexDocuments } = await import('./index-documents.ts');
    return (ctx: Ctx, payload: { ids: number[] }) => indexDocuments(ctx, payload.ids);
  },
});

export const searchJobs = [indexChanged];
