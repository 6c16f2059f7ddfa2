import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineJob, type Job } from '../../platform/jobs/jobs.ts';
import { checkOrderJob, compareBillJob, sendRefundJob, tellCasesJob } from './job-notices.ts';

const checkOrder = defineJob({
  ...checkOrderJob,
  // A job waits for the provider most of the time.
  concurrencyPerWorker: 4,
  load: async () => {
    const { checkOrderByPlan } = await import('./check-order.ts');
    return (ctx: Ctx, payload) => checkOrderByPlan(ctx, payload);
  },
});

const refund = defineJob({
  ...sendRefundJob,
  load: async () => {
    const { sendRefund } = await import('./refunds.ts');
    return (ctx: Ctx, payload) => sendRefund(ctx, payload);
  },
});

const compareBill = defineJob({
  ...compareBillJob,
  load: async () => {
    const { compareBill: compare } = await import('./operator/bills.ts');
    return async (ctx: Ctx, { channel, day }) => void (await compare(ctx, channel, day));
  },
});

const tellCases = defineJob({
  ...tellCasesJob,
  load: async () => {
    const { tellCases: tell } = await import('./operator/case-alerts.ts');
    return (ctx: Ctx, _payload, attempt) => tell(ctx, attempt);
  },
});

/** Every five minutes: orders and refunds that have lost their job. */
const sweep = defineJob({
  name: 'payment-sweep',
  payload: z.unknown(),
  maxAttempts: 1,
  load: async () => {
    const { sweepOrders } = await import('./sweep.ts');
    return (ctx: Ctx) => sweepOrders(ctx);
  },
});

/** Every morning: the bills of each provider that were not compared in the last thirty days, and cases that NOTIFY_URL did not take. */
const compareBills = defineJob({
  name: 'payment-bills',
  payload: z.unknown(),
  maxAttempts: 3,
  load: async () => {
    const { askForBills } = await import('./operator/bills.ts');
    const { retryAlerts } = await import('./operator/case-alerts.ts');
    return async (ctx: Ctx) => {
      await askForBills(ctx);
      await retryAlerts(ctx);
    };
  },
});

export const paymentJobs: Job<Ctx>[] = [checkOrder, refund, compareBill, tellCases, sweep, compareBills];

/** In UTC, as the queue reads it: 10:30 Shanghai time, when the providers have made their bills. */
export const PAYMENT_CRON = ['*/5 * * * * payment-sweep', '30 2 * * * payment-bills'].join('\n');
