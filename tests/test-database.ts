import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = {
  /** The address of an empty database in the schema of this release, the caller's alone. */
  url: string;
  /** Drops the database, also while clients are connected. */
  drop(): Promise<void>;
};

/**
 * A database for one test file: a copy of the template of the run. Call it in `beforeAll`, and `drop`
 * in `afterAll` after the file's own pools are closed.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { serverUrl, template } = inject('testDatabase');
  const name = template.replace('template', randomBytes(6).toString('hex'));
  // Copying the files of the template takes a third of the processor time of logging its pages.
  await administer((client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const drop = () =>
    administer(async (client) => {
      await waitForDisconnects(client, name);
      await client.query(`drop database if exists ${name} with (force)`);
    });
  return { url: url.href, drop };
}

/**
 * Waits until the database has no client, at most a second. `pool.end()` resolves before the server has closed the
 * pool's connections, and a connection that the server ends by force is an error outside of any test.
 */
async function waitForDisconnects(client: pg.PoolClient, database: string): Promise<void> {
  const clients = `select from pg_stat_activity where datname = $1 and backend_type = 'client backend'`;
  for (const end = Date.now() + 1_000; Date.now() < end; await sleep(5))
    if ((await client.query(clients, [database])).rowCount === 0) return;
}

/**
 * The connections by which the files of this worker create and drop their databases: a new one takes the server 25 ms of a core. They are
 * kept, and hold up neither the end of the worker nor that of the server.
 */
let administrators: pg.Pool | undefined;

async function administer(work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  administrators ??= openPool(inject('testDatabase').serverUrl);
  const client = await administrators.connect();
  try {
    await work(client);
  } finally {
    client.release();
  }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server may end first; nobody asks it for more then.
  return pool.on('error', () => undefined);
}
