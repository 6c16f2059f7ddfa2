import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../processes.ts';
import {
  DatabaseVersionError,
  FolderInUseError,
  FolderNotWritableError,
  ServerFailedError,
} from './embedded-errors.ts';
import { findBinaries } from './embedded-identity.ts';
import { openEmbeddedPostgres, type EmbeddedPostgres } from './embedded.ts';
import { makePassableFolder } from '../../../tests/passable-folder.ts';

const log = { info: () => undefined, warn: () => undefined };
const settings = { fsync: 'off', shared_buffers: '16MB' };
const NOBODY = 65534;
// As Docker starts root: it may not look into the processes of other users.
const CONTAINED = ['--bounding-set=-sys_ptrace', '--inh-caps=-sys_ptrace'];
const { postgres } = await findBinaries();
const canBeContained =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [...CONTAINED, 'true']).status === 0 &&
  spawnSync(postgres, ['--version'], { cwd: '/', uid: NOBODY, gid: NOBODY }).status === 0;
const children: ChildProcess[] = [];
const opened: EmbeddedPostgres[] = [];
let dataDir = '';

const open = async (role: 'site' | 'tool', folder = dataDir): Promise<EmbeddedPostgres> => {
  const database = await openEmbeddedPostgres({ dataDir: folder, role, log, settings });
  opened.push(database);
  return database;
};

/** Opens the embedded database as `open` does, but in a child process, which the test can kill. */
const openElsewhere = async (role: 'site' | 'tool'): Promise<{ child: ChildProcess; url: string }> => {
  const child = fork(new URL('embedded.test-process.ts', import.meta.url), [dataDir, role], { stdio: 'inherit' });
  children.push(child);
  const [message] = await once(child, 'message');
  return { child, url: String(message) };
};

const query = async (url: string, sql: string): Promise<unknown> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows[0]?.[0];
  } finally {
    await client.end();
  }
};

