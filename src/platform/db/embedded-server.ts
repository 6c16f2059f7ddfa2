import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open, readFile, readlink, realpath, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeFolder } from '../files/folders.ts';
import { createClusterFolder } from './embedded-cluster.ts';
import { DatabaseVersionError, FolderNotWritableError, NoPortError, ServerFailedError } from './embedded-errors.ts';
import {
  findBinaries,
  findIdentity,
  idsOf,
  serverEnvironment,
  type Binaries,
  type Identity,
} from './embedded-identity.ts';

export type Log = { info(message: string): void; warn(message: string): void };

/** A database folder that is ready to be started. `folder` and `logFile` are real, absolute paths. */
export type Cluster = {
  dataDir: string;
  folder: string;
  logFile: string;
  binaries: Binaries;
  identity: Identity;
  settings: Record<string, string>;
  log: Log;
};

export type RunningServer = { pid: number; port: number };

const ROTATE_LOG_AT_BYTES = 10 * 1024 * 1024;
const RETRY_FOR_MS = 20_000;
const STOP_WITHIN_MS = 60_000;

/** Server settings; settings of the caller are added after these and override them. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '100',
  shared_buffers: '256MB',
  jit: 'off',
  log_checkpoints: 'off',
  // Docker gives /dev/shm 64 MB, which one parallel query can exhaust; files in the database folder cannot run out so.
  dynamic_shared_memory_type: process.platform === 'linux' ? 'mmap' : 'posix',
};

/** Returns the folder of the embedded database in the data folder. */
export const embeddedFolder = (dataDir: string): string => path.join(dataDir, 'postgres');

/**
 * Ensures that `dataDir` holds a database that this release can open, and creates a database if there is none. @throws
 * FolderNotWritableError, DatabaseVersionError, CannotRunAsRootError, NoBinariesError, ServerFailedError
 */
export async function prepareCluster(givenDir: string, settings: Record<string, string>, log: Log): Promise<Cluster> {
  const dataDir = await writableFolder(givenDir);
  const folder = embeddedFolder(dataDir);
  const binaries = await findBinaries();
  const existing = await stat(folder).catch(() => null);
  const { identity, major } = await findIdentity(binaries, dataDir, existing?.uid ?? null);
  const cluster = { dataDir, folder, logFile: path.join(dataDir, 'postgres.log'), binaries, identity, settings, log };
  if (!existing) await createClusterFolder(cluster);
  const folderMajor = Number(await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => 'NaN'));
  if (Number.isNaN(folderMajor)) {
    throw new ServerFailedError(`${folder} exists but is not a database`, cluster.logFile, '');
  }
  if (folderMajor !== major) throw new DatabaseVersionError(dataDir, folderMajor, major);
  return cluster;
}

/**
 * Returns the server of this folder: the running one, or a new one. PostgreSQL decides races: of two servers started on
 * one folder, the second refuses the lock file and exits, and this process uses the first. @param preferredPort the
 * only port to start on (a restart under a live connection pool); 0 for any free one @throws NoPortError,
 * FolderNotWritableError, ServerFailedError
 */
export async function ensureRunning(
  cluster: Cluster,
  preferredPort: number,
): Promise<RunningServer & { adopted: boolean }> {
  const giveUpAt = Date.now() + RETRY_FOR_MS;
  let attempt: Attempt | null = null;
  let portFailures = 0;
  let toldAt = Date.now();
  for (;;) {
    const file = await readPostmasterFile(cluster.folder);
    if (file && (await isServerOf(file.pid, cluster.folder))) {
      if (file.status === 'ready') return { pid: file.pid, port: file.port, adopted: file.pid !== attempt?.pid };
      if (Date.now() - toldAt > 5000) {
        cluster.log.info('Waiting for the database to be ready (it repairs itself after a hard stop)');
        toldAt = Date.now();
      }
    } else if (!attempt || attempt.exited) {
      if (attempt) {
        const failure = await readFailure(cluster, attempt);
        if (failure.kind === 'port' && ++portFailures >= 5) throw new NoPortError(failure.lastLines);
        if (failure.kind === 'fatal' || Date.now() > giveUpAt) throw failure.error;
        await sleep(100);
      }
      // After a crash another process may be quicker than one whose connection pool knows the port: it takes the port of before as well.
      const lastPort = portFailures === 0 ? file?.port || 0 : 0;
      attempt = await startServer(cluster, preferredPort || lastPort, file?.pid ?? null);
    }
    await sleep(20);
  }
}

