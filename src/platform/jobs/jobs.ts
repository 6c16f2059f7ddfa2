import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { z } from 'zod';
import { rowsOf, type Db } from '../db/client.ts';
import type { Log } from '../log.ts';
import { openWorkerLease } from './lost-workers.ts';
import { retryablePool } from './retryable-pool.ts';
import { JobPostponed, postponeJob, type PostponableJob } from './postpone.ts';

/** What is enqueued: all a sender needs to know. A lower slice may send what a higher one handles. */
export type JobNotice<P extends z.ZodType = z.ZodType> = {
  name: string;
  payload: P;
  /** Tries in all, the first included. Waits grow between them. */
  maxAttempts: number;
};

/** One kind of background work, whatever its payload: what a worker needs to know. */
export type Job<C> = {
  name: string;
  /** How many of it each worker may have in hand: 1, unless it mostly waits for a turn of its own making. */
  inHand?: number;
  /** Goes on for minutes: one at a time on each node, beside all others, and told at once when the process stops. */
  isLong?: boolean;
  run(ctx: C, payload: unknown, attempt: JobAttempt): Promise<void>;
};

/** `signal` is aborted when the process is asked to stop. `workers`: how many this process was given; 1 by default. */
export type JobAttempt = { number: number; isLast: boolean; signal: AbortSignal | undefined; workers?: number };

export type JobOptions = {
  /** A waiting job of the same key is replaced instead of doubled. */
  key?: string;
  /** With a key: a job of that key that waits or runs already is left alone, and this one not enqueued. */
  isKept?: boolean;
  /** Smaller runs earlier; 0 by default. */
  priority?: number;
  /** Not before then; at once by default. */
  afterSeconds?: number;
};

/** Enqueues. Rows and jobs of one transaction commit or vanish together. */
export type Jobs = {
  add<P extends z.ZodType>(job: JobNotice<P>, payload: z.input<P>, options?: JobOptions): Promise<void>;
  /** How many jobs of these names are waiting or running. */
  countOpen(names: string[]): Promise<number>;
  within(db: Db): Jobs;
};

/**
 * Joins a notice with its handler. Handlers are loaded only where jobs run, so that the web process never loads the
 * converter; they are safe to run twice.
 */
export function defineJob<P extends z.ZodType, C>(
  definition: JobNotice<P> & {
    inHand?: number;
    isLong?: boolean;
    load: () => Promise<(ctx: C, payload: z.output<P>, attempt: JobAttempt) => Promise<void>>;
  },
): JobNotice<P> & Job<C> {
  const { load, ...notice } = definition;
  return {
    ...notice,
    async run(ctx, payload, attempt) {
      const handle = await load();
      await handle(ctx, notice.payload.parse(payload), attempt);
    },
  };
}

/** Also on its last try a job that runs is open. */
const IS_OPEN = sql`(open.attempts < open.max_attempts or open.locked_at is not null)`;

/** A condition for statements: whether a job of this key waits or runs. */
export function hasOpenJob(key: SQL): SQL {
  return sql`exists (select from graphile_worker.jobs open where open.key = ${key} and ${IS_OPEN})`;
}

/** As a table for statements: keys of the jobs of this name that wait or run. */
export function openJobKeys(name: string): SQL {
  return sql`(select open.key from graphile_worker.jobs open where open.task_identifier = ${name} and ${IS_OPEN})`;
}

export function createJobs(db: Db): Jobs {
  return {
    async add(job, payload, options = {}) {
      const body = JSON.stringify(job.payload.parse(payload));
      await db.execute(sql`select graphile_worker.add_job(
        identifier => ${job.name}, payload => ${body}::json, max_attempts => ${job.maxAttempts},
        job_key => ${options.key ?? null}, priority => ${options.priority ?? 0},
        run_at => now() + make_interval(secs => ${options.afterSeconds ?? 0}))
        where not ${options.isKept ?? false} or not ${hasOpenJob(sql`${options.key ?? null}`)}`);
    },
    async countOpen(names) {
      const list = sql.join(
        names.map((name) => sql`${name}`),
        sql`, `,
      );
      const [row] = await rowsOf<{ open: number }>(
        db,
        sql`select count(*) as open from graphile_worker.jobs open where open.task_identifier in (${list}) and ${IS_OPEN}`,
      );
      return row?.open ?? 0;
    },
    within: (tx) => createJobs(tx),
  };
}

const LOST_WORKERS_MS = 5_000;

