import { z } from 'zod';
import type { JobNotice } from '../platform/jobs/jobs.ts';

/**
 * Said in the same transaction whenever what search knows of documents may have changed. The catalogue does not know
 * who listens (slices form a line): search makes the job of it by adding its handler (src/search/server/jobs.ts).
 */
export const documentsChanged = {
  name: 'documents-changed',
  payload: z.object({ ids: z.array(z.number().int().positive()).max(1_000) }),
  maxAttempts: 10,
} satisfies JobNotice;
