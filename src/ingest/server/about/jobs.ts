import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';

/** Describes what is prepared and was not described, or by older code; the demo library comes so. */
export const describeMissingJob = defineJob({
  name: 'ingest-describe-missing',
  payload: z.object({}),
  maxAttempts: 5,
  load: async () => {
    const { describeMissing } = await import('./describe-missing.ts');
    return async (ctx: Ctx, _payload: object, attempt) => void (await describeMissing(ctx, { signal: attempt.signal }));
  },
});

/** Counts the library's words anew when it has grown; told to twice, it counts once. */
export const countWordsJob = defineJob({
  name: 'ingest-count-words',
  payload: z.object({}),
  maxAttempts: 3,
  load: async () => {
    const { recountLibraryWords } = await import('./describe-missing.ts');
    return (ctx: Ctx) => recountLibraryWords(ctx);
  },
});
