// Three nodes over one PostgreSQL sell documents while the nodes are killed (kill -9) and PostgreSQL crashes. Every answer
// a client got is compared with the rows at the end. Run:
// npx node tests/chaos/money.ts [--operations 20000] [--kills 50] [--crashes 5] [--seed 1] [--minutes 30]
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { openSession } from '../../src/accounts/server/sessions.ts';
import { createUser } from '../../src/accounts/server/users.ts';
import { grantCoins, grantMembership } from '../../src/membership/server/grants.ts';
import { verifyLedger } from '../../src/membership/server/verify-ledger.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { post, type Reply } from '../money/http-nodes.ts';
import { addPriced } from '../money/money-app.ts';
import { openScratchDatabase } from '../scratch-database.ts';
import { openTestApp } from '../test-app.ts';
import { openChaosNodes, randomOf, type ChaosNodes } from './nodes.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '50' },
    crashes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
  },
});
const OPERATIONS = Number(values.operations);
const KILLS = Math.min(Number(values.kills), 500);
const CRASHES = Math.min(Number(values.crashes), 50);
const GIVE_UP_AT = Date.now() + Number(values.minutes) * 60_000;
const CLIENTS = 24;
const USERS = 24;
const DOCUMENTS = 1_200;
const FIRST_COINS = 400;

type User = { id: number; token: string; granted: number };

const random = randomOf(Number(values.seed));
const startedAt = Date.now();
const problems: string[] = [];
/** `operations` were answered: acknowledged or refused. What was cut off or met a dead node is `unanswered`. */
const counts = { operations: 0, acknowledged: 0, refused: 0, unanswered: 0, grants: 0 };
/** Acknowledged purchases, by user and document, with how they were paid. */
const paid = new Map<string, { method: string; cost: number }>();
const owned = new Set<string>();
const opened = new Set<string>();
const asked = new Set<string>();
let isOver = false;

// With fsync, as in production.
const scratch = await openScratchDatabase({});
const operator = await openTestApp({ database: scratch.database });
let chaos: ChaosNodes | null = null;
try {
  const documents = await addPriced(
    operator,
    Array.from({ length: DOCUMENTS }, (_, index) => index % 8),
  );
  const users = await addUsers();
  const running = await openChaosNodes({ program: 'tests/chaos/money-node.ts', scratch, operator });
  chaos = running;
  const work = Array.from({ length: CLIENTS }, () => useForever(users, documents));
  await breakThings(running);
  isOver = true;
  await Promise.all(work);
  // Statements of killed nodes end only when PostgreSQL notices that their connection is gone.
  await running.killAll();
  await check(users);
} finally {
  isOver = true;
  await chaos?.killAll();
  await operator.close();
  await scratch.close();
}
const failures = chaos?.failures ?? [];
if (failures.length > 0) problems.push(`${failures.length} calls or more failed unexpectedly`);
console.log(
  JSON.stringify({
    suite: 'money-chaos',
    seed: Number(values.seed),
    ...counts,
    ...chaos?.counts,
    paid: paid.size,
    opened: opened.size,
    seconds: seconds(),
    violations: problems.length,
    problems: problems.slice(0, 20),
    failures,
  }),
);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Ordinary users and members of both tiers, all with coins. */
async function addUsers(): Promise<User[]> {
  const users: User[] = [];
  for (let index = 0; index < USERS; index += 1) {
    const id = await createUser(operator.ctx, { username: null, password: null, phone: null, nickname: '小策' });
    const login = id === null ? null : await openSession(operator.ctx, [], id);
    if (id === null || !login) throw new Error('the user was not created');
    await grantCoins(operator.ctx, { userId: id, coins: FIRST_COINS, reason: 'chaos' });
    const tier = index % 3;
    if (tier === 1 || tier === 2) await grantMembership(operator.ctx, { userId: id, tier, days: 30, reason: 'chaos' });
    users.push({ id, token: login.authToken, granted: FIRST_COINS });
  }
  return users;
}

/** Spreads kills and crashes over the operations, and returns when all of them are done. */
async function breakThings(nodes: ChaosNodes): Promise<void> {
  const events = KILLS + CRASHES;
  for (let event = 1; event <= events; event += 1) {
    await reach(Math.floor((OPERATIONS * event) / (events + 1)));
    const crashesByNow = Math.floor((CRASHES * event) / events);
    if (nodes.counts.crashes < crashesByNow) await nodes.crashDatabase();
    else await nodes.killAndStart();
    const { kills, crashes } = nodes.counts;
    console.error(`${counts.operations} operations, ${kills} kills, ${crashes} crashes, ${seconds()} s`);
  }
  await reach(OPERATIONS);
  await nodes.whenStarted();
}

function seconds(): number {
  return Math.round((Date.now() - startedAt) / 1000);
}

