import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pageTexts } from '../../bench/search/page-texts.ts';
import { createRandom, type Random } from '../../demo/random.ts';
import { fillDemo } from '../../demo/fill.ts';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { closeStore } from '../../src/search/engine/format/page-store.ts';
import { loadSnapshot } from '../../src/search/engine/snapshot.ts';
import { upsertRebuildMark } from '../../src/search/server/indexing/store-feed.ts';
import { openSite, type Site } from '../journeys/site.ts';
import { addPublished } from '../published-document.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { makePassableFolder } from '../passable-folder.ts';

type KillReport = { kills: number; duringWrite: number; damaged: number; problems: string[] };

const WRITE_MS = 60;
/** A rebuild of 100,000 documents on a machine that does much else. */
const MAX_AWAY_MS = 120_000;

/** Damages that a disk, a power cut or an older release may do to the snapshot. */
const DAMAGES: Record<string, (path: string, random: Random) => void> = {
  'cut short': (path, random) => truncateSync(path, random.int(readFileSync(path).length)),
  'a bit turned': (path, random) => {
    const bytes = readFileSync(path);
    const at = 1_024 + random.int(bytes.length - 1_024);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  },
  'of an older version': (path) =>
    writeFileSync(path, readFileSync(path, 'latin1').replace(/"layout":\d+/, '"layout":0'), 'latin1'),
  empty: (path) => writeFileSync(path, ''),
  'no file but a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

/**
 * Kills a whole site (kill -9) while it writes its search snapshot, `kills` times at random moments, and damages what is
 * left after some. After each it has to start, and to find as many documents as there are: by a word of names, and by one of pages.
 */
export async function killWhileSaving(options: {
  kills: number;
  documents: number;
  /** The documents share the pages of this many decks, of 1,500 characters each; 0: they have no text. */
  decks: number;
  say(line: string): void;
}): Promise<KillReport> {
  const folder = makePassableFolder('ceku-snapshot-kills-');
  const log = { info: () => undefined, warn: (line: string) => options.say(line) };
  const server = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', log, settings: { fsync: 'off' } });
  const report: KillReport = { kills: 0, duringWrite: 0, damaged: 0, problems: [] };
  try {
    await migrate(server.url);
    const operator = await openTestApp({ database: { url: server.url, drop: async () => undefined } });
    const random = createRandom(Date.now());
    try {
      const words = ['方案', ...(await addDecks(operator, options.decks))];
      await fillDemo(operator.ctx, options.documents, () => undefined);
      const site = await openSite({
        DATABASE_URL: server.url,
        DEMO: 'off',
        OUTSIDE: 'off',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'error',
      });
      const path = join(site.dataDir, 'search', 'index');
      try {
        const expected = await totalsOf(site, words);
        await untilSaved(path);
        while (report.kills < options.kills) {
          const before = inodeOf(path);
          await upsertRebuildMark(operator.ctx.db);
          if (await hasBegunToWrite(path, before)) await wait(random.int(WRITE_MS));
          report.kills++;
          await site.kill();
          const half = temporaryFilesOf(path);
          if (half.length > 0) report.duringWrite++;
          // The site removes them only when no other node can be writing them any more.
          for (const file of half) rmSync(file);
          const damage = report.kills % 3 === 0 ? random.pick(Object.keys(DAMAGES)) : '';
          if (!isWhole(path)) report.problems.push(`kill ${report.kills} left no whole snapshot`);
          else if (damage) DAMAGES[damage]?.(path, random);
          if (damage) report.damaged++;
          await site.restart();
          const totals = await totalsOf(site, words);
          options.say(`kill ${report.kills}${damage && `, snapshot ${damage}`}: back, ${totals} of ${expected} found`);
          if (totals !== expected)
            report.problems.push(`after kill ${report.kills} ${totals} of ${expected} were found`);
          if (damage === 'no file but a folder') {
            await site.kill();
            rmSync(path, { recursive: true });
            await site.restart();
          }
          await untilSaved(path);
        }
      } finally {
        await site.close();
      }
    } finally {
      await operator.close();
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  return report;
}

/** Publishes decks, and returns words of their pages. */
async function addDecks(app: TestApp, count: number): Promise<string[]> {
  if (count === 0) {
    await addPublished(app, { name: '第一份方案' });
    return [];
  }
  const texts = pageTexts();
  for (let deck = 1; deck <= count; deck++) {
    await addPublished(app, { name: `第${deck}份方案`, texts: texts.textsOf(deck) });
  }
  return texts.subjectOf(1).slice(0, 1);
}

/** Returns how many documents each of the words finds. */
async function totalsOf(site: Site, words: string[]): Promise<string> {
  const totals: number[] = [];
  for (const search_key of words) {
    const answer = await fetch(`${site.origin}/api/doc/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ search_key, exact: 1 }),
    });
    const { data }: { data: { total_count: number } } = await answer.json();
    totals.push(data.total_count);
  }
  return totals.join(' and ');
}

/** Tells whether a snapshot can be loaded. */
function isWhole(path: string): boolean {
  const loaded = loadSnapshot(path);
  if (loaded) closeStore(loaded.segment.pages);
  return loaded !== null;
}

async function untilSaved(path: string): Promise<void> {
  const giveUpAt = Date.now() + MAX_AWAY_MS;
  while (!isWhole(path)) {
    if (Date.now() > giveUpAt) throw new Error('no snapshot was written');
    await wait(100);
  }
}

/** Returns true once the temporary file of a snapshot appears; false when it was renamed before it was seen. */
async function hasBegunToWrite(path: string, before: number): Promise<boolean> {
  const giveUpAt = Date.now() + MAX_AWAY_MS;
  while (Date.now() < giveUpAt && inodeOf(path) === before) {
    if (temporaryFilesOf(path).length > 0) return true;
    await wait(1);
  }
  return false;
}

const temporaryFilesOf = (path: string) =>
  readdirSync(dirname(path))
    .filter((name) => name.endsWith('.tmp'))
    .map((name) => join(dirname(path), name));

const inodeOf = (path: string) => statSync(path).ino;
