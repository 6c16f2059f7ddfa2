import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makePassableFolder } from '../tests/passable-folder.ts';
import { createTestDatabase, type TestDatabase } from '../tests/test-database.ts';
import { createUser } from './accounts/server/users.ts';
import { readConfig } from './config.ts';
import { openApp } from './open-app.ts';
import { isDatabaseAway, openDatabase, rowsOf } from './platform/db/client.ts';
import { createLog } from './platform/log.ts';

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = makePassableFolder('ceku-open-app-');
});
afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A port that leads to the database from the call of `open` on; nothing listens there before. */
async function laterDatabase() {
  const { hostname, port } = new URL(database.url);
  const door = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.pipe(server).pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy());
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  // Safe: a server that listens on a port has an address.
  const { port: own } = door.address() as { port: number };
  door.close();
  await once(door, 'close');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    open: async () => {
      door.listen(own, '127.0.0.1');
      await once(door, 'listening');
    },
    close: () => void door.close(),
  };
}

const start = (url: string, role: 'site' | 'tool', signal?: AbortSignal) => {
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, SEARCH_THREADS: '0' });
  return openApp(config, createLog('silent'), role, undefined, signal);
};

it('a site that is started before its database waits for it, and says so without the password', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const door = await laterDatabase();
  const opening = start(door.url, 'site');
  const { host, password } = new URL(door.url);
  await expect.poll(() => said.mock.calls.join('')).toContain(`Waiting for the database at ${host}: `);
  await door.open();
  const app = await opening;
  expect(await rowsOf(app.ctx.db, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await app.close();
  door.close();
  if (password) expect(said.mock.calls.join('')).not.toContain(password);
});

it('a start that is stopped while it waits ends at once', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { url } = await laterDatabase();
  const stopping = new AbortController();
  const opening = start(url, 'site', stopping.signal);
  await expect.poll(() => said.mock.calls.join('')).toContain('Waiting for the database');
  stopping.abort();
  await expect(opening).rejects.toThrow('aborted');
});

it('closes its connections after a wrong secret, which would keep the command for half a minute', async () => {
  const open = (secret: string) => {
    const config = readConfig({ DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY: secret });
    return openApp(config, createLog('silent'), 'tool');
  };
  const app = await open(randomBytes(32).toString('hex'));
  await createUser(app.ctx, { username: 'sealed', password: null, phone: '13800001234', nickname: '封存' });
  await app.close();
  const error: unknown = await open(randomBytes(32).toString('hex')).catch((reason: unknown) => reason);
  expect(String(error)).toContain('SECRET_KEY');
  const operator = openDatabase(database.url, { max: 1, log: createLog('silent'), applicationName: 'operator' });
  const others = () =>
    rowsOf(
      operator.db,
      sql`select application_name from pg_stat_activity
        where datname = current_database() and application_name like 'ceku-%'`,
    );
  await expect.poll(others).toEqual([]);
  await operator.close();
});

it('a data folder that takes no key file is named, and is no defect of the program', async () => {
  // The keys folder is a link to /proc, where even root cannot create a file.
  await rm(dataDir, { recursive: true });
  await mkdir(dataDir);
  await symlink('/proc', join(dataDir, 'keys'));
  await expect(start(database.url, 'tool')).rejects.toThrow(
    new RegExp(`^Cannot write to ${dataDir}/keys/secret.key: `),
  );
});

it('a command does not wait', async () => {
  const { url } = await laterDatabase();
  const error: unknown = await start(url, 'tool').catch((reason: unknown) => reason);
  expect(isDatabaseAway(error)).toBe(true);
});

it('a host without an address is a database that is away: a container may be given its name later', async () => {
  const error: unknown = await start('postgres://ceku@no-such-host.invalid/ceku', 'tool').catch(
    (reason: unknown) => reason,
  );
  expect(isDatabaseAway(error)).toBe(true);
});
