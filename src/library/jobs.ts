import { z } from 'zod';
import type { JobNotice } from '../platform/jobs/jobs.ts';

/**
 * Enqueued in the same transaction as every change of documents that search indexes. Library does not know the consumer (slices form a
 * line): search adds the handler (src/search/server/jobs.ts).
 */
export const documentsChanged = {
  name: 'documents-changed',
  payload: z.object({ ids: z.array(z.number().int().positive()).max(1_000) }),
  maxAttempts: 10,
} satisfies JobNotice;
