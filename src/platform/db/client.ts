import { sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { isFailedStatement, type Log } from '../log.ts';
import {
  isConnectionBreak,
  KEEP_ALIVE,
  limitAnswers,
  PROMPT_ANSWER_MS,
  withoutAnswerLimit,
} from './silent-connections.ts';

/** A pool or a transaction; verbs need not know which. */
export type Db = Pick<
  NodePgDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'with' | '$with'
> & {
  /** `isUnlimited`: statements may take as long as they need. Without effect inside a transaction. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, config?: TransactionConfig): Promise<T>;
  /** Queries that each connection of the pool plans once and reuses. Missing inside a transaction, which plans each query when it runs. */
  readonly prepared?: Prepared;
};

type Transaction = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0];
type TransactionConfig = Parameters<NodePgDatabase['transaction']>[1] & { isUnlimited?: boolean };

type Prepared = { pool: pg.Pool; queries: Map<unknown, unknown> };

/**
 * Returns a pool of read connections whose statements end after `deadlineMs`. Returns null for a pool of fewer than
 * four connections, and for a third distinct deadline: at most two are supported.
 */
export type ReadDb = (deadlineMs: number) => Db | null;

/** `pools`: all that are open, `pool` among them; those of `readDb` are opened when they are first used. */
export type Database = {
  url: string;
  db: Db;
  readDb: ReadDb;
  pool: pg.Pool;
  pools: readonly pg.Pool[];
  close(): Promise<void>;
};

// bigint columns hold ids and counts far below 2^53: numbers on the wire and in code (C-08).
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint column left the range of exact integers');
  return value;
});

/** A statement of the site ends after this time at the latest. */
const STATEMENT_MS = 15_000;
/** With the rest of its work a request is answered within five seconds also when the database hangs. */
const CONNECT_MS = 4_000;

/**
 * Opens the pool. Waits at most 4 s for a free connection. A quarter of the `max` connections is reserved for the
 * readers of each deadline (`readDb`), so that slow queries of visitors never take the connections that purchases
 * need.
 */
export function openDatabase(url: string, options: { max: number; log: Log; applicationName?: string }): Database {
  const { log, applicationName = 'ceku' } = options;
  let isClosing = false;
  const pools: pg.Pool[] = [];
  const open = (max: number, reading?: { statementMs: number; settings: string }) => {
    const made = openPool(url, { max, log, applicationName, ...reading });
    pools.push(made);
    const prepared = { pool: made, queries: new Map() };
    const db: Db = Object.assign(drizzle(made), { prepared, transaction: transactionsOf(made) });
    return { db, pool: made };
  };

  const readers = new Map<number, Db>();
  const share = Math.floor(options.max / 4);
  const { db, pool } = open(options.max - 2 * share);
  const readDb: ReadDb = (deadlineMs) => {
    const known = readers.get(deadlineMs);
    if (known || share === 0 || isClosing || readers.size === 2) return known ?? null;
    const reader = open(share, { statementMs: deadlineMs, settings: READING }).db;
    readers.set(deadlineMs, reader);
    return reader;
  };
  const close = async () => {
    isClosing = true;
    await Promise.all(pools.map((each) => each.end()));
  };
  return { url, db, readDb, pool, pools, close };
}

/**
 * Writes the modes of TLS that the driver takes for verify-full as verify-full: for each of the others it prints a warning of seven lines at the
 * start of each process.
 */
export function withNamedSslMode(connectionString: string): string {
  if (connectionString.includes('uselibpqcompat=true')) return connectionString;
  return connectionString.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** Returns what is wrong with a connection string, without the string, which holds a password; null when the driver can read it. */
export function databaseUrlProblem(connectionString: string): string | null {
  const malformed =
    'must be like postgres://user:password@host:5432/database, with / as %2F, # as %23, ? as %3F and @ as %40 in the password';
  try {
    void new pg.Client({ connectionString });
    const { pathname, search } = new URL(connectionString);
    // Of `user:1/2@host` the driver takes `user` for the host, and the rest for the database.
    return `${pathname}${search}`.includes('@') ? malformed : null;
  } catch (error) {
    // The driver reads the files of sslrootcert, sslcert and sslkey at once.
    if (error instanceof Error && 'syscall' in error && 'code' in error)
      return `names a certificate or key file that cannot be read (${String(error.code)})`;
    return malformed;
  }
}

/**
 * Opens a pool that outlives lost connections. Waits at most 4 s for a free connection. A statement ends after `statementMs`; the connection is
 * lost when the server does not say so soon after.
 */
export function openPool(
  url: string,
  options: { max: number; log: Log; applicationName: string; statementMs?: number; settings?: string },
): pg.Pool {
  const { max, log, applicationName, statementMs = STATEMENT_MS, settings = '' } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    application_name: applicationName,
    options: `-c idle_in_transaction_session_timeout=30000 -c statement_timeout=${statementMs} ${settings}`,
    ...KEEP_ALIVE,
  });
  // An idle connection that breaks must not end the process: the pool replaces it.
  const onLost = (error: Error) => {
    if (!pool.ending) log.warn({ error: error.message }, 'database connection lost');
  };
  pool.on('error', onLost);
  // A connection that breaks while in use must not end the process either; the query on that connection fails as
  // well.
  pool.on('connect', (client) => {
    limitAnswers(client, statementMs + PROMPT_ANSWER_MS);
    client.on('error', onLost);
  });
  return pool;
}

