import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { syncPath } from '../files/folders.ts';
import { isAlive } from '../processes.ts';
import { FolderNotWritableError, ServerFailedError } from './embedded-errors.ts';
import { idsOf, serverEnvironment } from './embedded-identity.ts';
import type { Cluster } from './embedded-server.ts';

/** The name of the embedded database and of the role that owns everything in it. */
const EMBEDDED_USER = 'ceku';
export const EMBEDDED_DATABASE = 'ceku';

const PASSWORD_FILE = 'ceku.password';
const STAGING = 'postgres-init-';

/**
 * Creates the database folder under a temporary name and renames the finished folder, so that a kill leaves no half
 * folder; of two processes that start at once, one wins and the other uses the winner's folder. The password is inside
 * the folder. @throws FolderNotWritableError, ServerFailedError
 */
export async function createClusterFolder(cluster: Cluster): Promise<void> {
  cluster.log.info('Creating the database');
  await removeAbandoned(cluster.dataDir);
  const { uid, gid } = idsOf(cluster.identity);
  const staging = await mkdtemp(path.join(cluster.dataDir, `${STAGING}${process.pid}-`)).catch((error: unknown) => {
    throw new FolderNotWritableError(cluster.dataDir, String(error), { cause: error });
  });
  try {
    const passwordFile = path.join(staging, PASSWORD_FILE);
    const made = path.join(staging, 'cluster');
    const file = await open(passwordFile, 'wx', 0o600);
    await file.writeFile(randomBytes(24).toString('base64url'));
    await file.sync();
    await file.close();
    if (uid !== undefined && gid !== undefined) {
      await chown(staging, uid, gid);
      await chown(passwordFile, uid, gid);
    }
    await initdb(cluster, made, passwordFile);
    await rename(passwordFile, path.join(made, PASSWORD_FILE));
    await syncPath(made);
    await rename(made, cluster.folder).catch((error: unknown) => {
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    });
    await syncPath(cluster.dataDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Returns the address of a database in the embedded server. The address holds the password and must not be logged. */
export async function embeddedUrl(cluster: Cluster, port: number, database = EMBEDDED_DATABASE): Promise<string> {
  const password = (await readFile(path.join(cluster.folder, PASSWORD_FILE), 'utf8')).trim();
  return `postgres://${EMBEDDED_USER}:${password}@127.0.0.1:${port}/${database}`;
}

async function initdb(cluster: Cluster, folder: string, passwordFile: string): Promise<void> {
  const words = [...cluster.identity.prefix, cluster.binaries.initdb];
  const options = [
    '-D',
    folder,
    `--username=${EMBEDDED_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
  try {
    await promisify(execFile)(words[0] ?? '', [...words.slice(1), ...options], {
      cwd: '/',
      env: serverEnvironment(),
      ...idsOf(cluster.identity),
    });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (/Permission denied|Read-only file system|No space left|Disk quota/.test(text)) {
      throw new FolderNotWritableError(cluster.dataDir, text.trim().split('\n').at(-1) ?? text, { cause: error });
    }
    throw new ServerFailedError('The embedded database could not be created', cluster.logFile, text.trim());
  }
}

/** Removes the temporary folders of processes that were killed while they created the database. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = name.startsWith(STAGING) ? Number.parseInt(name.slice(STAGING.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || pid === process.pid || isAlive(pid)) continue;
    await rm(path.join(dataDir, name), { recursive: true, force: true });
  }
}

/** True for an error of Node or PostgreSQL with one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
