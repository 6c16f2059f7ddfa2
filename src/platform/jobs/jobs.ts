import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { z } from 'zod';
import { openPool, rowsOf, type Db } from '../db/client.ts';
import type { Log } from '../log.ts';
import type { Measurement } from '../metrics.ts';
import { openWorkerLease } from './lost-workers.ts';
import { retryablePool } from './retryable-pool.ts';
import { JobPostponed, postponeJob, type PostponableJob } from './postpone.ts';

/** A job as its senders know it. A lower slice may send a job that a higher slice handles. */
export type JobNotice<P extends z.ZodType = z.ZodType> = {
  name: string;
  payload: P;
  /** Maximum number of attempts, the first included. Waits between them grow. */
  maxAttempts: number;
};

/** A job as workers know it, whatever its payload. */
export type Job<C> = {
  name: string;
  /** How many jobs of this kind each worker may run at once: 1, unless the job mostly waits for a queue of its own. */
  concurrencyPerWorker?: number;
  /**
   * The job runs for minutes: one at a time on each node, beside all others, and aborted at once when the process
   * stops.
   */
  isLong?: boolean;
  run(ctx: C, payload: unknown, attempt: JobAttempt): Promise<void>;
};

/**
 * `signal` is aborted when the process is asked to stop. `workers`: number of workers of this process; 1 by default.
 */
export type JobAttempt = { number: number; isLast: boolean; signal: AbortSignal | undefined; workers?: number };

export type JobOptions = {
  /** A waiting job with the same key is replaced, not duplicated. */
  key?: string;
  /** With a key: if a job with that key waits or runs already, this job is not enqueued. */
  isKept?: boolean;
  /** Jobs of one queue run one after the other, whatever the number of workers; jobs of none run beside each other. */
  queue?: string;
  /** Smaller numbers run earlier; 0 by default. */
  priority?: number;
  /** Delay before the job may run; none by default. */
  afterSeconds?: number;
};

/** Enqueues a job. Rows and jobs of one transaction commit or vanish together. */
export type Jobs = {
  add<P extends z.ZodType>(job: JobNotice<P>, payload: z.input<P>, options?: JobOptions): Promise<void>;
  /** How many jobs of these names are waiting or running. */
  countOpen(names: string[]): Promise<number>;
  within(db: Db): Jobs;
};

/**
 * Combines a job's declaration with its handler. Handlers are loaded only where jobs run, so that the web process never
 * loads the converter; they must be safe to run twice.
 */