/**
 * Drizzle's own transaction of a pool never gives the connection back when BEGIN fails, as it does on a connection that was
 * lost a moment ago: some outages would leave the pool without connections. Here it is given back in every case.
 */
function transactionsOf(pool: pg.Pool): Db['transaction'] {
  return async (work, { isUnlimited, ...config } = {}) => {
    const client = await pool.connect();
    try {
      if (!isUnlimited) return await drizzle(client).transaction(work, config);
      return await withoutAnswerLimit(client, () =>
        drizzle(client).transaction(async (tx) => {
          await tx.execute(sql`set local statement_timeout = 0`);
          return work(tx);
        }, config),
      );
    } finally {
      // The pool ends a connection that was lost instead of keeping it.
      client.release();
    }
  };
}

/**
 * Settings of the read connections: read-only, no JIT and no parallel workers. Both cost more than they save on
 * statements of a few milliseconds, and they take processors from other requests.
 */
const READING = '-c default_transaction_read_only=on -c jit=off -c max_parallel_workers_per_gather=0';

/** Returns the rows of a hand-written statement, in the shape that the caller declares. */
export async function rowsOf<T extends Record<string, unknown>>(db: Db, statement: SQL): Promise<T[]> {
  const result = await db.execute(statement);
  // Safe as far as the caller's declared shape matches the statement beside it: PostgreSQL rows are untyped.
  return result.rows as T[];
}

const dialect = new PgDialect();

/**
 * Like rowsOf, for a statement that is run again and again: each connection plans the statement once under `name`,
 * which must stand for this one statement everywhere. Inside a transaction the statement is planned as any other.
 * Timestamps arrive as Date.
 */
export async function namedRowsOf<T extends Record<string, unknown>>(
  db: Db,
  name: string,
  statement: SQL,
): Promise<T[]> {
  if (!db.prepared) return rowsOf<T>(db, statement);
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const result = await db.prepared.pool.query<T>({ name, text, values: params });
  return result.rows;
}

/**
 * Returns a function that gives the prepared query of a database: `make` is called once for each pool, so that the text
 * of the query is built once and each connection plans the query once. Inside a transaction `make` is called each time.
 * The name given to `prepare()` must stand for this one query everywhere.
 */
export function preparedOnce<Q>(make: (db: Db) => Q): (db: Db) => Q {
  return (db) => {
    // Safe: under the key `make` stands only what `make` returned.
    const known = db.prepared?.queries.get(make) as Q | undefined;
    if (known) return known;
    const made = make(db);
    db.prepared?.queries.set(make, made);
    return made;
  };
}

/** The SQLSTATE of a violated unique key. */
export const DUPLICATE_KEY = '23505';

/** True when `error` or its cause is a PostgreSQL error with that SQLSTATE. */
export function isSqlState(error: unknown, state: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === state) return true;
  }
  return false;
}

/** Whether the error, or its cause, says that a disk is full; also for the disk of the database (disk_full). */
export function isDiskFull(error: unknown): boolean {
  return isSqlState(error, 'ENOSPC') || isSqlState(error, 'EDQUOT') || isSqlState(error, '53100');
}

const LOST_DATABASE = /^(08|57P0[123]|53[23])|ECONNREFUSED|ECONNRESET|EPIPE|timeout exceeded|Connection terminated/;

/** Codes of a host that has no address or is not reached. A file on a network disk fails with some of them as well, in another system call. */
const NO_ROUTE = /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Codes of a Unix socket without a server: it has stopped, or its queue of connections is full. */
const NO_SOCKET = /^(ENOENT|EAGAIN)$/;
const isNoRoute = (error: Error, code: string): boolean => {
  const syscall = 'syscall' in error ? error.syscall : null;
  if (syscall === 'connect') return NO_ROUTE.test(code) || NO_SOCKET.test(code);
  return syscall === 'getaddrinfo' && NO_ROUTE.test(code);
};

/** Error messages of pg that carry no code; the last is of a pool that the process closes because it ends. */
const LOST_CONNECTION =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable|after calling end on the pool/;

/** True when the database is away or full, as opposed to a statement being wrong: answered 503, never 500. */
export function isDatabaseAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isConnectionBreak(at)) return true;
    if ('code' in at && typeof at.code === 'string' && (LOST_DATABASE.test(at.code) || isNoRoute(at, at.code)))
      return true;
    if (LOST_CONNECTION.test(at.message)) return true;
  }
  return false;
}

/** Returns PostgreSQL's own error for a statement that failed, without the statement and its parameters; any other error as it is. */
export const withoutStatement = (error: unknown): unknown =>
  error instanceof Error && isFailedStatement(error) ? (error.cause ?? error) : error;

/** Returns why the database is away, in words. Node reports several addresses of one host that refuse in an AggregateError without a message. */
export function awayReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(awayReason).join('; ');
  return error instanceof Error ? error.message : String(error);
}