/** Stops the server of this folder: open transactions are rolled back, everything committed is on disk. */
export async function stopServer(cluster: Cluster, server: RunningServer): Promise<void> {
  for (const [signal, withinMs] of [
    ['SIGINT', STOP_WITHIN_MS],
    ['SIGQUIT', 5000],
  ] as const) {
    if (!(await isServerOf(server.pid, cluster.folder))) return;
    process.kill(server.pid, signal);
    const giveUpAt = Date.now() + withinMs;
    while (Date.now() < giveUpAt && (await isServerOf(server.pid, cluster.folder))) await sleep(20);
  }
  if (await isServerOf(server.pid, cluster.folder))
    cluster.log.warn(`The database (process ${server.pid}) did not stop`);
}

type Attempt = { pid: number | undefined; port: number; logFrom: number; exited: boolean };

async function startServer(cluster: Cluster, preferredPort: number, stalePid: number | null): Promise<Attempt> {
  const port = preferredPort || (await freePort());
  const logFrom = await rotateLog(cluster.logFile);
  const log = await open(cluster.logFile, 'a', 0o600).catch((error: unknown) => {
    throw new FolderNotWritableError(cluster.logFile, String(error), { cause: error });
  });
  try {
    const settings = Object.entries({ ...SETTINGS, ...cluster.settings }).flatMap(([key, value]) => [
      '-c',
      `${key}=${value}`,
    ]);
    const words = [...cluster.identity.prefix, cluster.binaries.postgres, '-D', cluster.folder, '-p', String(port)];
    const child = spawn(words[0] ?? '', [...words.slice(1), ...settings], {
      cwd: '/',
      // A session of its own: Ctrl-C in the terminal reaches only this process, which stops the server at the end of
      // its shutdown.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      // A stale postmaster.pid may name a number that some other program has now. PostgreSQL ignores the number it is
      // told to be its grandparent's, so it replaces the file itself, after its own check of the shared memory.
      env: { ...serverEnvironment(), ...(stalePid ? { PG_GRANDPARENT_PID: String(stalePid) } : {}) },
      ...idsOf(cluster.identity),
    });
    const attempt = { pid: child.pid, port, logFrom, exited: false };
    const markExited = () => {
      attempt.exited = true;
    };
    child.once('exit', markExited).once('error', markExited).unref();
    return attempt;
  } finally {
    await log.close();
  }
}

type Failure = { kind: 'port' | 'busy' | 'fatal'; lastLines: string; error: Error };

async function readFailure(cluster: Cluster, attempt: Attempt): Promise<Failure> {
  const text = (await readFile(cluster.logFile).catch(() => Buffer.alloc(0))).subarray(attempt.logFrom).toString();
  const lastLines = text.trim().split('\n').slice(-6).join('\n');
  const error = new ServerFailedError('The embedded database did not start', cluster.logFile, lastLines);
  if (/could not bind|could not create any TCP\/IP sockets|Address already in use/.test(text)) {
    return { kind: 'port', lastLines, error };
  }
  if (/Permission denied|Read-only file system|No space left|Disk quota/.test(text)) {
    return { kind: 'fatal', lastLines, error: new FolderNotWritableError(cluster.folder, lastLines) };
  }
  // Another process was quicker, or the backends of a killed server have not noticed its death yet.
  if (/lock file .* already exists|shared memory block .* in use/.test(text)) return { kind: 'busy', lastLines, error };
  return { kind: 'fatal', lastLines, error };
}

/** Returns the relevant lines of postmaster.pid; null when the file is missing or half written. */
async function readPostmasterFile(folder: string): Promise<(RunningServer & { status: string }) | null> {
  const text = await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!pid) return null;
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? 'starting' };
}

/** True when that process is a live server of that folder (a server's working directory is its folder). */
async function isServerOf(pid: number, folder: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    if (cwd !== null) return cwd === folder;
    // Root in a container may not read another user's /proc/<pid>/cwd (CAP_SYS_PTRACE); /proc/<pid>/cmdline is readable
    // for everybody.
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return words[words.indexOf('-D') + 1] === folder;
  }
  const ps = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({ stdout: '' }));
  return ps.stdout.includes(folder);
}

async function writableFolder(givenDir: string): Promise<string> {
  try {
    await makeFolder(givenDir);
    const dataDir = await realpath(givenDir);
    await access(dataDir, constants.W_OK | constants.X_OK);
    return dataDir;
  } catch (error) {
    throw new FolderNotWritableError(givenDir, error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

/** @returns the length of the log in bytes, where the next server appends */
async function rotateLog(logFile: string): Promise<number> {
  const bytes = (await stat(logFile).catch(() => null))?.size ?? 0;
  if (bytes < ROTATE_LOG_AT_BYTES) return bytes;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(new NoPortError(error.message)));
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