async function reach(operations: number): Promise<void> {
  while (counts.operations < operations) {
    if (Date.now() > GIVE_UP_AT) throw new Error(`out of time after ${counts.operations} operations`);
    await wait(20);
  }
}

async function useForever(users: User[], documents: number[]): Promise<void> {
  while (!isOver) {
    const user = users[random(users.length)];
    const fid = documents[random(documents.length)];
    if (!user || fid === undefined) continue;
    const choice = random(100);
    if (choice < 50) await download(user, fid);
    else if (choice < 60) await Promise.all([download(user, fid), download(user, fid)]);
    else if (choice < 75) await read(user, fid);
    else if (choice < 85) await request(user, '/api/doc/original', { fid }, fid);
    else if (choice < 95) await request(user, '/api/user/mine', {}, null);
    else await grant(user);
  }
}

async function download(user: User, fid: number): Promise<void> {
  await request(user, '/api/doc/download', { fid }, fid);
}

async function read(user: User, fid: number): Promise<void> {
  const reply = await request(user, '/api/doc/readPages', { fid, count: 1 }, null);
  if (reply?.code === 0 && reply.data['right'] === 'membership') opened.add(`${user.id}/${fid}`);
}

/** Asks any node, and records what it answered. `fid`: the document that the answer may give the user for ever. */
async function request(user: User, path: string, body: object, fid: number | null): Promise<Reply | null> {
  const node = chaos?.nodes[random(chaos.nodes.length)];
  if (!node) return null;
  const key = `${user.id}/${fid}`;
  if (fid !== null) asked.add(key);
  const reply = await post(node.origin, path, user.token, body).catch(() => null);
  if (!reply || reply.code === 503) {
    counts.unanswered += 1;
    // A node that is down refuses at once: without a pause the clients would do nothing but ask it.
    await wait(10);
    return null;
  }
  counts.operations += 1;
  if (![0, 31, 33, 34, 50].includes(reply.code)) problems.push(`${path} answered ${reply.status} ${reply.code}`);
  if (reply.code !== 0) counts.refused += 1;
  else counts.acknowledged += 1;
  if (reply.code === 0 && fid !== null) record(key, reply.data);
  return reply;
}

function record(key: string, { method, cost }: Record<string, unknown>): void {
  if (method === 'owned') owned.add(key);
  if (method !== 'coin' && method !== 'coupon' && method !== 'free') return;
  const before = paid.get(key);
  if (before) problems.push(`${key} was paid twice: ${JSON.stringify([before, method, cost])}`);
  paid.set(key, { method, cost: Number(cost) });
}

/** Grants coins until it is acknowledged: the reference makes it one grant, however often it was tried. */
async function grant(user: User): Promise<void> {
  const coins = 1 + random(20);
  const ref = `chaos-${(counts.grants += 1)}`;
  for (;;) {
    try {
      await grantCoins(operator.ctx, { userId: user.id, coins, reason: 'chaos', ref });
      user.granted += coins;
      counts.operations += 1;
      counts.acknowledged += 1;
      return;
    } catch (error) {
      if (Date.now() > GIVE_UP_AT) throw error;
      await wait(50);
    }
  }
}

async function check(users: User[]): Promise<void> {
  const { db } = operator.ctx;
  const { violations } = await verifyLedger(operator.ctx);
  problems.push(...violations.map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`));

  const rows = await rowsOf<{ key: string; method: string; coins: number }>(
    db,
    sql`select format('%s/%s', user_id, document_id) as key, method, coins from entitlements`,
  );
  const entitled = new Map(rows.map((row) => [row.key, row]));
  for (const [key, { method, cost }] of paid) {
    const row = entitled.get(key);
    if (row?.method !== method || row.coins !== cost)
      problems.push(`${key} was acknowledged as ${method} for ${cost}, and is ${JSON.stringify(row ?? 'lost')}`);
  }
  for (const key of owned) if (!entitled.has(key)) problems.push(`${key} was said to be owned, and is lost`);
  for (const key of entitled.keys()) if (!asked.has(key)) problems.push(`${key} is owned, and nobody asked for it`);

  const reads = await rowsOf<{ key: string }>(
    db,
    sql`select format('%s/%s', user_id, document_id) as key from member_reads`,
  );
  const counted = new Set(reads.map(({ key }) => key));
  for (const key of opened) if (!counted.has(key)) problems.push(`${key} was opened in full, and is not counted`);

  const balances = await rowsOf<{ id: number; balance: number; spent: number }>(
    db,
    sql`select a.user_id as id, a.balance,
        (select coalesce(sum(e.coins), 0) from entitlements e where e.user_id = a.user_id)::integer as spent
      from coin_accounts a where a.user_id <> 0`,
  );
  for (const user of users) {
    const has = balances.find(({ id }) => id === user.id);
    if (!has || has.balance + has.spent !== user.granted)
      problems.push(`user ${user.id} was granted ${user.granted}, has ${has?.balance} and spent ${has?.spent}`);
  }
}
