import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../../../platform/db/client.ts';

/** How long a database that does not answer is waited for. */
const MAX_AWAY_MS = 60_000;

/** A database that is started again meanwhile must not end a run of hours. */
export async function retryWhileDatabaseAway<T>(work: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + MAX_AWAY_MS; ; await sleep(2_000)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || Date.now() > until) throw error;
    }
  }
}
