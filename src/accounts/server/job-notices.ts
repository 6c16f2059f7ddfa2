import { z } from 'zod';

/** What this slice sends; jobs.ts joins each with its handler. */
export const exportAccountJob = {
  name: 'accounts-export',
  payload: z.object({ exportId: z.number().int() }),
  maxAttempts: 5,
};

/** Files of rows that are gone: removed after the transaction that removed the rows. */
export const removeFilesJob = {
  name: 'accounts-remove-files',
  payload: z.object({ keys: z.array(z.string()) }),
  maxAttempts: 10,
};

/** Of an account that was just erased: what requests still under way wrote afterwards. */
export const eraseLeftoversJob = {
  name: 'accounts-erase-leftovers',
  payload: z.object({ userId: z.number().int() }),
  maxAttempts: 10,
};