/** Starts taking jobs; `stop` lets the running ones finish or hands them back. */
export async function startWorkers<C>(options: {
  url: string;
  pool: pg.Pool;
  jobs: Job<C>[];
  ctx: C;
  /** Lines of a crontab in UTC: what is enqueued by the clock, once whatever the number of nodes. */
  cron?: string;
  concurrency: number;
  log: Log;
}): Promise<{ stop(): Promise<void> }> {
  const { log } = options;
  const lease = await openWorkerLease(options.url, options.pool);
  await lease.freeLost();
  const sweep = setInterval(() => void lease.freeLost().catch(() => {}), LOST_WORKERS_MS);
  sweep.unref();
  const events: WorkerEvents = new EventEmitter();
  // Jobs are locked in the name of the pool; of a worker where it takes them singly. What fails here the sweep makes up for.
  events.on('pool:create', ({ workerPool }) => void lease.register(workerPool.id).catch(() => {}));
  events.on('worker:create', ({ worker }) => void lease.register(worker.workerId).catch(() => {}));
  const brokenOff: BrokenOff[] = [];
  const stopping = new AbortController();
  const pool = retryablePool(options.pool, () => stopping.signal.aborted);
  const runnerOf = (jobs: Job<C>[], concurrency: number, cron: string) =>
    run({
      pgPool: pool,
      concurrency,
      noHandleSignals: true,
      pollInterval: 2_000,
      taskList: Object.fromEntries(jobs.map((job) => [job.name, taskOf(job, options, brokenOff, stopping.signal)])),
      crontab: cron,
      events,
      // The worker's own lines are noise for an operator; failures are logged below with their job.
      logger: new Logger(() => (level, message) => {
        if (level === 'error' || level === 'warning') log.debug({ worker: message }, 'job worker');
      }),
    });
  // One runner for each count in hand, one for the long jobs; the clock belongs to the first.
  const groups = Map.groupBy(options.jobs, (job) => (job.isLong ? 'long' : (job.inHand ?? 1)));
  const runners = await Promise.all(
    [...groups].map(([inHand, jobs], index) =>
      runnerOf(jobs, inHand === 'long' ? 1 : options.concurrency * inHand, index === 0 ? (options.cron ?? '') : ''),
    ),
  );
  return {
    async stop() {
      clearInterval(sweep);
      stopping.abort();
      await Promise.all(runners.map((runner) => runner.stop()));
      await handBack(options.pool, brokenOff);
      await lease.close();
    },
  };
}

/** A job that we called off because the process stops, and the try it was on. */
type BrokenOff = { id: string; attempts: number };

const HAND_BACK_MS = 2_000;

/**
 * What a stop broke off is taken up again at once, and its try was none: deploys must not use up a job. graphile-worker
 * unlocks the jobs without telling when; one that it does not manage to is freed like those of a killed process.
 */
async function handBack(pool: pg.Pool, brokenOff: BrokenOff[]): Promise<void> {
  const left = new Map(brokenOff.map(({ id, attempts }) => [id, attempts]));
  for (const giveUpAt = Date.now() + HAND_BACK_MS; left.size > 0 && Date.now() < giveUpAt; await sleep(50)) {
    const done = await pool
      .query<{ id: string }>(
        `select freed.id::text from unnest($1::bigint[], $2::int[]) given (id, attempts),
           graphile_worker.reschedule_jobs(array[given.id], run_at => now(), attempts => greatest(0, given.attempts - 1)) freed`,
        [[...left.keys()], [...left.values()]],
      )
      .catch(() => null);
    if (!done) return;
    for (const { id } of done.rows) left.delete(id);
  }
}

type Helpers = { job: PostponableJob & { id: string }; abortSignal?: AbortSignal };

function taskOf<C>(
  job: Job<C>,
  { ctx, concurrency, pool, log }: { ctx: C; concurrency: number; pool: pg.Pool; log: Log },
  brokenOff: BrokenOff[],
  stopping: AbortSignal,
) {
  return async (payload: unknown, helpers: Helpers) => {
    const { id, attempts, max_attempts: maxAttempts } = helpers.job;
    // A short job has some seconds to come to its end; a long one would only use them up.
    const signal = job.isLong ? stopping : helpers.abortSignal;
    try {
      await job.run(ctx, payload, {
        number: attempts,
        isLast: attempts >= maxAttempts,
        signal,
        workers: concurrency,
      });
    } catch (error) {
      if (error instanceof JobPostponed) {
        log.info({ job: job.name, reason: error.message, seconds: error.seconds }, 'job postponed');
        return await postponeJob(pool, helpers.job, error.seconds);
      }
      // A job that we broke off ourselves, because the process stops, is taken up again: no failure.
      if (signal?.aborted) {
        brokenOff.push({ id: String(id), attempts });
        log.debug({ job: job.name, attempt: attempts }, 'job handed back');
      } else log.error({ job: job.name, attempt: attempts, error }, 'job failed');
      throw error;
    }
  };
}
