import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from '../../demo/random.ts';
import { fillDemo } from '../../demo/fill.ts';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { closeStore } from '../../src/search/engine/format/page-store.ts';
import { loadSnapshot } from '../../src/search/engine/snapshot.ts';
import { upsertRebuildMark } from '../../src/search/server/indexing/store-feed.ts';
import { openSite, type Site } from '../journeys/site.ts';
import { addPublished } from '../published-document.ts';
import { openTestApp } from '../test-app.ts';
import { makePassableFolder } from '../passable-folder.ts';

export type KillReport = { kills: number; duringWrite: number; damaged: number; problems: string[] };

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
 * left after some. After each it has to start, and to find as many documents as there are.
 */
export async function killWhileSaving(options: {
  kills: number;
  documents: number;
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
      await addPublished(operator, { name: '第一份方案' });
      await fillDemo(operator.ctx, options.documents, () => undefined);
      const site = await openSite({ DATABASE_URL: server.url, DEMO: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
      const path = join(site.dataDir, 'search', 'index');
      try {
        const expected = await totalOf(site);
        await untilSaved(path);
        while (report.kills < options.kills) {
          const before = inodeOf(path);
          await upsertRebuildMark(operator.ctx.db);
          if (await hasBegunToWrite(path, before)) await wait(random.int(WRITE_MS));
          report.kills++;
          await site.kill();
          if (readdirSync(join(site.dataDir, 'search')).some((name) => name.endsWith('.tmp'))) report.duringWrite++;
          const damage = report.kills % 3 === 0 ? random.pick(Object.keys(DAMAGES)) : '';
          if (!isWhole(path)) report.problems.push(`kill ${report.kills} left no whole snapshot`);
          else if (damage) DAMAGES[damage]?.(path, random);
          if (damage) report.damaged++;
          await site.restart();
          const total = await totalOf(site);
          options.say(`kill ${report.kills}${damage && `, snapshot ${damage}`}: back, ${total} of ${expected} found`);
          if (total !== expected) report.problems.push(`after kill ${report.kills} ${total} of ${expected} were found`);
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

async function totalOf(site: Site): Promise<number> {
  const answer = await fetch(`${site.origin}/api/doc/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ search_key: '方案', exact: 1 }),
  });
  const { data }: { data: { total_count: number } } = await answer.json();
  return data.total_count;
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
    if (readdirSync(join(path, '..')).some((name) => name.endsWith('.tmp'))) return true;
    await wait(1);
  }
  return false;
}

const inodeOf = (path: string) => statSync(path).ino;
