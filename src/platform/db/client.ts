import { sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Log } from '../log.ts';

/** A pool or a transaction: verbs cannot tell, and need not. */
export type Db = Pick<
  NodePgDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'transaction' | 'with' | '$with'
>;

export type Database = { url: string; db: Db; pool: pg.Pool; close(): Promise<void> };

// bigint columns hold ids and counts far below 2^53: numbers on the wire and in code (C-08).
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint column left the range of exact integers');
  return value;
});

/** Opens the pool. Waits at most 5 s for a free connection; a statement of the site ends after 15 s at the latest. */
export function openDatabase(url: string, options: { max: number; log: Log; applicationName?: string }): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: options.applicationName ?? 'ceku',
    options: '-c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000',
  });
  // An idle connection that breaks must not end the process: the pool replaces it.
  let isClosing = false;
  const onLost = (error: Error) => {
    if (!isClosing) options.log.warn({ error: error.message }, 'database connection lost');
  };
  pool.on('error', onLost);
  // Nor one that breaks while it is in use: whoever uses it gets the error as well.
  pool.on('connect', (client) => client.on('error', onLost));
  const close = () => {
    isClosing = true;
    return pool.end();
  };
  return { url, db: drizzle(pool), pool, close };
}

/** Rows of a hand-written statement, in the shape the caller declares beside it. */
export async function rowsOf<T extends Record<string, unknown>>(db: Db, statement: SQL): Promise<T[]> {
  const result = await db.execute(statement);
  // Safe as far as the caller's declared shape matches the statement beside it: PostgreSQL rows are untyped.
  return result.rows as T[];
}

/** True when the database answers within `deadlineMs` (readiness). */
export async function isAnswering(db: Db, deadlineMs: number): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, deadlineMs, false).unref());
  const answer = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]);
}

/** True when `error`, or what it wraps, is PostgreSQL's error of that SQLSTATE (23505: unique key). */
export function isSqlState(error: unknown, state: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === state) return true;
  }
  return false;
}

const LOST_DATABASE = /^(08|57P0[123]|53[23])|ECONNREFUSED|ECONNRESET|EPIPE|timeout exceeded|Connection terminated/;

/** True when the database is away or full, as opposed to a statement being wrong: answered 503, never 500. */
export function isDatabaseAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && LOST_DATABASE.test(at.code)) return true;
    if (/timeout exceeded when trying to connect|Connection terminated/.test(at.message)) return true;
  }
  return false;
}
