import { isSqlState } from '../../../platform/db/client.ts';

const MAX_DEADLOCKS = 5;

/**
 * Work in one transaction that may meet others on the same rows in another order (versions of one deck, words of the
 * library, files that are published while a folder is looked through): the one that is told to give way tries again.
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
