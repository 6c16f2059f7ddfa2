import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePassableFolder } from '../passable-folder.ts';
import { smallPdf } from '../small-pdf.ts';
import { openDemoSite, type Site } from './site.ts';
import { typeAtSite } from './type-at-site.ts';

let site: Site;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-restart-'));
  site = await openDemoSite({ RATE_LIMITS: 'off', OUTSIDE: 'off' });
});
afterAll(async () => {
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a killed site starts again, and its queued files are finished', async () => {
  for (let number = 1; number <= 4; number++) {
    await writeFile(join(folder, `deck-${number}.pdf`), smallPdf(`Deck ${number}`, 3));
  }
  const originals = async () => (await readdir(join(site.dataDir, 'files/originals'), { recursive: true })).length;
  const known = await originals();
  // Killed as soon as a file is stored, before most are prepared: the rest is the site's work.
  const ingest = site.ceku('ingest', folder);
  await expect.poll(originals, { timeout: 60_000, interval: 20 }).toBeGreaterThan(known);
  await site.kill();
  await ingest;
  await site.restart();
  const published = async () => {
    const { out } = await typeAtSite(site, 'stats', '--json');
    return Number(JSON.parse(out).documents);
  };
  const again = await site.ceku('ingest', folder);
  expect(again.code, again.stderr).toBe(0);
  const before = await published();
  const repeat = await site.ceku('ingest', folder);
  expect(repeat.stdout.match(/^duplicate/gm)).toHaveLength(4);
  expect(await published()).toBe(before);

  const books = await typeAtSite(site, 'ledger', 'verify');
  expect(books.out).toContain('violations: 0');
});

test('a second site on the same folder is refused in plain words; the first goes on', async () => {
  const second = await site.startSecond();
  expect(second.code).toBe(75);
  expect(second.stderr).toContain(site.dataDir);
  expect(second.stderr).not.toContain('    at ');
  expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
});

test('SIGTERM ends it with exit code 0 within the promise, and it starts again', async () => {
  expect(await site.stop()).toBe(0);
  await site.restart();
  expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
  expect((await fetch(`${site.origin}/livez`)).status).toBe(200);
});

test('it starts, serves and stops as well when nobody reads what it prints', async () => {
  expect(await site.stop()).toBe(0);
  await site.restart('unread');
  // What the site prints comes after it is ready.
  await expect.poll(async () => (await fetch(`${site.origin}/index`)).status).toBe(200);
  await wait(1_000);
  expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
  expect(await site.stop()).toBe(0);
});

test('npm start renders by the production build of React, and sends assets as they were compressed', async () => {
  // With the development build the site would refuse to start (src/render.ts).
  const folder = makePassableFolder('ceku-npm-start-');
  const { NODE_ENV: _unset, ...env } = process.env;
  const started = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...env, DATA_DIR: folder, PORT: '0', DEMO: 'off', OUTSIDE: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let output = '';
    started.stdout.on('data', (chunk) => (output += chunk));
    started.stderr.on('data', (chunk) => (output += chunk));
    await expect.poll(() => output, { timeout: 120_000 }).toMatch(/is running: +http:\S+/);
    const origin = `http://127.0.0.1:${/localhost:(\d+)/.exec(output)?.[1]}`;
    const page = await fetch(`${origin}/index`);
    expect(page.status).toBe(200);
    const [, asset = ''] = /href="(\/assets\/root[^"]+\.css)"/.exec(await page.text()) ?? [];
    const packed = await fetch(`${origin}${asset}`, { headers: { 'accept-encoding': 'br' } });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.headers.get('cache-control')).toContain('immutable');
    // Another spelling of the name is no file.
    const spelt = await fetch(`${origin}${asset.replace('root', '%72oot')}`);
    expect(spelt.status).toBe(404);
  } finally {
    started.kill('SIGTERM');
    await once(started, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
});