const serverPid = async (): Promise<number> =>
  Number((await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

beforeAll(() => {
  // A folder name with a space and Chinese characters, as a person may have.
  dataDir = path.join(makePassableFolder('ceku-db-'), '策库 data');
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
  await Promise.all(opened.splice(0).map((database) => database.close()));
});
afterAll(async () => {
  await rm(path.dirname(dataDir), { recursive: true, force: true });
});

describe('openEmbeddedPostgres', () => {
  it('is created once by two who start at the same instant, and stopped by the last one out', async () => {
    const [one, two] = await Promise.all([open('tool'), open('tool')]);
    expect(one.url).toBe(two.url);
    expect([one.adopted, two.adopted].filter(Boolean)).toHaveLength(1);
    const pid = await serverPid();
    await one.close();
    expect(await query(two.url, 'select 1')).toBe(1);
    await two.close();
    expect(isAlive(pid)).toBe(false);
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'postgres.log']);
    expect((await stat(path.join(dataDir, 'postgres/ceku.password'))).mode & 0o777).toBe(0o600);
  });

  it('has the settings that the schema counts on', async () => {
    const database = await open('site');
    expect(await query(database.url, 'show server_encoding')).toBe('UTF8');
    expect(await query(database.url, 'show timezone')).toBe('UTC');
    expect(await query(database.url, 'show listen_addresses')).toBe('127.0.0.1');
    expect(await query(database.url, 'show data_checksums')).toBe('on');
    expect(await query(database.url, "select lower('ÀÉ') || upper('策ß')")).toBe('àé策ß');
    expect(await query(database.url, 'select datlocale from pg_database where datname = current_database()')).toBe(
      'C.UTF-8',
    );
    await expect(query(database.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/);
  });

  it('adopts the server of a killed process, with what was committed in it', async () => {
    const { child, url } = await openElsewhere('site');
    await query(url, 'create table kept as select 7 as seven');
    const pid = await serverPid();
    await kill(child);
    expect(isAlive(pid)).toBe(true);
    const database = await open('site');
    expect(database.adopted).toBe(true);
    expect(await serverPid()).toBe(pid);
    expect(await query(database.url, 'select seven from kept')).toBe(7);
  });

  it('refuses a second site on the folder, and lets a tool in', async () => {
    const { child } = await openElsewhere('site');
    const refusal = await open('site').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FolderInUseError);
    expect(String(refusal)).toContain(`process ${child.pid}`);
    expect(String(refusal)).toContain(dataDir);
    expect((await open('tool')).adopted).toBe(true);
  });

  it('starts again after the server was killed too, even if its number now belongs to another program', async () => {
    const { child } = await openElsewhere('site');
    process.kill(await serverPid(), 'SIGKILL');
    await kill(child);
    const pidFile = path.join(dataDir, 'postgres/postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await writeFile(pidFile, [String(process.ppid), ...lines.slice(1)].join('\n'));
    const database = await open('site');
    expect(database.adopted).toBe(false);
    expect(await query(database.url, 'select 1')).toBe(1);
  });

  it('brings the server back on the same port when it dies under us', async () => {
    const database = await open('site');
    process.kill(await serverPid(), 'SIGKILL');
    await expect.poll(() => query(database.url, 'select 1').catch(() => 0), { timeout: 10_000, interval: 100 }).toBe(1);
    await expect(open('site')).rejects.toThrow(FolderInUseError);
  });

  it('waits for its port when another program has taken it meanwhile', async () => {
    const { child, url } = await openElsewhere('site');
    // Stopped, so that the other program is quicker.
    child.kill('SIGSTOP');
    process.kill(await serverPid(), 'SIGKILL');
    const other = createServer();
    const listening = () =>
      new Promise<boolean>((resolve) => {
        other.once('error', () => resolve(false)).once('listening', () => resolve(true));
        other.listen(Number(new URL(url).port), '127.0.0.1');
      });
    await expect.poll(listening, { timeout: 10_000 }).toBe(true);
    child.kill('SIGCONT');
    const log = () => readFile(path.join(dataDir, 'postgres.log'), 'utf8');
    await expect.poll(log, { timeout: 20_000 }).toMatch(/could not bind/);
    other.close();
    await expect.poll(() => query(url, 'select 1').catch(() => 0), { timeout: 30_000, interval: 100 }).toBe(1);
  });

  it('never leaves two servers or none behind when many come and go at once', async () => {
    const visits = Array.from({ length: 6 }, async (_, visit) => {
      const database = await open('tool');
      expect(await query(database.url, `select ${visit}`)).toBe(visit);
      await database.close();
    });
    await Promise.all(visits);
    expect(await serverPid()).toBe(0);
  });

  it('finishes a creation that was killed in the middle', async () => {
    const folder = path.join(path.dirname(dataDir), 'interrupted');
    const half = path.join(folder, 'postgres-init-999999999-abc/cluster');
    await mkdir(half, { recursive: true });
    await writeFile(path.join(half, 'PG_VERSION'), '18\n');
    const database = await open('tool', folder);
    expect(await query(database.url, 'select 1')).toBe(1);
    expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'postgres.log']);
  });

  it.skipIf(!canBeContained)('knows its server, run as another user, from inside a container', async () => {
    const folder = path.join(path.dirname(dataDir), 'contained');
    await (await open('tool', folder)).close();
    const made = path.join(folder, 'postgres');
    for (const name of ['', ...(await readdir(made, { recursive: true }))])
      await chown(path.join(made, name), NOBODY, NOBODY);
    const program = fileURLToPath(new URL('embedded.test-process.ts', import.meta.url));
    const child = spawn('setpriv', [...CONTAINED, process.execPath, program, folder, 'tool'], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.push(child);
    const [url] = await once(child, 'message');
    expect(await query(String(url), 'select 1')).toBe(1);
    // Killed, it leaves its server behind: ours adopts it, and stops it at the end.
    await kill(child);
    expect((await open('tool', folder)).adopted).toBe(true);
  });

  it('says in plain words what is wrong with a folder', async () => {
    const parent = path.dirname(dataDir);
    await writeFile(path.join(parent, 'a file'), '');
    await expect(open('tool', path.join(parent, 'a file'))).rejects.toThrow(FolderNotWritableError);
    // Nothing can be made there, and `mkdir` with `recursive` would try for ever.
    if (process.platform === 'linux')
      await expect(open('tool', '/proc/ceku/data')).rejects.toThrow(FolderNotWritableError);
    // The files belong to the user that PostgreSQL runs as. Files of root are refused earlier, where root has no user namespaces.
    const { uid, gid } = await stat(path.join(dataDir, 'postgres'));
    await mkdir(path.join(parent, 'empty/postgres'), { recursive: true });
    await chown(path.join(parent, 'empty/postgres'), uid, gid);
    await expect(open('tool', path.join(parent, 'empty'))).rejects.toThrow(ServerFailedError);
    await mkdir(path.join(parent, 'newer/postgres'), { recursive: true });
    await chown(path.join(parent, 'newer/postgres'), uid, gid);
    await writeFile(path.join(parent, 'newer/postgres/PG_VERSION'), '99\n');
    await expect(open('tool', path.join(parent, 'newer'))).rejects.toThrow(DatabaseVersionError);
  });
});
