import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openSite } from '../../tests/journeys/site.ts';
import { serveConstant } from './run-http.ts';

const PAGES = ['/index', '/report', '/report?search_key=年会', '/detail/1', '/aboutVip'];
/** A parameter that no page reads: the site renders such a page for each request, without the cache. */
const unkept = (path: string) => `${path}${path.includes('?') ? '&' : '?'}bench=1`;

const CONNECTIONS = 32;
const MEMBER = { username: 'bench-member', password: 'bench2026' };

type Options = { url?: string; member?: string; seconds: number };
type Load = { perSecond: number; p50: number; p99: number; failed: number };

/**
 * Measures requests a second of the pages, for visitors (cached and uncached) and for a member, beside a constant of
 * the same size. `url`: a running site to measure instead of starting one; it must have been started with
 * RATE_LIMITS=off.
 */
export async function printPages(options: Options): Promise<void> {
  const tool = findTool();
  console.log(`measured by ${tool.name}, ${CONNECTIONS} connections, ${options.seconds} s each\n`);
  await withSite(options, async (origin, headers) => {
    const page = await fetch(`${origin}/index`);
    const constant = await serveConstant((await page.text()).slice(0, 20_000));
    try {
      console.log('| | requests/s | p50 / p99 ms | failed |\n|---|---|---|---|');
      const row = async (name: string, url: string, sent: Record<string, string> = {}) => {
        const { perSecond, p50, p99, failed } = await tool.run(url, CONNECTIONS, options.seconds, sent);
        console.log(`| ${name} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} / ${p99.toFixed(1)} | ${failed} |`);
      };
      await row('a constant of 20,000 bytes', constant.url);
      for (const path of PAGES) await row(`${path}, visitor, kept`, origin + encodeURI(path));
      for (const path of PAGES) await row(`${path}, visitor, unkept`, origin + encodeURI(unkept(path)));
      for (const path of PAGES) await row(`${path}, member`, origin + encodeURI(path), headers);
    } finally {
      await constant.close();
    }
  });
}

/** Runs `work` on the given site, or on a new one. `headers` are those of a logged-in member. */
async function withSite(
  { url, member }: Options,
  work: (origin: string, headers: Record<string, string>) => Promise<void>,
): Promise<void> {
  if (url) {
    const [username = '', password = ''] = (member ?? '').split(':');
    return work(url, await logIn(url, { username, password }));
  }
  const site = await openSite({ DEMO: 'on', OUTSIDE: 'off', RATE_LIMITS: 'off' });
  try {
    const made = await site.ceku('user', 'create', '--username', MEMBER.username, '--password', MEMBER.password);
    if (made.code !== 0) throw new Error(made.stderr);
    await work(site.origin, await logIn(site.origin, MEMBER));
  } finally {
    await site.close();
  }
}

/** Logs a member in. Returns the headers that carry the session. */
export async function logIn(
  origin: string,
  { username, password }: { username: string; password: string },
): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}/api/v2/user/usernameLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: Buffer.from(password).toString('base64') }),
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('token='))?.slice('token='.length);
  if (!token) throw new Error(`the login of ${username} failed: ${await answer.text()}`);
  return { cookie: cookies.join('; '), token };
}

type Tool = {
  name: string;
  run(url: string, connections: number, seconds: number, headers: Record<string, string>): Promise<Load>;
};

function findTool(): Tool {
  if (spawnSync('wrk', ['--version']).error === undefined) return { name: 'wrk', run: runWrk };
  const autocannon = fileURLToPath(new URL('../node_modules/autocannon/autocannon.js', import.meta.url));
  if (existsSync(autocannon)) return { name: 'autocannon', run: (...words) => runAutocannon(autocannon, ...words) };
  throw new Error('Install wrk (Debian: apt-get install wrk), or autocannon: npm install --prefix bench');
}

async function runWrk(url: string, connections: number, seconds: number, headers: Record<string, string>) {
  const sent = Object.entries({ 'accept-encoding': 'gzip', ...headers }).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  const words = [
    '--latency',
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '--timeout',
    '30s',
    ...sent,
    url,
  ];
  const text = await outputOf('wrk', words);
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  const time = (share: string) => {
    const [, value = '0', unit = 'ms'] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? [];
    return Number(value) * (unit === 's' ? 1_000 : unit === 'us' ? 0.001 : 1);
  };
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: time('50'),
    p99: time('99'),
    failed: number(/Non-2xx or 3xx responses: (\d+)/),
  };
}

async function runAutocannon(
  program: string,
  url: string,
  connections: number,
  seconds: number,
  headers: Record<string, string>,
) {
  const sent = Object.entries({ 'accept-encoding': 'gzip', ...headers }).flatMap(([name, value]) => [
    '-H',
    `${name}=${value}`,
  ]);
  const words = [program, '--json', '-c', String(connections), '-d', String(seconds), '-t', '30', ...sent, url];
  const result: { requests: { average: number }; latency: { p50: number; p99: number }; non2xx: number } = JSON.parse(
    await outputOf(process.execPath, words),
  );
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx,
  };
}

async function outputOf(command: string, words: string[]): Promise<string> {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  await once(child, 'close');
  return output;
}
