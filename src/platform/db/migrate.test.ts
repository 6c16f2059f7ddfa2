import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/test-database.ts';
import { newCertified } from '../../outside/wechat-pay/keys.ts';
import { isDatabaseAway } from './client.ts';
import { migrate, MigrationError } from './migrate.ts';

let database: TestDatabase;
let other: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query('drop schema public, graphile_worker cascade');
  await other.query('create schema public');
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

it('waits for a locked table a little at a time, so that others read it in between, and goes on when it is free', async () => {
  await other.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  await other.query('begin; lock table schema_migrations in share mode');
  const blocked: string[] = [];
  let release: Promise<unknown> = Promise.resolve();
  await migrate(database.url, {
    onBlocked: (name) => {
      if (blocked.push(name) === 2) release = other.query('commit');
    },
  });
  await release;
  expect(new Set(blocked)).toEqual(new Set([blocked[0]]));
  expect(blocked.length).toBeGreaterThanOrEqual(2);
  const { rows } = await other.query('select count(*)::int as count from schema_migrations where name = $1', [
    blocked[0],
  ]);
  expect(rows).toEqual([{ count: 1 }]);
}, 60_000);

it('a connection that is lost while it waits is a database that is away, not the end of the process', async () => {
  await other.query('drop schema public cascade; create schema public');
  await other.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  await other.query('begin; lock table schema_migrations in share mode');
  const onBlocked = () =>
    void other.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'ceku-migrate' and datname = current_database()`);
  const error: unknown = await migrate(database.url, { onBlocked }).catch((reason: unknown) => reason);
  expect(isDatabaseAway(error)).toBe(true);
  await other.query('rollback');
}, 60_000);

it('a user without the right to make tables is a mistake of the operator', async () => {
  const role = `poor_${process.pid}`;
  await other.query('drop schema public cascade; create schema public');
  await other.query(`create role ${role} login password 'poor'; grant usage on schema public to ${role}`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'poor'];
  const error: unknown = await migrate(url.href).catch((reason: unknown) => reason);
  await other.query(`drop owned by ${role}; drop role ${role}`);
  expect(error).toBeInstanceOf(MigrationError);
  expect(String(error)).toContain('permission denied for schema public');
});

it('a server that speaks no TLS, or whose certificate nobody known has signed, is a mistake of the operator', async () => {
  const plain: unknown = await migrate(`${database.url}?sslmode=verify-full`).catch((reason: unknown) => reason);
  expect(plain).toBeInstanceOf(MigrationError);
  expect(String(plain)).toContain('does not speak');

  const { privateKey, certificate } = newCertified('localhost', Date.now());
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
      new TLSSocket(socket, { isServer: true, key, cert: certificate }).on('error', () => undefined);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: the server listens on a port.
  const { port } = server.address() as AddressInfo;
  const url = `postgres://ceku@127.0.0.1:${port}/ceku?sslmode=verify-full`;
  const unknown: unknown = await migrate(url).catch((reason: unknown) => reason);
  server.close();
  expect(unknown).toBeInstanceOf(MigrationError);
  expect(String(unknown)).toContain('sslrootcert');
});

it('goes on trying a migration that has worked for minutes before it met a lock', async () => {
  await other.query('drop schema public, graphile_worker cascade; create schema public');
  await other.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  await other.query('begin; lock table schema_migrations in share mode');
  const start = Date.now();
  let blocked = 0;
  let release: Promise<unknown> = Promise.resolve();
  try {
    await migrate(database.url, {
      onBlocked: () => {
        vi.spyOn(Date, 'now').mockReturnValue(start + ++blocked * 120_000);
        if (blocked === 2) release = other.query('commit');
      },
    });
  } finally {
    vi.restoreAllMocks();
    await release;
  }
  expect(blocked).toBe(2);
}, 60_000);

it('ends its wait when the start is stopped', async () => {
  const start = new AbortController();
  await other.query('drop schema public cascade; create schema public');
  await other.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  await other.query('begin; lock table schema_migrations in share mode');
  await expect(migrate(database.url, { onBlocked: () => start.abort(), signal: start.signal })).rejects.toThrow(
    /abort/,
  );
  await other.query('rollback');
}, 60_000);
