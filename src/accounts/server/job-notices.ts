import { z } from 'zod';

/**
 * The names and payloads of the jobs that verbs enqueue. They are in a file of their own because jobs.ts loads
 * those verbs: together they would form an import ring.
 */
export const exportAccountJob = {
  name: 'accounts-export',
  payload: z.object({ exportId: z.number().int() }),
  maxAttempts: 5,
};

/**
 * Enqueued in the transaction that creates an account whose person came by a member's invite link (C-90). Accounts do not know the consumer
 * (slices form a line): invites add the handler. `at` in epoch milliseconds; `addressIndex`: keyed hash of the browser's address,
 * base64url.
 */
export const accountRegistered = {
  name: 'account-registered',
  payload: z.object({
    userId: z.number().int(),
    inviterId: z.number().int(),
    addressIndex: z.string(),
    at: z.number().int(),
  }),
  maxAttempts: 10,
};

/** Enqueued when an account that had no phone has one. Invites add the handler. */
export const phoneBound = {
  name: 'phone-bound',
  payload: z.object({ userId: z.number().int() }),
  maxAttempts: 10,
};

/** Removes files after the transaction that deleted their rows. */
export const removeFilesJob = {
  name: 'accounts-remove-files',
  payload: z.object({ keys: z.array(z.string()) }),
  maxAttempts: 10,
};

/** Removes what requests that were under way wrote about an account after its erasure. */
export const eraseLeftoversJob = {
  name: 'accounts-erase-leftovers',
  payload: z.object({ userId: z.number().int() }),
  maxAttempts: 10,
};
