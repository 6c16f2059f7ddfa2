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
const MAX_LOAD_MS = 400_000;
const MAX_JOBS_MS = 120_000;
const DAY_SECONDS = 86_400;
/** Says in the folder of the run where the loaded library lies, or why there is none. */
type Outcome = { folder: string } | { problem: string };

/**
 * Fills an empty data folder with the demo library. The first caller of a run has a site load it, all get a copy: the
 * run's temporary folder keeps it and goes with it.
 */
export async function copyDemoData(dataDir: string, openSite: OpenLoader): Promise<void> {
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
type OpenLoader = (dataDir: string, env: Record<string, string>) => Promise<Loader>;

async function loadOnce(openSite: OpenLoader): Promise<Outcome> {
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
  for (const giveUpAt = Date.now() + MAX_LOAD_MS; Date.now() < giveUpAt; await wait(100)) {
    if (existsSync(outcomeFile)) return JSON.parse(await readFile(outcomeFile, 'utf8'));
  }
  return { problem: 'it took too long' };
}

/**
 * The library is loaded while no jobs run, then described by the jobs of a second start. In between the completion is
 * postponed: LibreOffice would be at work for minutes, beside every copy; demo/complete-pack.test.ts is about that.
 */
async function load(openSite: OpenLoader): Promise<Outcome> {
  const folder = makePassableFolder('ceku-demo-');
  await runSite(await openSite(folder, { WORKERS: '0' }), () => withDatabase(folder, postponeCompletion));
  await runSite(await openSite(folder, {}), () => withDatabase(folder, whenDescribed));
  return { folder };
}

async function runSite(site: Loader, work: () => Promise<void>): Promise<void> {
  const failure = await work().then(
    () => null,
    (error: unknown) => String(error),
  );
  const code = await site.stop();
  if (failure !== null) throw new Error(failure);
  if (code !== 0) throw new Error(`its site ended with ${code}`);
}

async function postponeCompletion(db: Db): Promise<void> {
  await createJobs(db).add(completeDemoJob, {}, { key: completeDemoJob.name, afterSeconds: DAY_SECONDS });
}

/** Each copy would describe the documents again, in ten seconds of processor time. Waits until only the completion is left to do. */
async function whenDescribed(db: Db): Promise<void> {
  const giveUpAt = Date.now() + MAX_JOBS_MS;
  for (;;) {
    const { rows } = await db.execute<{ name: string; error: string | null }>(sql`
      select task_identifier as name, last_error as error from graphile_worker.jobs
      where task_identifier <> ${completeDemoJob.name}`);
    if (rows.length === 0) return;
    if (Date.now() > giveUpAt) throw new Error(`its jobs did not end: ${JSON.stringify(rows.slice(0, 3))}`);
    await wait(200);
  }
}

async function withDatabase(dataDir: string, work: (db: Db) => Promise<void>): Promise<void> {
  const log = createLog('warn');
  const server = await openEmbeddedPostgres({ dataDir, role: 'tool', log });
  const { db, close } = openDatabase(server.url, { max: 1, log });
  try {
    await work(db);
  } finally {
    await close();
    await server.close();
  }
}
