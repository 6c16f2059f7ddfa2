import { isSqlState, isDatabaseAway } from './client.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_DEADLOCKS = 5;

/**
 * Runs a transaction, and runs it again when PostgreSQL ends it because of a deadlock. Transactions that update
 * versions of one deck, words of the library, or published files may lock the same rows in different orders.
 */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isDeadlock = isSqlState(error, '40P01') || isSqlState(error, '40001');
      if (!isDeadlock || attempt >= MAX_DEADLOCKS) throw error;
    }
  }
}

/** How long to wait for a database that does not answer. */
const MAX_AWAY_MS = 60_000;
const PAUSE_MS = 2_000;

/**
 * Repeats `work` for a minute while the database does not answer: a restart of the database must not end an ingest of hours,
 * and a site may start before its database. `onAway` hears of each try that failed. Throws the last error, or an
 * AbortError when `signal` ends the wait.
 */
export async function retryWhileDatabaseAway<T>(
  work: () => Promise<T>,
  { onAway, signal }: { onAway?: (error: unknown) => void; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  for (const until = Date.now() + MAX_AWAY_MS; ; await sleep(PAUSE_MS, undefined, { signal })) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || Date.now() > until) throw error;
      onAway?.(error);
    }
  }
}
