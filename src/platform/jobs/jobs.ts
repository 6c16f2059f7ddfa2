import { sql } from 'drizzle-orm';
import { run, type Runner } from 'graphile-worker';
import type pg from 'pg';
import type { z } from 'zod';
import type { Db } from '../db/client.ts';
import type { Log } from '../log.ts';

/**
 * One kind of background work. Handlers are loaded only where jobs run, so that the web process never loads the
 * converter; they are safe to run twice.
 */
export type Job<P extends z.ZodType = z.ZodType, C = never> = {
  name: string;
  payload: P;
  /** Tries in all, the first included. Waits grow between them. */
  maxAttempts: number;
  load: () => Promise<(ctx: C, payload: z.output<P>, attempt: JobAttempt) => Promise<void>>;
};

/** `signal` is aborted when the process is asked to stop. */
export type JobAttempt = { number: number; isLast: boolean; signal: AbortSignal | undefined };

export type JobOptions = {
  /** A waiting job of the same key is replaced instead of doubled. */
  key?: string;
  /** Smaller runs earlier; 0 by default. */
  priority?: number;
};

/** Enqueues. Rows and jobs of one transaction commit or vanish together. */
export type Jobs = {
  // Any context type fits: enqueueing never runs the handler.
  add<P extends z.ZodType, C>(job: Job<P, C>, payload: z.input<P>, options?: JobOptions): Promise<void>;
  within(db: Db): Jobs;
};

export function defineJob<P extends z.ZodType, C>(job: Job<P, C>): Job<P, C> {
  return job;
}

export function createJobs(db: Db): Jobs {
  return {
    async add(job, payload, options = {}) {
      const body = JSON.stringify(job.payload.parse(payload));
      await db.execute(sql`select graphile_worker.add_job(
        identifier => ${job.name}, payload => ${body}::json, max_attempts => ${job.maxAttempts},
        job_key => ${options.key ?? null}, priority => ${options.priority ?? 0})`);
    },
    within: (tx) => createJobs(tx),
  };
}

/** Starts taking jobs; `stop` lets the running ones finish or hands them back. */
export async function startWorkers<C>(options: {
  pool: pg.Pool;
  jobs: Job<z.ZodType, C>[];
  ctx: C;
  concurrency: number;
  log: Log;
}): Promise<{ stop(): Promise<void> }> {
  const tasks = Object.fromEntries(options.jobs.map((job) => [job.name, taskOf(job, options.ctx, options.log)]));
  const runner: Runner = await run({
    pgPool: options.pool,
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    taskList: tasks,
    crontab: '',
    // The worker's own lines are noise for an operator; failures are logged below with their job.
    logger: await quietLogger(options.log),
  });
  return { stop: () => runner.stop() };
}

function taskOf<C>(job: Job<z.ZodType, C>, ctx: C, log: Log) {
  return async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number }; abortSignal?: AbortSignal }) => {
    const handle = await job.load();
    try {
      await handle(ctx, job.payload.parse(payload), {
        number: helpers.job.attempts,
        isLast: helpers.job.attempts >= helpers.job.max_attempts,
        signal: helpers.abortSignal,
      });
    } catch (error) {
      log.error({ job: job.name, attempt: helpers.job.attempts, error }, 'job failed');
      throw error;
    }
  };
}

async function quietLogger(log: Log) {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ worker: message }, 'job worker');
  });
}
