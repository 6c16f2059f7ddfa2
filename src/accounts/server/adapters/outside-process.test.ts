import { getCompileCacheDir } from 'node:module';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ListenError } from '../../../platform/http/bind.ts';
import { outsideProviders, startOutside } from './outside-process.ts';

let occupied: Server;
let port: number;
beforeAll(async () => {
  occupied = createServer();
  occupied.listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  const address = occupied.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  port = address.port;
});
afterAll(() => void occupied.close());

const HOST = '127.0.0.1';
const isThere = (url: string | null) =>
  fetch(url ?? 'about:none').then(
    (answer) => answer.ok,
    () => false,
  );

test('it opens accounts with keys of its own, new each time, shows a phone, and ends when it is closed', async () => {
  const [one, two] = await Promise.all([
    startOutside({ host: HOST, port: 0 }, 0),
    startOutside({ host: HOST, port: 0 }, 0),
  ]);
  expect(await isThere(one.phoneUrl('localhost'))).toBe(true);
  const [ours, others] = [one, two].map(({ accounts }) => outsideProviders.parse(accounts));
  for (const settings of Object.values(ours ?? {})) expect(JSON.stringify(settings)).toContain(HOST);
  expect(ours?.officialAccount.appSecret).not.toBe(others?.officialAccount.appSecret);
  await Promise.all([one.close(), two.close()]);
  expect(await isThere(one.phoneUrl('localhost'))).toBe(false);
});

test('a taken port that the operator chose is reported', async () => {
  const error = await startOutside({ host: HOST, port }, 3000).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(ListenError);
  expect(String(error)).toContain('OUTSIDE_PORT');
});

test('the host is no address of this machine: said so in plain words', async () => {
  // An address for documentation (RFC 5737), which no machine has.
  const refused = startOutside({ host: '192.0.2.1', port: 0 }, 3000);
  await expect(refused).rejects.toThrow(new ListenError('OUTSIDE_HOST: 192.0.2.1 is not an address of this machine.'));
});

test('the port beside the site is taken: any other', async () => {
  const outside = await startOutside({ host: HOST, port: null }, port - 1);
  expect(outside.phoneUrl(HOST)).not.toContain(`:${port}/`);
  expect(await isThere(outside.phoneUrl(HOST))).toBe(true);
  await outside.close();
});

test('it ends with the site that was killed', async () => {
  const program = `
    const { startOutside } = await import(${JSON.stringify(new URL('./outside-process.ts', import.meta.url).href)});
    const outside = await startOutside({ host: '${HOST}', port: 0 }, 0);
    console.log(outside.phoneUrl('${HOST}'));
    setInterval(() => {}, 1000);`;
  const site = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(site.stdout, 'data');
  const url = String(line).trim();
  expect(await isThere(url)).toBe(true);
  site.kill('SIGKILL');
  await expect.poll(() => isThere(url), { timeout: 10_000 }).toBe(false);
});

test('no page of another site reaches it through a visitor: foreign names and origins are refused', async () => {
  const outside = await startOutside({ host: HOST, port: 0 }, 0);
  const url = outside.phoneUrl(HOST) ?? '';
  const foreign = await fetch(url, { headers: { origin: 'https://evil.example' } });
  expect(foreign.status).toBe(403);
  // A name of their own that leads to this machine (DNS rebinding): node's fetch sets its own host, so by hand.
  const { port: at } = new URL(url);
  const rebound = await new Promise<string>((resolve, reject) => {
    const socket = spawn(process.execPath, [
      '-e',
      `require('net').connect(${at}, '${HOST}', function () { this.end('GET /phone HTTP/1.1\\r\\nHost: evil.example\\r\\nConnection: close\\r\\n\\r\\n') }).pipe(process.stdout)`,
    ]);
    socket.stdout.once('data', (data) => resolve(String(data)));
    socket.once('error', reject);
  });
  expect(rebound).toMatch(/^HTTP\/1\.1 421/);
  await outside.close();
});

test('it learns nothing of the environment of the site, which holds its secret', async () => {
  vi.stubEnv('SECRET_KEY', 'canary-of-the-environment');
  try {
    const outside = await startOutside({ host: HOST, port: 0 }, 0);
    const environments = await Promise.all((await childrenRunning('outside/main.ts')).map(environmentOf));
    expect(environments.length).toBeGreaterThan(0);
    // A site that keeps compiled modules tells it where they are.
    const cache = getCompileCacheDir() === undefined ? [] : ['NODE_COMPILE_CACHE'];
    const allowed = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', ...cache].toSorted();
    for (const names of environments) expect(names.toSorted()).toEqual(allowed);
    await outside.close();
  } finally {
    vi.unstubAllEnvs();
  }
});

test("visitors of another host are not sent to a phone of their own machine's", async () => {
  const outside = await startOutside({ host: HOST, port: 0 }, 0);
  for (const hostname of ['192.168.1.5', 'ceku.example.com', 'localhost.example.com'])
    expect(outside.phoneUrl(hostname)).toBeNull();
  for (const hostname of ['localhost', '127.0.0.1', '[::1]'])
    expect(await isThere(outside.phoneUrl(hostname))).toBe(true);
  await outside.close();
});

test('it starts under a parent that watches, as npm run dev is', async () => {
  vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1');
  try {
    const outside = await startOutside({ host: HOST, port: 0 }, 0);
    expect(await isThere(outside.phoneUrl('localhost'))).toBe(true);
    await outside.close();
  } finally {
    vi.unstubAllEnvs();
  }
});

/** Process ids of children of this process whose command line names that program. */
async function childrenRunning(program: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [words, status] = await Promise.all(
      ['cmdline', 'status'].map((name) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')),
    );
    if (words?.includes(program) && status?.includes(`PPid:\t${process.pid}\n`)) found.push(id);
  }
  return found;
}

async function environmentOf(processId: string): Promise<string[]> {
  const text = await readFile(`/proc/${processId}/environ`, 'utf8');
  return text
    .split('\0')
    .filter(Boolean)
    .map((line) => line.split('=')[0] ?? '')
    .toSorted();
}
