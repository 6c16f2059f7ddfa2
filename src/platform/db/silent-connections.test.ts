import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openLine, type Line } from '../../../tests/cut-line.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/test-database.ts';
import { createLog } from '../log.ts';
import { isDatabaseAway, openDatabase, rowsOf } from './client.ts';
import { listenTo } from './listen.ts';
import { endConnection, limitAnswers, withoutAnswerLimit } from './silent-connections.ts';

const LIMIT_MS = 300;
const log = createLog('silent');

let database: TestDatabase;
let line: Line;
beforeAll(async () => void (database = await createTestDatabase()));
beforeEach(async () => void (line = await openLine(database.url)));
afterEach(() => line.cut());
afterAll(() => database.drop());

async function connect(url = line.url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  limitAnswers(client, LIMIT_MS);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const errorOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

test('a statement without an answer breaks its connection; all that wait on it fail as of a database that is away', async () => {
  const client = await connect();
  await client.query('select');
  line.silence();
  const waiting = ['select 1', 'select 2'].map((text) => errorOf(client.query(text)));
  const byCallback = new Promise((resolve) => client.query('select 3', [], resolve));
  for (const error of await Promise.all([...waiting, byCallback])) {
    expect(String(error)).toContain('no answer for 0.3 s');
    expect(isDatabaseAway(error)).toBe(true);
  }
  expect(isDatabaseAway(await errorOf(client.query('rollback')))).toBe(true);
});

test('statements that are answered one after the other have the whole time each', async () => {
  const client = await connect();
  const answers = await Promise.all([1, 2, 3, 4].map(() => client.query('select pg_sleep(0.2)')));
  expect(answers.map(({ rowCount }) => rowCount)).toEqual([1, 1, 1, 1]);
  await client.end();
});

test('a connection without statements is left alone, and so is a statement that may take as long as it needs', async () => {
  const client = await connect();
  await new Promise((resolve) => setTimeout(resolve, 2 * LIMIT_MS));
  await withoutAnswerLimit(client, () => client.query('select pg_sleep(0.7)'));
  expect(String(await errorOf(client.query('select pg_sleep(0.7)')))).toContain('no answer');
});

test('an answer that came while this process was busy counts', async () => {
  const client = await connect(database.url);
  const answer = client.query('select 1 as one');
  await new Promise((resolve) => setImmediate(resolve));
  for (const end = performance.now() + 2 * LIMIT_MS; performance.now() < end;);
  expect((await answer).rows).toEqual([{ one: 1 }]);
  await client.end();
});

test('the code with which a connection broke does not matter: keep-alive probes end it with ETIMEDOUT, as a network disk fails', async () => {
  const client = await connect();
  const timeout = () => Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'read' });
  const answer = errorOf(client.query('select pg_sleep(0.2)'));
  client.connection.stream.destroy(timeout());
  expect(isDatabaseAway(await answer)).toBe(true);
  expect(isDatabaseAway(timeout())).toBe(false);
});

test('a silent connection ends all the same', async () => {
  const client = await connect();
  line.silence();
  await endConnection(client);
  expect(client.connection.stream.destroyed).toBe(true);
});

test('pools go on with new connections when theirs fell silent, in use or idle', { timeout: 30_000 }, async () => {
  const site = openDatabase(line.url, { max: 4, log });
  const reader = site.readDb(500) ?? expect.fail('a pool of readers');
  const one = (db: typeof reader) => rowsOf(db, sql`select 1 as one`);
  await one(reader);
  const begun = Promise.withResolvers<void>();
  const transaction = site.db.transaction(async (tx) => {
    await one(tx);
    line.silence();
    begun.resolve();
    await one(tx);
  });
  const failed = errorOf(transaction);
  await begun.promise;
  expect(isDatabaseAway(await errorOf(one(reader)))).toBe(true);
  expect(await one(reader)).toEqual([{ one: 1 }]);
  expect(isDatabaseAway(await failed)).toBe(true);
  expect(await one(site.db)).toEqual([{ one: 1 }]);
  expect(site.pools.map((pool) => pool.totalCount - pool.idleCount)).toEqual([0, 0]);
  await site.close();
});

test('a listener whose connection fell silent connects again', { timeout: 20_000 }, async () => {
  const notices: (string | null)[] = [];
  const listening = listenTo(line.url, 'test_silence', { log, onNotice: (payload) => notices.push(payload) });
  await expect.poll(() => listening.isConnected(), { timeout: 5_000 }).toBe(true);
  line.silence();
  await expect.poll(() => notices, { timeout: 15_000 }).toEqual([null, null]);
  const client = await connect();
  await client.query(`notify test_silence, 'heard'`);
  await expect.poll(() => notices.at(-1)).toBe('heard');
  await client.end();
  line.silence();
  await listening.close();
});
