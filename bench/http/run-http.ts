import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { openSite } from '../../tests/journeys/site.ts';
import { spreadOf } from '../search/measure.ts';
import { manyTexts, questions } from '../search/questions.ts';

const CLIENTS = 16;
const ROUNDS = 3;

/**
 * /api/doc/search of a whole site with `documents` documents, beside a server that answers a constant of the same size:
 * the difference is what search costs. Both are asked alternately, for `forMs` each.
 */
export async function printHttp({ documents, forMs = 4_000 }: { documents: number; forMs?: number }): Promise<void> {
  // Rate limits are off: an address has thirty searches a minute, and all of these come from one.
  const site = await openSite({ DEMO: 'on', RATE_LIMITS: 'off', OUTSIDE: 'off' });
  try {
    const filled = await site.ceku('demo', '--documents', String(documents));
    if (filled.code !== 0) throw new Error(filled.stderr);
    // A restart, so that the engine reads the new documents and has nothing left to merge. Until its index is built PostgreSQL answers.
    await site.stop();
    await site.restart();
    await untilQuick(`${site.origin}/api/doc/search`);
    const bodyOf = (text: string) => JSON.stringify({ search_key: text });
    const bodies = questions()
      .filter(({ filter }) => Object.keys(filter).length === 0)
      .map(({ text }) => bodyOf(text));
    const others = manyTexts().map(bodyOf);
    const search = `${site.origin}/api/doc/search`;
    const sizes: number[] = [];
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    for (const body of bodies) sizes.push((await post(search, body, agent)).length);
    const size = Math.round(sizes.reduce((sum, each) => sum + each, 0) / sizes.length);
    const constant = await serveConstant(JSON.stringify({ code: 0, data: 'x'.repeat(size - 20) }));
    try {
      const runs = [
        { name: `/api/doc/search, ${bodies.length} questions again and again`, url: search, ask: turn(bodies) },
        { name: `/api/doc/search, ${others.length} questions in turn`, url: search, ask: turn(others) },
        { name: `a constant of ${size} bytes`, url: constant.url, ask: turn(bodies) },
      ].map((run) => ({ ...run, times: new Array<number>(), ms: 0 }));
      for (let round = -1; round < ROUNDS; round++) {
        for (const run of runs) {
          const { times, ms } = await load(run.url, run.ask, agent, round < 0 ? 1_000 : forMs);
          if (round < 0) continue;
          run.times.push(...times);
          run.ms += ms;
        }
      }
      console.log(`\n${documents} documents, ${CLIENTS} clients\n\n| | requests/s | p50/p95/p99 ms |\n|---|---|---|`);
      for (const { name, times, ms } of runs) {
        const { p50, p95, p99 } = spreadOf(times) ?? { p50: 0, p95: 0, p99: 0 };
        const spread = [p50, p95, p99].map((each) => each.toFixed(1)).join(' / ');
        console.log(`| ${name} | ${(times.length / (ms / 1_000)).toFixed(0)} | ${spread} |`);
      }
    } finally {
      await constant.close();
      agent.destroy();
    }
  } finally {
    await site.close();
  }
}

/** A search that the engine answers takes less, one at a time. */
const QUICK_MS = 90;
const MAX_BEHIND_MS = 600_000;

/** Waits until some different searches in a row are quick. Throws when that takes too long. */
async function untilQuick(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let quick = 0;
  for (const giveUpAt = Date.now() + MAX_BEHIND_MS; quick < 5; await wait(1_000)) {
    if (Date.now() > giveUpAt) throw new Error('the engine did not catch up');
    const asked = performance.now();
    await post(url, JSON.stringify({ search_key: `中秋活动${Date.now()}` }), agent).catch(() => null);
    quick = performance.now() - asked < QUICK_MS ? quick + 1 : 0;
  }
  agent.destroy();
}

/** Returns a function that yields the bodies one after the other, over all rounds. */
function turn(bodies: string[]): () => string {
  let next = 0;
  return () => bodies[next++ % bodies.length] ?? '';
}

async function load(url: string, nextBody: () => string, agent: Agent, forMs: number) {
  const started = performance.now();
  const times: number[] = [];
  const client = async () => {
    while (performance.now() - started < forMs) {
      const asked = performance.now();
      await post(url, nextBody(), agent);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { times, ms: performance.now() - started };
}

/** Resolves to the body; any answer but 200 with code 0 fails the run. */
function post(url: string, body: string, agent: Agent): Promise<Buffer> {
  return new Promise((answer, fail) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', fail);
      response.on('end', () => {
        const whole = Buffer.concat(parts);
        const isGood = response.statusCode === 200 && whole.subarray(0, 9).toString() === '{"code":0';
        if (isGood) answer(whole);
        else fail(new Error(`${url} answered ${response.statusCode}: ${whole.toString().slice(0, 200)}`));
      });
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Starts a server that answers every request with `body`. */
export async function serveConstant(body: string) {
  const child = fork(new URL('./constant-server.ts', import.meta.url));
  const reply = once(child, 'message');
  child.send(body);
  const [port]: unknown[] = await reply;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
