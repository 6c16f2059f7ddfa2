// Ten thousand requests for a code, from many addresses to few phones, to two nodes over one database, across thirty
// hours of a clock that is moved, with a carrier that fails now and then. The limits are then counted from what the
// carrier was asked to send. Run: node tests/chaos/sms.ts [--requests 10000] [--phones 50] [--seed 1]
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ProviderRefused, ProviderUnavailable, type AccountProviders } from '../../src/accounts/ports.ts';
import { buildApi } from '../../src/app.ts';
import { createCaches } from '../../src/caches.ts';
import { openDatabase } from '../../src/platform/db/client.ts';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { openTestApp } from '../test-app.ts';
import { makePassableFolder } from '../passable-folder.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    phones: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
const REQUESTS = Number(values.requests);
const PHONES = Number(values.phones);
const AT_ONCE = 100;
const ADDRESSES = 400;
const SPAN_MS = 30 * 3_600_000;

type Message = { phone: string; reference: string; at: number };

/** The same order of events for the same seed. */
function randomOf(seed: number) {
  let state = seed >>> 0;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = randomOf(Number(values.seed));
const folder = makePassableFolder('ceku-chaos-');
const embedded = await openEmbeddedPostgres({
  dataDir: folder,
  role: 'site',
  log: { info: () => undefined, warn: () => undefined },
});
await migrate(embedded.url);
const sent: Message[] = [];
const providers: AccountProviders = {
  officialAccount: null,
  miniProgram: null,
  sms: {
    name: 'unreliable',
    tellReplaced: null,
    async send({ phone, reference }) {
      sent.push({ phone, reference, at: app.ctx.clock.now() });
      await new Promise((resolve) => setTimeout(resolve, random(5)));
      const luck = random(20);
      if (luck === 0) throw new ProviderUnavailable('unreliable', 'no answer in time', true);
      if (luck === 1) throw new ProviderUnavailable('unreliable', 'connection refused', false);
      if (luck === 2) throw new ProviderRefused('unreliable', 'too-many', 'isv.BUSINESS_LIMIT_CONTROL');
      return 'sent';
    },
  },
};
const app = await openTestApp({ providers, database: { url: embedded.url, drop: async () => {} } });
const second = openDatabase(embedded.url, { max: 10, log: app.ctx.log });
const nodes = [
  buildApi(app.ctx).api,
  buildApi({ ...app.ctx, db: second.db, readDb: second.readDb, caches: createCaches() }).api,
];
const started = Date.now();
const codes = new Map<number, number>();

try {
  for (let asked = 0; asked < REQUESTS; asked += AT_ONCE) {
    app.clock.offsetMs = Math.floor((asked / REQUESTS) * SPAN_MS);
    const count = Math.min(AT_ONCE, REQUESTS - asked);
    const answers = await Promise.all(Array.from({ length: count }, (_, at) => ask(at)));
    for (const code of answers) codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  const problems = check();
  console.log(
    JSON.stringify({
      suite: 'sms',
      seed: Number(values.seed),
      requests: REQUESTS,
      phones: PHONES,
      messages: sent.length,
      most_a_day: Math.max(...phones().map((phone) => mostWithin(phone, 86_400_000))),
      answers: Object.fromEntries([...codes].toSorted(([one], [other]) => one - other)),
      seconds: Math.round((Date.now() - started) / 1000),
      violations: problems.length,
      problems: problems.slice(0, 20),
    }),
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await second.close();
  await app.close();
  await embedded.close();
  await rm(folder, { recursive: true, force: true });
}

async function ask(at: number): Promise<number> {
  const phone = phoneOf(random(PHONES));
  const address = random(ADDRESSES);
  const request = new Request('http://ceku.test/api/user/sendPhoneCode', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone }),
  });
  const ip = `198.18.${Math.floor(address / 250)}.${(address % 250) + 1}`;
  const response = await nodes[at % nodes.length]?.fetch(request, { ip, requestId: '' });
  const answer: { code: number } | undefined = await response?.json();
  return answer?.code ?? -1;
}

function phoneOf(number: number): string {
  return `139${String(number).padStart(8, '0')}`;
}

function phones(): string[] {
  return Array.from({ length: PHONES }, (_, number) => phoneOf(number));
}

/** The most messages to a phone within any window of that length. */
function mostWithin(phone: string, windowMs: number): number {
  const times = sent.filter((message) => message.phone === phone).map(({ at }) => at);
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length));
}

function check(): string[] {
  const problems: string[] = [];
  // A message leaves a moment after it is counted, hence the second in the smaller windows.
  const limits = [
    { windowMs: 59_000, most: 1 },
    { windowMs: 3_599_000, most: 5 },
    { windowMs: 86_399_000, most: 10 },
  ];
  for (const phone of phones()) {
    for (const { windowMs, most } of limits) {
      const count = mostWithin(phone, windowMs);
      if (count > most) problems.push(`${phone}: ${count} messages in ${windowMs} ms, at most ${most}`);
    }
  }
  if (new Set(sent.map(({ reference }) => reference)).size !== sent.length) problems.push('a message was sent twice');
  const odd = [...codes.keys()].filter((code) => ![0, 41, 503].includes(code));
  if (odd.length > 0) problems.push(`answers nobody should get: ${odd.join(', ')}`);
  return problems;
}
