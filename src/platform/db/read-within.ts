import { sql } from 'drizzle-orm';
import { unavailable } from '../../protocol/envelope.ts';
import { isSqlState, type Db } from './client.ts';

const QUERY_CANCELED = '57014';

/**
 * Runs public reads that end after `deadlineMs` at the latest, then answers "unavailable": a visitor's question may
 * never hold a connection for long. One plan for all: no JIT, no parallel workers, which cost more than they give on
 * statements of milliseconds and take the processors from everybody else.
 */
export async function readWithin<T>(db: Db, deadlineMs: number, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(
      async (tx) => {
        await tx.execute(sql`select set_config('statement_timeout', ${String(deadlineMs)}, true),
          set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`);
        return work(tx);
      },
      { accessMode: 'read only' },
    );
  } catch (error) {
    if (isSqlState(error, QUERY_CANCELED)) throw unavailable();
    throw error;
  }
}

/** The longest a statement of a public page may take. */
export const PUBLIC_READ_MS = 2_000;
