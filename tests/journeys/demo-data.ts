import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { completeDemoJob } from '../../demo/jobs.ts';
import { type Db, openDatabase } from '../../src/platform/db/client.ts';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { createLog } from '../../src/platform/log.ts';
import { makePassableFolder } from '../passable-folder.ts';

const execute = promisify(execFile);
/** Loading takes seconds; a busy machine may need minutes. */
const MAX_AWAY_MS = 280_000;
const DAY_SECONDS = 86_400;
/** Says in the folder of the run where the loaded library lies, or why there is none. */
type Outcome = { folder: string } | { problem: string };

/**
 * Fills an empty data folder with the demo library. The first caller of a run has a site load it, all get a copy: the
 * run's temporary folder keeps it and goes with it.
 */
export async function copyDemoData(dataDir: string, openSite: (dataDir: string) => Promise<Loader>): Promise<void> {
  const outcome = await loadOnce(openSite);
  if ('problem' in outcome) throw new Error(`the demo library could not be loaded: ${outcome.problem}`);
  for (const name of await readdir(outcome.folder)) {
    // `cp` keeps the owner of a file, which may be the user that PostgreSQL runs as. The file store replaces its two thousand
    // files and never changes one, so that a link is as good as a copy.
    const how = name === 'files' && process.platform === 'linux' ? '-al' : '-a';
    await execute('cp', [how, join(outcome.folder, name), join(dataDir, name)]);
  }
}

/** A site that loads the library when it starts. */
type Loader = { stop(): Promise<number | null> };

async function loadOnce(openSite: (dataDir: string) => Promise<Loader>): Promise<Outcome> {
  const place = join(tmpdir(), 'ceku-demo-data');
  const outcomeFile = join(place, 'outcome.json');
  const isFirst = await mkdir(place).then(
    () => true,
    () => false,
  );
  if (!isFirst) return waitFor(outcomeFile);
  const outcome = await load(openSite).catch((error: unknown) => ({ problem: String(error) }));
  await writeFile(`${outcomeFile}.part`, JSON.stringify(outcome));
  await rename(`${outcomeFile}.part`, outcomeFile);
  return outcome;
}

async function waitFor(outcomeFile: string): Promise<Outcome> {
  for (const giveUpAt = Date.now() + MAX_AWAY_MS; Date.now() < giveUpAt; await wait(100)) {
    if (existsSync(outcomeFile)) return JSON.parse(await readFile(outcomeFile, 'utf8'));
  }
  return { problem: 'it took too long' };
}

async function load(openSite: (dataDir: string) => Promise<Loader>): Promise<Outcome> {
  const folder = makePassableFolder('ceku-demo-');
  const site = await openSite(folder);
  await withDatabase(folder, whenDescribed);
  const code = await site.stop();
  if (code !== 0) return { problem: `its site ended with ${code}` };
  await withDatabase(folder, postponeCompletion);
  return { folder };
}

/** Each copy would describe the documents again, in ten seconds of processor time. Waits until only the completion is left to do. */
async function whenDescribed(db: Db): Promise<void> {
  for (const giveUpAt = Date.now() + MAX_AWAY_MS; Date.now() < giveUpAt; await wait(200)) {
    const { rowCount } = await db.execute(sql`
      select from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where task.identifier <> ${completeDemoJob.name}`);
    if (rowCount === 0) return;
  }
  throw new Error('its jobs took too long');
}

/** LibreOffice would be at work for minutes, beside every copy: demo/complete-pack.test.ts is about that. */
async function postponeCompletion(db: Db): Promise<void> {
  await createJobs(db).add(completeDemoJob, {}, { key: completeDemoJob.name, afterSeconds: DAY_SECONDS });
}

async function withDatabase(dataDir: string, work: (db: Db) => Promise<void>): Promise<void> {
  const log = createLog('warn');
  const server = await openEmbeddedPostgres({ dataDir, role: 'tool', log });
  try {
    const { db, close } = openDatabase(server.url, { max: 1, log });
    await work(db);
    await close();
  } finally {
    await server.close();
  }
}
