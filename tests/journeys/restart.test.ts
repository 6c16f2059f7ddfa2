import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallPdf } from '../small-pdf.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-restart-'));
  site = await openSite({ RATE_LIMITS: 'off' });
});
afterAll(async () => {
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a killed site comes up again by itself, its queued files are finished', async () => {
  for (let number = 1; number <= 4; number++) {
    await writeFile(join(folder, `deck-${number}.pdf`), smallPdf(`Deck ${number}`, 3));
  }
  // Takes the files in and is killed before most are prepared: the rest is the site's work.
  const ingest = site.ceku('ingest', folder);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await site.kill();
  await ingest;
  await site.restart();
  const published = async () => {
    const { stdout } = await site.ceku('stats', '--json');
    return Number(JSON.parse(stdout).documents);
  };
  const again = await site.ceku('ingest', folder);
  expect(again.code, again.stderr).toBe(0);
  const before = await published();
  const repeat = await site.ceku('ingest', folder);
  expect(repeat.stdout.match(/^duplicate/gm)).toHaveLength(4);
  expect(await published()).toBe(before);

  const books = await site.ceku('ledger', 'verify');
  expect(books.stdout).toContain('violations: 0');
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
