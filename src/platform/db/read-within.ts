import { sql } from 'drizzle-orm';
import { unavailable } from '../../protocol/envelope.ts';
import { isSqlState, type Db, type ReadDb } from './client.ts';

const QUERY_CANCELED = '57014';

/**
 * Runs public reads whose statements each end after `deadlineMs` at the latest; a read that is cut off answers
 * "unavailable", so that no visitor's query holds a connection for long. A connection of a reader pool (client.ts)
 * costs one round trip a statement; where there is none a transaction sets the timeout, which costs three more.
 */
export async function readWithin<T>(
  ctx: { db: Db; readDb: ReadDb },
  deadlineMs: number,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  try {
    const reader = ctx.readDb(deadlineMs);
    return await (reader ? work(reader) : readInTransaction(ctx.db, deadlineMs, work));
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

/** Maximum time of a statement of a public page. */
export const PUBLIC_READ_MS = 2_000;
