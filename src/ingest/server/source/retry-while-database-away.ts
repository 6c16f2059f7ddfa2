import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../../../platform/db/client.ts';

/** How long to wait for a database that does not answer. */
const MAX_AWAY_MS = 60_000;

/** Repeats `work` while the database does not answer: a restart of the database must not end an ingest of hours. */
export async function retryWhileDatabaseAway<T>(work: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + MAX_AWAY_MS; ; await sleep(2_000)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || Date.now() > until) throw error;
    }
  }
}
