import { existsSync, readFileSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { isAlive } from '../src/platform/processes.ts';
import { openEmbeddedPostgres } from '../src/platform/db/embedded.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { makePassableFolder } from './passable-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run and the migrated, empty database that tests clone. */
    testDatabase: { serverUrl: string; template: string };
  }
}

const FOLDER = 'ceku-test-';
/** Linux keeps files of this folder in memory, where PostgreSQL clones a database in a tenth of the processor time. */
const MEMORY = '/dev/shm';
/** The servers of a run need less than 1 GB. In a container the folder usually has 64 MB: then the run does without it. */
const MIN_MEMORY_BYTES = 3 * 1024 ** 3;
const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) };

/**
 * Vitest's global setup: one PostgreSQL for the whole run, or the server of TEST_DATABASE_URL (a user who may create
 * databases), with one database in the schema of this release; the temporary folder of all tests; and, where the machine
 * has the memory, a folder in memory for the servers of tests and their sites. Nothing of these outlives the run, however
 * the run ends.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folders = openFolders();
  const prefix = `ceku_test_${process.pid}_`;
  const template = `${prefix}template`;
  const server = await openServer();
  const close = async (): Promise<void> => {
    if (server.shared) await dropDatabases(server.url, prefix);
    await server.close();
    folders.forEach(remove);
  };
  try {
    await administer(server.url, (client) => client.query(`create database ${template}`));
    await migrate(withDatabase(server.url, template));
  } catch (error) {
    await close();
    throw error;
  }
  project.provide('testDatabase', { serverUrl: server.url, template });
  return close;
}

/** Makes the folders of the run, which are removed when this process ends. */
function openFolders(): string[] {
  const parents = [tmpdir(), ...(hasMemory() ? [MEMORY] : [])];
  parents.forEach(removeAbandoned);
  const folders = parents.map((parent) => makePassableFolder(`${FOLDER}${process.pid}-`, parent));
  process.once('exit', () => {
    if (!folders.some((folder) => existsSync(folder))) return;
    endWorkers();
    folders.forEach(remove);
  });
  // Without a listener a signal ends the process before `exit` is told.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  const [temporary, memory] = folders;
  process.env['TMPDIR'] = temporary;
  if (memory) process.env['TEST_MEMORY'] = memory;
  return folders;
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MIN_MEMORY_BYTES;
}

type Server = { url: string; shared: boolean; close(): Promise<void> };

async function openServer(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, shared: true, close: async () => undefined };
  // Durability is what the application's tests take for granted; the chaos suite has a server of its own.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Nothing replicates this server: the least that is logged.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_connections: '200',
  };
  const dataDir = makePassableFolder('database-');
  const database = await openEmbeddedPostgres({ dataDir, role: 'tool', log, settings });
  return { url: database.url, shared: false, close: () => database.close() };
}

/** Removes the folders of runs that were killed and could not do it. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(FOLDER) ? Number.parseInt(name.slice(FOLDER.length), 10) : Number.NaN;
    if (!Number.isNaN(pid) && !isAlive(pid)) remove(path.join(parent, name));
  }
}

/**
 * Ends the database servers that still run in the folder, which is none after a run that ended well, and removes it.
 * Synchronous, as `exit` listeners must be.
 */
function remove(folder: string): void {
  const giveUpAt = Date.now() + 5000;
  while (existsSync(folder) && Date.now() < giveUpAt) {
    try {
      listFiles(folder)
        .filter((file) => path.basename(file) === 'postmaster.pid')
        .forEach(endServer);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A server needs a moment to end, and writes until then.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** Vitest's workers would go on for a moment after an interrupted run, and write into the folder again. */
function endWorkers(): void {
  const file = `/proc/self/task/${process.pid}/children`;
  if (!existsSync(file)) return;
  for (const pid of readFileSync(file, 'utf8').trim().split(' ').map(Number))
    if (pid && isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
}

function endServer(pidFile: string): void {
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (pid && isAlive(pid)) process.kill(pid, 'SIGQUIT');
}

async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  await administer(serverUrl, async (client) => {
    const names = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of names.rows) await client.query(`drop database if exists ${name} with (force)`);
  });
}

async function administer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
