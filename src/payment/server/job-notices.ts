import { z } from 'zod';
import { CHANNELS } from '../ports.ts';

/** Asks the provider about one order, by the plan of nextCheckAt, until it is paid or closed. */
export const checkOrderJob = {
  name: 'payment-check-order',
  payload: z.object({ outTradeNo: z.string() }),
  maxAttempts: 10,
};

/** Asks the provider for one refund, and then what became of it. */
export const sendRefundJob = {
  name: 'payment-refund',
  payload: z.object({ refundNo: z.string() }),
  maxAttempts: 10,
};

/** Tells NOTIFY_URL of cases that wait for a person: ten attempts in some ten hours. */
export const tellCasesJob = { name: 'payment-tell-cases', payload: z.object({}), maxAttempts: 10 };

/** Compares one Shanghai day (YYYY-MM-DD) with the provider's bill. */
export const compareBillJob = {
  name: 'payment-compare-bill',
  payload: z.object({ channel: z.enum(CHANNELS), day: z.string() }),
  maxAttempts: 5,
};
