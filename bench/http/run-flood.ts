import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSite } from '../../tests/journeys/site.ts';
import { spreadOf } from '../search/measure.ts';
import type { MemberPlan, MemberTimes } from './member-process.ts';

const CONNECTIONS = 200;
const CALLS = 200;
const PAUSE_MS = 20;
/** Each member may call `mine` 240 times a minute, so the members take turns. */
const MEMBERS = 6;
const PASSWORD = 'bench2026';

/**
 * The flooded paths. `*` is replaced by another number in each request; `host` gives each request another Host as well.
 */
type Flood = { path: string; method?: 'GET' | 'POST'; body?: string; host?: boolean };

export type FloodOptions = { seconds: number; only?: string; sameAddress?: boolean };

/**
 * Measures how long a member's `POST /api/user/mine` takes while one address floods one path after the other over 200
 * connections. Every path is flooded from another address, so that each flood begins with unused limits.
 */
export async function printFloods({ seconds, only, sameAddress = false }: FloodOptions): Promise<void> {
  if (spawnSync('wrk', ['--version']).error) throw new Error('Install wrk (Debian: apt-get install wrk)');
  const site = await openSite({ DEMO: 'on', OUTSIDE: 'off', TRUST_PROXY: '1' });
  const folder = await mkdtemp(join(tmpdir(), 'ceku-flood-'));
  try {
    const members = [];
    for (let number = 0; number < MEMBERS; number++) members.push(await createMember(site, number));
    const floods = (await listFloods(site.origin)).filter(({ path }) => !only || path.includes(only));
    console.log(
      `${CONNECTIONS} connections for ${seconds} s; member from ${sameAddress ? 'the same' : 'another'} address`,
    );
    console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}\n`);
    console.log('| flood | answers/s | not 2xx or 3xx | mine, p50 / p95 ms | calls | refused | load |');
    console.log('|---|---|---|---|---|---|---|');
    for (const [index, flood] of [null, ...floods].entries()) {
      const flooder = `198.51.100.${index + 1}`;
      const script = join(folder, 'flood.lua');
      if (flood) await writeFile(script, scriptOf(flood, flooder));
      const running = flood ? runWrk(site.origin, script, seconds) : null;
      await wait(500);
      const headers = members[index % MEMBERS] ?? {};
      const { times, refused } = await timeMember({
        url: `${site.origin}/api/user/mine`,
        headers: { ...headers, 'x-forwarded-for': sameAddress ? flooder : '203.0.113.9' },
        count: CALLS,
        pauseMs: PAUSE_MS,
        forMs: (seconds - 1) * 1_000,
      });
      const answered = await running;
      const { p50, p95 } = spreadOf(times) ?? { p50: 0, p95: 0 };
      const cells = [
        flood ? `${flood.method ?? 'GET'} ${flood.path}${flood.host ? ', any Host' : ''}` : 'nothing',
        answered ? answered.perSecond.toFixed(0) : '–',
        answered ? `${answered.failed} of ${answered.answers}` : '–',
        `${p50.toFixed(0)} / ${p95.toFixed(0)}`,
        String(times.length),
        String(refused),
        loadavg()[0]?.toFixed(1) ?? '',
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await site.close();
  }
}

async function listFloods(origin: string): Promise<Flood[]> {
  const html = await (await fetch(`${origin}/index`)).text();
  const [cover = '/media/none/cover.webp'] = /\/media\/[\w-]+\/cover[\w-]*\.webp/.exec(html) ?? [];
  const [asset = '/assets/none.js'] = /\/assets\/[\w.-]+\.js/.exec(html) ?? [];
  const wrong = JSON.stringify({ username: 'nobody', password: Buffer.from('wrong-1234').toString('base64') });
  return [
    { path: '/index' },
    { path: '/index?u=*' },
    { path: '/report?search_key=*' },
    { path: '/report?x=*' },
    { path: '/detail/1?x=*' },
    { path: '/aboutVip' },
    { path: '/nix-*' },
    { path: '/api' },
    { path: '/api', host: true },
    { path: '/api/openapi.json' },
    { path: '/api/openapi.json', host: true },
    { path: '/index.data?x=*' },
    { path: '/api/doc/poster?fid=1' },
    { path: cover },
    { path: '/robots.txt' },
    { path: '/sitemap.xml' },
    { path: asset },
    { path: '/api/doc/index', method: 'POST', body: '{}' },
    { path: '/api/doc/search', method: 'POST', body: '{"search_key":"*"}' },
    { path: '/api/v2/user/usernameLogin', method: 'POST', body: wrong },
  ];
}

/** Returns a Lua script for wrk that makes a new request each time. */
function scriptOf({ path, method = 'GET', body, host = false }: Flood, flooder: string): string {
  const lua = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const headers = [
    `["x-forwarded-for"] = "${flooder}"`,
    '["accept-encoding"] = "gzip"',
    ...(body ? ['["content-type"] = "application/json"'] : []),
  ];
  return `math.randomseed(os.time())
local function filled(text)
  return (text:gsub("%*", function() return tostring(math.random(1, 1000000000)) end))
end
request = function()
  local headers = {${headers.join(', ')}}
  ${host ? 'headers["Host"] = filled("host-*.example")' : ''}
  return wrk.format("${method}", filled(${lua(path)}), headers, ${body ? `filled(${lua(body)})` : 'nil'})
end
`;
}

async function runWrk(origin: string, script: string, seconds: number) {
  const words = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '--timeout', '5s', '-s', script, origin];
  const child = spawn('wrk', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  await once(child, 'close');
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    answers: number(/(\d+) requests in/),
    failed: number(/Non-2xx or 3xx responses: (\d+)/),
  };
}

async function timeMember(plan: MemberPlan): Promise<MemberTimes> {
  const child = fork(new URL('./member-process.ts', import.meta.url));
  const reply = once(child, 'message');
  child.send(plan);
  // Safe: the child sends one message of this shape.
  const [measured] = (await reply) as [MemberTimes];
  return measured;
}

async function createMember(site: Awaited<ReturnType<typeof openSite>>, number: number) {
  const username = `bench-member-${number}`;
  const made = await site.ceku('user', 'create', '--username', username, '--password', PASSWORD);
  if (made.code !== 0) throw new Error(made.stderr);
  const answer = await fetch(`${site.origin}/api/v2/user/usernameLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${100 + number}` },
    body: JSON.stringify({ username, password: Buffer.from(PASSWORD).toString('base64') }),
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('token='))?.slice('token='.length);
  if (!token) throw new Error(`the login of ${username} failed: ${await answer.text()}`);
  return { cookie: cookies.join('; '), token };
}
