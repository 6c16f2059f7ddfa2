// kill -9 of an ingest at every edge of every step, and at random moments. Each time the next run must end with the same
// catalogue as one that was left in peace, and leave no orphan after the sweeper, no process, no work folder and no
// socket. Run: node tests/chaos/ingest-kill.ts [--kills 30]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { deckOf } from '../samples/deck.ts';
import { sweepOrphans } from '../../src/ingest/server/steps/sweep-orphans.ts';
import { STEPS } from '../../src/ingest/steps.ts';
import { openApp } from '../../src/open-app.ts';
import { readConfig } from '../../src/config.ts';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { createLog } from '../../src/platform/log.ts';
import { smallPdf } from '../small-pdf.ts';
import { checkFiles, readCatalogue } from './catalogue.ts';
import { makePassableFolder } from '../passable-folder.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '30' } } });
const KILLS = Math.min(Number(values.kills), 500);
const VICTIM = fileURLToPath(new URL('./ingest-victim.ts', import.meta.url));

const root = makePassableFolder('ceku-ingest-chaos-');
const decks = join(root, 'decks');
const scratch = join(root, 'scratch');
const problems: string[] = [];
let killed = 0;

await mkdir(scratch);
await makeDecks();
const database = await openEmbeddedPostgres({
  dataDir: join(root, 'postgres'),
  role: 'tool',
  log: { info: () => undefined, warn: (line: string) => process.stderr.write(`${line}\n`) },
});
try {
  const peace = await openRound('peace');
  await run(peace, 'never');
  const expected = await inspect(peace, 'peace');
  const edges = STEPS.flatMap((step) =>
    (step === 'store' ? ['begun', 'made'] : ['begun', 'made', 'recorded']).map((edge) => `${step}:${edge}`),
  );
  for (let kill = 0; kill < KILLS; kill++) {
    const edge = edges[kill];
    const where = edge ? `${edge}:${1 + (kill % 4)}` : `ms:${300 + Math.floor(Math.random() * 5_000)}`;
    const round = await openRound(`kill${kill}`);
    const wasKilled = await run(round, where);
    if (wasKilled) killed++;
    else if (edge) problems.push(`${where} was never reached`);
    await run(round, 'never');
    const found = await inspect(round, where);
    if (found !== expected) {
      problems.push(`${where}: another catalogue`);
      await writeFile(join(tmpdir(), 'ceku-chaos-expected.json'), expected);
      await writeFile(join(tmpdir(), 'ceku-chaos-found.json'), found);
    }
    await rm(round.DATA_DIR, { recursive: true });
    console.error(`${kill + 1}/${KILLS} ${where}${wasKilled ? '' : ' (ended before)'}, ${problems.length} problems`);
  }
} finally {
  await database.close();
  await rm(root, { recursive: true, force: true });
}
console.log(
  JSON.stringify({ suite: 'ingest-kill', rounds: KILLS, kills: killed, violations: problems.length, problems }),
);
process.exitCode = problems.length === 0 ? 0 : 1;

async function makeDecks(): Promise<void> {
  await mkdir(decks);
  for (let number = 1; number <= 4; number++)
    await writeFile(join(decks, `pdf-${number}.pdf`), smallPdf(`Chaos ${number}`, number));
  await writeFile(join(decks, 'pdf-4-again.pdf'), smallPdf('Chaos 4', 4));
  for (const title of ['春季新品发布', '城市音乐节招商', '年会盛典执行'])
    await writeFile(
      join(decks, `${title}.pptx`),
      deckOf({ slides: [{ title }, { title: '预算', lines: ['三百万'] }, { title }] }),
    );
  await writeFile(join(decks, 'rubbish.pptx'), 'rubbish');
}

type Round = { DATA_DIR: string; DATABASE_URL: string; TMPDIR: string };

/** An empty library: a database and a data folder of its own. */
async function openRound(name: string): Promise<Round> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`create database chaos_${name}`);
  await client.end();
  const url = new URL(database.url);
  url.pathname = `/chaos_${name}`;
  return { DATA_DIR: join(root, name), DATABASE_URL: url.href, TMPDIR: scratch };
}

/** True when the victim was killed. */
async function run(round: Round, where: string): Promise<boolean> {
  const env = { ...process.env, ...round, NODE_ENV: 'production', LOG_LEVEL: 'error', DEMO: 'off' };
  const child = spawn(process.execPath, [VICTIM, decks, where], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = await once(child, 'exit');
  if (signal === 'SIGKILL') return true;
  if (code !== 0) problems.push(`${where}: the run ended with ${code ?? signal}`);
  return false;
}

/** Returns the catalogue of a round after its last run. Orphaned files, damaged files, temporary folders and processes that are left are added to `problems`. */
async function inspect(round: Round, where: string): Promise<string> {
  const config = readConfig({ ...round, NODE_ENV: 'production', LOG_LEVEL: 'error', DEMO: 'off' });
  const app = await openApp(config, createLog('error'), 'tool');
  try {
    const { ctx } = app;
    await sweepOrphans(ctx, { olderThanMs: 0 });
    const rest = await sweepOrphans(ctx, { olderThanMs: 0 });
    if (rest.removed > 0) problems.push(`${where}: ${rest.removed} orphans outlive the sweeper`);
    for (const problem of await checkFiles(ctx.db, ctx.files)) problems.push(`${where}: ${problem}`);
    for (const left of await leftOvers()) problems.push(`${where}: left behind: ${left}`);
    return await readCatalogue(ctx.db);
  } finally {
    await app.close();
  }
}

async function leftOvers(): Promise<string[]> {
  const left = (await readdir(scratch)).filter((name) => name.startsWith('ceku-'));
  for (const id of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(scratch)) left.push(command.replaceAll('\0', ' ').slice(0, 120));
  }
  return left;
}
