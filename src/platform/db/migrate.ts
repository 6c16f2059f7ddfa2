import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { sql } from 'drizzle-orm';
import { isSqlState, rowsOf, type Db } from './client.ts';
import { KEEP_ALIVE } from './silent-connections.ts';

const MIGRATIONS = new URL('../../../db/migrations/', import.meta.url);
/** Advisory lock key (any constant): keeps two nodes that start together from migrating twice. */
const MIGRATION_LOCK = 7_021_001;
const OLDEST_SERVER = 150_000;
/** A server that takes connections and answers nothing must not keep a command or a start waiting for ever. */
const CONNECT_MS = 15_000;
/**
 * Reads of the nodes that serve queue behind a migration that waits for a lock, as it does behind a running pg_dump: it waits a little, lets the
 * reads pass, and tries again.
 */
const LOCK_MS = 3_000;
const LOCK_PAUSE_MS = 2_000;
const MAX_BLOCKED_MS = 60_000;

/** Thrown before any change when the operator has to act. Exit code 78 on the command line. */
export class MigrationError extends Error {}

/** Thrown when another session keeps a table locked. Exit code 69 on the command line: a later start may succeed. */
export class MigrationBlockedError extends Error {}

/**
 * Brings a database to the schema of this release: forward only, one transaction a file, safe when several nodes start
 * at once. Throws MigrationError when the server refuses the login or TLS, is older than PostgreSQL 15, its database is not UTF8, its user lacks a
 * right, or an applied file was edited, and MigrationBlockedError when a file waits a minute for a lock. `onBlocked` hears of each try that found a table locked;
 * `signal` ends that wait.
 */
export async function migrate(databaseUrl: string, waiting: Waiting = {}): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'ceku-migrate',
    connectionTimeoutMillis: CONNECT_MS,
    // A migration may take as long as it needs.
    ...KEEP_ALIVE,
  });
  // Without a listener a connection that breaks between two statements ends the process; with one the next statement fails.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    const problem = connectionProblem(error);
    throw problem === null ? error : new MigrationError(`${problem}: ${String(error)}`, { cause: error });
  });
  try {
    await refuseUnfitServer(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    for (const file of await listPending(client, await readMigrations())) await applyUnblocked(client, file, waiting);
    await runMigrations({ connectionString: databaseUrl, logger: undefined });
  } catch (error) {
    if (!isSqlState(error, INSUFFICIENT_PRIVILEGE)) throw error;
    throw new MigrationError(
      `The user of DATABASE_URL lacks a right (${String(error)}). Make this user the owner of the database and of its tables: ALTER DATABASE … OWNER TO …, and REASSIGN OWNED BY … TO … in it`,
      { cause: error },
    );
  } finally {
    await client.end();
  }
}

/** Returns what the operator has to correct before a connection can be made; null for an error that may pass. */
function connectionProblem(error: unknown): string | null {
  // A wrong password, user or database name.
  if (['28P01', '28000', '3D000'].some((state) => isSqlState(error, state)))
    return 'The server of DATABASE_URL refuses us';
  if (!(error instanceof Error)) return null;
  if (error.message.includes('does not support SSL'))
    return 'DATABASE_URL asks for TLS (sslmode), which its server does not speak';
  const code = 'code' in error ? String(error.code) : '';
  return CERTIFICATE_REFUSED.test(code)
    ? 'We refuse the certificate of the server of DATABASE_URL; sslmode=verify-full&sslrootcert=… names the authority that signed it'
    : null;
}

/** Codes of Node for a certificate of an unknown authority, of another host, or not valid today. */
const CERTIFICATE_REFUSED = /SELF_SIGNED|UNABLE_TO_|^CERT_|^ERR_TLS_CERT_/;

/**
 * True when the database has the schema of this release, or that of a later one: while nodes are replaced one after the
 * other, the nodes of this release meet the schema of the next.
 */
export async function hasPresentSchema(db: Db): Promise<boolean> {
  const newest = (await listMigrations()).at(-1) ?? '';
  try {
    const [row] = await rowsOf<{ is_present: boolean }>(
      db,
      sql`select exists (select from schema_migrations where name = ${newest}) as is_present`,
    );
    return row?.is_present ?? false;
  } catch (error) {
    if (isSqlState(error, UNDEFINED_TABLE)) return false;
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';
const INSUFFICIENT_PRIVILEGE = '42501';
const LOCK_NOT_AVAILABLE = '55P03';

type MigrationFile = { name: string; sql: string; checksum: string };

/** Returns the names of the migrations of this release, the oldest first. */
async function listMigrations(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).sort();
}

async function readMigrations(): Promise<MigrationFile[]> {
  return Promise.all(
    (await listMigrations()).map(async (name) => {
      const sql = await readFile(new URL(name, MIGRATIONS), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function refuseUnfitServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  const version = Number(rows[0]?.server_version_num);
  if (version < OLDEST_SERVER) {
    throw new MigrationError(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
  }
  const encoding = await client.query<{ server_encoding: string }>('show server_encoding');
  if (encoding.rows[0]?.server_encoding !== 'UTF8') {
    throw new MigrationError('The database must be in UTF8: create it with ENCODING UTF8 TEMPLATE template0.');
  }
}

async function listPending(client: pg.Client, files: MigrationFile[]): Promise<MigrationFile[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const file of files) {
    const checksum = applied.get(file.name);
    if (checksum && checksum !== file.checksum) {
      throw new MigrationError(`Migration ${file.name} was changed after it had been applied to this database.`);
    }
  }
  return files.filter((file) => !applied.has(file.name));
}

type Waiting = { onBlocked?: (migration: string) => void; signal?: AbortSignal | undefined };

async function applyUnblocked(client: pg.Client, file: MigrationFile, { onBlocked, signal }: Waiting): Promise<void> {
  // The work of a file that meets a lock late does not count as waiting, although each of the 13 tries does it again.
  for (let blockedMs = LOCK_MS; ; blockedMs += LOCK_PAUSE_MS + LOCK_MS) {
    try {
      return await apply(client, file);
    } catch (error) {
      if (!isSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
      if (blockedMs > MAX_BLOCKED_MS)
        throw new MigrationBlockedError(
          `Migration ${file.name} waits for a lock: another session, such as pg_dump, uses its table. Start again when that has ended.`,
          { cause: error },
        );
      onBlocked?.(file.name);
      await sleep(LOCK_PAUSE_MS, undefined, { signal });
    }
  }
}

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_MS}`);
    await client.query(file.sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
