import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';

/** Describes prepared files that have no description, or one of an older version, such as those of the demo library. */
export const describeMissingJob = defineJob({
  name: 'ingest-describe-missing',
  payload: z.object({}),
  maxAttempts: 5,
  load: async () => {
    const { describeMissing } = await import('./describe-missing.ts');
    return async (ctx: Ctx, _payload: object, attempt) => void (await describeMissing(ctx, { signal: attempt.signal }));
  },
});

/** Counts the words of the library again after it has grown. Two calls at once count once. */
export const countWordsJob = defineJob({
  name: 'ingest-count-words',
  payload: z.object({}),
  maxAttempts: 3,
  load: async () => {
    const { recountLibraryWords } = await import('./describe-missing.ts');
    return (ctx: Ctx) => recountLibraryWords(ctx);
  },
});
