import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isAlive } from '../processes.ts';
import { EMBEDDED_DATABASE, embeddedUrl, isCode } from './embedded-cluster.ts';
import { FolderInUseError } from './embedded-errors.ts';
import type { Cluster } from './embedded-server.ts';

/** `site`: serves visitors, at most one per folder. `tool`: every other process of this project. */
export type Role = 'site' | 'tool';

/** A connection that only holds advisory locks; the locks end with the process. */
export type Held = { client: pg.Client };

/** First key of this project's advisory locks ("CEKU"), which keeps them apart from locks of the application. */
const LOCKS = 0x43454b55;
/** Held shared by every process that uses the server; a process that gets the lock exclusively may stop the server. */
const IN_USE = 1;
/** Held by the one site of the folder. */
const SITE = 2;

/**
 * Connects and takes the locks of the role. `isFirst`: this process has started the server, or had the locks until it died.
 * @throws FolderInUseError when another site holds the folder; an error for which `isConnectionLost` is true when the
 *   server is being stopped or started at this moment
 */
export async function connectAndLock(cluster: Cluster, port: number, role: Role, isFirst: boolean): Promise<Held> {
  const client = await connect(cluster, port, `ceku ${role} ${process.pid}`);
  try {
    await client.query('select pg_advisory_lock_shared($1, $2)', [LOCKS, IN_USE]);
    if (role === 'site' && !isFirst) await waitForReturn(client);
    if (role === 'site') await lockAsSite(client, cluster.dataDir);
    return { client };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * Releases the locks. @returns true when no other process uses the server: this process may then stop the server, and a
 * process that starts now waits for the lock that is held until the server has ended.
 */
export async function leave(held: Held): Promise<boolean> {
  try {
    // Release before trying for all locks: two processes that leave at once must not each find the other still there.
    await held.client.query('select pg_advisory_unlock_all()');
    return await tryLock(held.client, IN_USE);
  } catch (error) {
    if (isConnectionLost(error)) return false;
    throw error;
  }
}

/** True when the server refused or dropped the connection because it is starting, stopping or has crashed. */
export function isConnectionLost(error: unknown): boolean {
  return (
    isCode(error, 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03') ||
    (error instanceof Error && /Connection terminated|not queryable|Connection ended/.test(error.message))
  );
}

/** A site whose server died starts it again, and takes its lock in less time. */
const RETURN_MS = 3_000;

/** Waits while the server is so young that the site of the folder may not have taken its lock again. */
async function waitForReturn(client: pg.Client): Promise<void> {
  const isDue = async () => {
    const answer = await client.query<{ is_due: boolean }>(
      `select clock_timestamp() - pg_postmaster_start_time() > $1 * interval '1 ms'
         or exists (select from pg_locks where locktype = 'advisory' and classid = $2 and objid = $3 and granted) as is_due`,
      [RETURN_MS, LOCKS, SITE],
    );
    return answer.rows[0]?.is_due ?? true;
  };
  while (!(await isDue())) await sleep(50);
}

async function lockAsSite(client: pg.Client, dataDir: string): Promise<void> {
  // The server needs a moment to notice that a killed process has gone.
  const giveUpAt = Date.now() + 5000;
  while (!(await tryLock(client, SITE))) {
    const holder = await client.query<{ name: string }>(
      `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.classid = $1 and l.objid = $2 and l.granted limit 1`,
      [LOCKS, SITE],
    );
    const pid = Number(holder.rows[0]?.name.split(' ').at(-1)) || null;
    if ((pid && isAlive(pid)) || Date.now() > giveUpAt) throw new FolderInUseError(dataDir, pid);
    await sleep(50);
  }
}

async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  const answer = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1, $2) as got', [LOCKS, lock]);
  return answer.rows[0]?.got === true;
}

async function connect(cluster: Cluster, port: number, name: string): Promise<pg.Client> {
  try {
    return await connectTo(await embeddedUrl(cluster, port), name);
  } catch (error) {
    const missing = isCode(error, '3D000');
    if (!missing) throw error;
  }
  const admin = await connectTo(await embeddedUrl(cluster, port, 'postgres'), name);
  try {
    await admin.query(`create database ${EMBEDDED_DATABASE}`);
  } catch (error) {
    // Another process created the database in the same instant.
    if (!isCode(error, '42P04', '23505')) throw error;
  } finally {
    await admin.end();
  }
  return connectTo(await embeddedUrl(cluster, port), name);
}

/** A server that was stopped (SIGSTOP) takes connections and answers nothing. */
const CONNECT_MS = 15_000;

async function connectTo(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  });
  // A lost connection is noticed by its `end`; without a listener its `error` would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