export function defineJob<P extends z.ZodType, C>(
  definition: JobNotice<P> & {
    concurrencyPerWorker?: number;
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

/** A job that runs its last attempt is open as well. */
const IS_OPEN = sql`(open.attempts < open.max_attempts or open.locked_at is not null)`;

/** Returns an SQL condition: whether a job with this key waits or runs. */
export function hasOpenJob(key: SQL): SQL {
  return sql`exists (select from graphile_worker.jobs open where open.key = ${key} and ${IS_OPEN})`;
}

/** Returns an SQL table of the keys of the jobs of this name that wait or run. */
export function openJobKeys(name: string): SQL {
  return sql`(select open.key from graphile_worker.jobs open where open.task_identifier = ${name} and ${IS_OPEN})`;
}

export function createJobs(db: Db): Jobs {
  return {
    async add(job, payload, options = {}) {
      const body = JSON.stringify(job.payload.parse(payload));
      await db.execute(sql`select graphile_worker.add_job(
        identifier => ${job.name}, payload => ${body}::json, max_attempts => ${job.maxAttempts},
        job_key => ${options.key ?? null}, queue_name => ${options.queue ?? null}, priority => ${options.priority ?? 0},
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

/** Measures the jobs of each kind that wait, run, are due later, or have used up their attempts, for /metrics. */
export async function measureJobs(db: Db): Promise<Measurement[]> {
  const rows = await rowsOf<{ name: string; state: string; count: number }>(
    db,
    sql`select task_identifier as name, case when locked_at is not null then 'running'
        when attempts >= max_attempts then 'failed' when run_at > now() then 'later' else 'waiting' end as state,
        count(*) as count from graphile_worker.jobs group by 1, 2`,
  );
  return [
    {
      name: 'ceku_jobs',
      help: 'Jobs of all nodes by name and state; those that failed have used up their attempts.',
      values: rows.map(({ name, state, count }) => ({ labels: { name, state }, value: count })),
    },
    {
      // There without any job, so that an alarm sees the first failure.
      name: 'ceku_jobs_failed',
      help: 'Jobs of all kinds that have used up their attempts.',
      values: [{ value: rows.reduce((sum, { state, count }) => sum + (state === 'failed' ? count : 0), 0) }],
    },
  ];
}

const LOST_WORKERS_MS = 5_000;
/** Connections on which the runners of a process take and end jobs, beside the one that each of them listens on. */
const SHARED_CONNECTIONS = 2;

/**
 * Starts to run jobs; `stop` lets the running ones finish or hands them back. Each runner of graphile-worker keeps a
 * connection to listen on, so the runners have a pool of their own: in a small `pool` none would be left for requests.
 */
export async function startWorkers<C>(options: {
  url: string;
  pool: pg.Pool;
  jobs: Job<C>[];
  ctx: C;
  /** Crontab lines in UTC: jobs that are enqueued by the clock, once whatever the number of nodes. */
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
  // graphile-worker locks jobs in the name of the pool, or of a worker that takes jobs singly. If registering fails,
  // the sweep (lost-workers.ts) frees the jobs later.
  events.on('pool:create', ({ workerPool }) => void lease.register(workerPool.id).catch(() => {}));
  events.on('worker:create', ({ worker }) => void lease.register(worker.workerId).catch(() => {}));
  const abortedJobs: AbortedJob[] = [];
  const stopping = new AbortController();
  const runnerOf = (jobs: Job<C>[], concurrency: number, cron: string) =>
    run({
      pgPool: pool,
      concurrency,
      noHandleSignals: true,
      pollInterval: 2_000,
      taskList: Object.fromEntries(jobs.map((job) => [job.name, taskOf(job, options, abortedJobs, stopping.signal)])),
      crontab: cron,
      events,
      // graphile-worker's own log lines are noise for an operator; failures are logged below with their job.
      logger: new Logger(() => (level, message) => {
        if (level === 'error' || level === 'warning') log.debug({ worker: message }, 'job worker');
      }),
    });
  // One runner for each concurrency, one for the long jobs; the first runner has the crontab.
  const groups = Map.groupBy(options.jobs, (job) => (job.isLong ? 'long' : (job.concurrencyPerWorker ?? 1)));
  const ownPool = openPool(options.url, {
    max: groups.size + SHARED_CONNECTIONS,
    log,
    applicationName: 'ceku-workers',
  });
  const pool = retryablePool(ownPool, () => stopping.signal.aborted);
  const started = await Promise.allSettled(
    [...groups].map(([perWorker, jobs], index) =>
      runnerOf(
        jobs,
        perWorker === 'long' ? 1 : options.concurrency * perWorker,
        index === 0 ? (options.cron ?? '') : '',
      ),
    ),
  );
  const runners = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async () => {
    clearInterval(sweep);
    stopping.abort();
    try {
      await Promise.all(runners.map((runner) => runner.stop()));
      await releaseAborted(options.pool, abortedJobs);
      // A runner that has stopped may still be giving back a job that it took in the last moment.
      await lease.whenNoneIsHeld(RELEASE_MS);
    } finally {
      await Promise.all([ownPool.end(), lease.close()]);
    }
  };
  const failure = started.find((each) => each.status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  return { stop };
}

/** A job that was aborted because the process stops, and the attempt it was on. */
type AbortedJob = { id: string; attempts: number };

const RELEASE_MS = 2_000;

/**
 * Jobs that a shutdown aborted are run again at once and do not lose an attempt: deploys must not use up a job's
 * attempts. graphile-worker unlocks the jobs without an event; a job that it fails to unlock is freed like those of a
 * killed process.
 */
async function releaseAborted(pool: pg.Pool, abortedJobs: AbortedJob[]): Promise<void> {
  const left = new Map(abortedJobs.map(({ id, attempts }) => [id, attempts]));
  for (const giveUpAt = Date.now() + RELEASE_MS; left.size > 0 && Date.now() < giveUpAt; await sleep(50)) {
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

type Helpers = {
  job: Omit<PostponableJob, 'queue'>;
  getQueueName(): PromiseLike<string | null> | string | null;
  abortSignal?: AbortSignal;
};

function taskOf<C>(
  job: Job<C>,
  { ctx, concurrency, pool, log }: { ctx: C; concurrency: number; pool: pg.Pool; log: Log },
  abortedJobs: AbortedJob[],
  stopping: AbortSignal,
) {
  return async (payload: unknown, helpers: Helpers) => {
    const { id, attempts, max_attempts: maxAttempts } = helpers.job;
    // A short job has some seconds to finish; a long job would only use them up.
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
        return await postponeJob(pool, { ...helpers.job, queue: await helpers.getQueueName() }, error.seconds);
      }
      // A job that this process aborted because it stops will run again, which is not a failure.
      if (signal?.aborted) {
        abortedJobs.push({ id: String(id), attempts });
        log.debug({ job: job.name, attempt: attempts }, 'job released');
      } else log.error({ job: job.name, attempt: attempts, error }, 'job failed');
      throw error;
    }
  };
}
