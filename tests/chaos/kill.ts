// kill -9 of the site, again and again, while documents come in and members download. Afterwards every answer the site
// gave must still be true, and the books must balance. Run: node tests/chaos/kill.ts [--kills 10]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodePassword } from '../../src/accounts/rules.ts';
import { openSite } from '../journeys/site.ts';
import { smallPdf } from '../small-pdf.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '10' } } });
const KILLS = Math.min(Number(values.kills), 100);
const PASSWORD = 'chaos2026';
const DOWNLOADERS = 4;
const PAUSE_MS = 20;

const COINS = 5_000;

/** One purchase the site confirmed: who, what, and at what cost. */
type Acknowledged = { username: string; documentId: number; cost: number };

const folder = await mkdtemp(join(tmpdir(), 'ceku-chaos-'));
const site = await openSite({ RATE_LIMITS: 'off' });
const problems: string[] = [];
const paid: Acknowledged[] = [];
const accepted = new Set<string>();
let requests = 0;
let isOver = false;

try {
  const buyers: Buyer[] = [];
  const work = Array.from({ length: DOWNLOADERS }, (_, at) => downloadForever(at, buyers));
  for (let kill = 1; kill <= KILLS; kill++) {
    // A new buyer each round, so that money moves in every one of them.
    buyers.length = 0;
    buyers.push(await addBuyer(kill));
    const ingest = ingestSome(kill);
    await pause(700 + Math.random() * 1_800);
    await site.kill();
    await ingest;
    const startedAt = Date.now();
    await site.restart();
    console.error(`kill ${kill}: back in ${Date.now() - startedAt} ms, ${paid.length} paid, ${accepted.size} ingested`);
  }
  isOver = true;
  await Promise.all(work);
  await check();
} finally {
  isOver = true;
  await site.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(
  JSON.stringify({
    suite: 'kill',
    kills: KILLS,
    requests,
    paid: paid.length,
    taken_in: accepted.size,
    violations: problems.length,
    problems,
  }),
);
process.exitCode = problems.length === 0 ? 0 : 1;

type Buyer = { username: string; token: string };

async function addBuyer(round: number): Promise<Buyer> {
  const username = `chaos${round}`;
  const who = ['--username', username];
  await site.ceku('user', 'create', ...who, '--password', PASSWORD);
  await site.ceku('user', 'grant-coins', ...who, '--coins', String(COINS), '--reason', 'chaos');
  return { username, token: await logIn(username) };
}

/** Files the command says are in must be there in the end, whichever process was killed in between. */
async function ingestSome(round: number): Promise<void> {
  const batch = join(folder, `round-${round}`);
  await rm(batch, { recursive: true, force: true });
  await mkdir(batch);
  for (let number = 0; number < 6; number++) {
    await writeFile(join(batch, `chaos-${round}-${number}.pdf`), smallPdf(`Chaos ${round} ${number}`, 2));
  }
  const { stdout } = await site.ceku('ingest', batch, '--json');
  for (const line of stdout.split('\n').filter(Boolean)) {
    const item: { path: string; state: string } = JSON.parse(line);
    if (item.state === 'published') accepted.add(item.path);
  }
}

async function downloadForever(at: number, buyers: Buyer[]): Promise<void> {
  for (let step = 0; !isOver; step++) {
    const buyer = buyers[0];
    const fid = ((at + step * DOWNLOADERS) % 72) + 1;
    if (buyer) {
      requests += 1;
      const answer = await post('/api/doc/download', { fid }, buyer.token).catch(() => null);
      if (answer?.code === 0 && answer.data['method'] !== 'owned') {
        paid.push({ username: buyer.username, documentId: fid, cost: Number(answer.data['cost']) });
      }
    }
    await pause(PAUSE_MS);
  }
}

async function check(): Promise<void> {
  for (let round = 1; round <= KILLS; round++) {
    const username = `chaos${round}`;
    const mine = paid.filter((purchase) => purchase.username === username);
    const token = await logIn(username);
    for (const { documentId } of mine) {
      const quote = await post('/api/doc/downloadQuote', { fid: documentId }, token);
      if (quote.data['method'] !== 'owned') problems.push(`${username} paid for ${documentId} and does not own it`);
    }
    // A purchase whose answer was cut off may have been paid as well; one that was confirmed cannot be missing.
    const spent = COINS - Number((await post('/api/user/mine', {}, token)).data['balance']);
    const confirmed = mine.reduce((sum, purchase) => sum + purchase.cost, 0);
    if (spent < confirmed) problems.push(`${username} spent ${spent}, and ${confirmed} were confirmed`);
    const ids = new Set(mine.map((purchase) => purchase.documentId));
    if (ids.size !== mine.length) problems.push(`${username} was charged twice for one document`);
  }
  const again = await site.ceku('ingest', folder, '--json');
  for (const line of again.stdout.split('\n').filter(Boolean)) {
    const item: { path: string; state: string } = JSON.parse(line);
    if (item.state !== 'duplicate' && accepted.has(item.path))
      problems.push(`${item.path} was published and is ${item.state}`);
    if (!['duplicate', 'published'].includes(item.state)) problems.push(`${item.path} ended as ${item.state}`);
  }
  const books = await site.ceku('ledger', 'verify');
  if (books.code !== 0 || !books.stdout.includes('violations: 0'))
    problems.push(`ledger verify: ${books.stdout}${books.stderr}`);
}

async function logIn(username: string): Promise<string> {
  const answer = await post('/api/v2/user/usernameLogin', { username, password: encodePassword(PASSWORD) });
  if (answer.code !== 0) throw new Error(`login of ${username} answered ${answer.code}`);
  return String(answer.data['authToken']);
}

async function post(path: string, body: object, token = ''): Promise<{ code: number; data: Record<string, unknown> }> {
  const response = await fetch(site.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { token }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const answer: { code: number; data: Record<string, unknown> | null } = await response.json();
  return { code: answer.code, data: answer.data ?? {} };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
