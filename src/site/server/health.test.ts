import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import type { Ctx } from '../../context.ts';
import { openDatabase } from '../../platform/db/client.ts';
import { createHealth, serveHealth } from './health.ts';

let paying: PayingApp;
let ctx: Ctx;
beforeAll(async () => {
  paying = await openPayingApp();
  ctx = paying.app.ctx;
});
afterAll(() => paying.app.close());

const ready = async (over: Partial<Ctx> = {}) => {
  const answer = await serveHealth(createHealth({ ...ctx, ...over }), '/readyz');
  return { status: answer.status, ...(await answer.json()) };
};

test('a node that can serve is ready', async () => {
  expect(await ready()).toEqual({ status: 'ok', problems: [], warnings: [] });
});

test('a node that is draining is alive and not ready', async () => {
  const health = createHealth(ctx);
  health.isDraining = true;
  expect((await serveHealth(health, '/readyz')).status).toBe(503);
  expect(await (await serveHealth(health, '/livez')).json()).toEqual({ status: 'ok', problems: [] });
});

test('a database that is away is named', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', { max: 1, log: ctx.log });
  expect(await ready({ db: away.db })).toMatchObject({ problems: ['the database does not answer'] });
  await away.close();
});

test('a database that does not answer in time is named before it answers', async () => {
  const holder = new pg.Client({ connectionString: paying.app.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin; lock table schema_migrations in access exclusive mode');
    expect(await ready()).toMatchObject({ status: 'unavailable', problems: ['the database does not answer'] });
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
  await expect.poll(async () => (await ready()).problems).toEqual([]);
});

test('a process that was busy itself does not take the database for late', async () => {
  const holder = new pg.Client({ connectionString: paying.app.databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table schema_migrations in access exclusive mode');
  const answer = ready();
  await new Promise((resolve) => setTimeout(resolve, 50));
  // From here on timers come before what has arrived.
  await new Promise((resolve) => setImmediate(resolve));
  const released = holder.query('rollback');
  // The database answers while nothing is read.
  for (const end = performance.now() + 700; performance.now() < end;);
  expect(await answer).toMatchObject({ status: 'ok', problems: [] });
  await released;
  await holder.end();
});

test('a database that was put back to an older release is named', async () => {
  const removed = await ctx.db.execute(
    sql`delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum`,
  );
  const [last] = removed.rows;
  try {
    expect((await ready()).problems).toEqual([expect.stringContaining('older schema')]);
  } finally {
    await ctx.db.execute(
      sql`insert into schema_migrations (name, checksum) values (${last?.['name']}, ${last?.['checksum']})`,
    );
  }
  expect((await ready()).problems).toEqual([]);
  // The next release has come while this node still answers.
  await ctx.db.execute(sql`insert into schema_migrations (name, checksum) values ('9999-later.sql', '')`);
  expect((await ready()).problems).toEqual([]);
});

test('a folder of files that is gone, as after an unmount, is named', async () => {
  const files = join(ctx.config.dataDir, 'files');
  await rename(files, `${files}-gone`);
  expect((await ready()).problems).toEqual(['the folder of the stored files is empty or not there']);
  await mkdir(files);
  expect((await ready()).problems).toEqual(['the folder of the stored files is empty or not there']);
  await rmdir(files);
  await rename(`${files}-gone`, files);
  expect((await ready()).problems).toEqual([]);
});

test('a clock that differs from that of a payment provider by more than a minute is a warning, not a problem', async () => {
  paying.wechat.setClockAhead(60);
  paying.alipay.setClockAhead(-60);
  expect((await ready()).warnings).toEqual([]);
  paying.wechat.setClockAhead(61);
  paying.alipay.setClockAhead(-3_600);
  expect(await ready()).toEqual({
    status: 'ok',
    problems: [],
    warnings: [
      'the clock of this machine is 61 s behind that of WeChat Pay',
      'the clock of this machine is 3600 s ahead of that of Alipay',
    ],
  });
  const unconfigured = { wechat: null, alipay: null };
  expect((await ready({ gateways: unconfigured })).warnings).toEqual([]);
});
