import { sql } from 'drizzle-orm';
import { unavailable } from '../../protocol/envelope.ts';
import { isSqlState, readerOf, type Db } from './client.ts';

const QUERY_CANCELED = '57014';

/**
 * Runs public reads each of which ends after `deadlineMs` at the latest, then answers "unavailable": a visitor's
 * question may never hold a connection for long. On a connection set up for it (client.ts) that costs one round trip a
 * statement; elsewhere a transaction sets itself up, at three more.
 */
export async function readWithin<T>(db: Db, deadlineMs: number, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    const reader = readerOf(db, deadlineMs);
    return await (reader ? work(reader) : readInTransaction(db, deadlineMs, work));
  } catch (error) {
    if (isSqlState(error, QUERY_CANCELED)) throw unavailable();
    throw error;
  }
}

function readInTransaction<T>(db: Db, deadlineMs: number, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', ${String(deadlineMs)}, true),
        set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`);
      return work(tx);
    },
    { accessMode: 'read only' },
  );
}

/** The longest a statement of a public page may take. */
export const PUBLIC_READ_MS = 2_000;
