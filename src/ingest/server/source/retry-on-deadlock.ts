import { isSqlState } from '../../../platform/db/client.ts';

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
