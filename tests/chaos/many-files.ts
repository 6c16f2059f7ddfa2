// Thousands of small PDFs in one folder: the speed of each thousand, the memory, and what Ctrl-C on the way costs. Run:
// node tests/chaos/many-files.ts [--files 10000] [--workers 2]
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { sampleMemory } from '../../bench/ingest/sample-memory.ts';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { smallPdf } from '../small-pdf.ts';
import { makePassableFolder } from '../passable-folder.ts';

const { values } = parseArgs({
  options: { files: { type: 'string', default: '10000' }, workers: { type: 'string', default: '2' } },
});
const FILES = Number(values.files);
const STEP = Math.max(100, Math.floor(FILES / 10));
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

const root = makePassableFolder('ceku-many-');
const folder = join(root, 'files');
await mkdir(folder);
for (let number = 1; number <= FILES; number++)
  await writeFile(join(folder, `deck-${String(number).padStart(6, '0')}.pdf`), smallPdf(`Many ${number}`, 3));
const database = await openEmbeddedPostgres({
  dataDir: join(root, 'postgres'),
  role: 'tool',
  log: { info: () => undefined, warn: (line: string) => process.stderr.write(`${line}\n`) },
});
const client = new pg.Client({ connectionString: database.url });
await client.connect();

type Part = { from: number; to: number; seconds: number; perSecond: number; peakMB: number; ownMB: number };
const parts: Part[] = [];
let isInterrupted = false;
try {
  let child = start();
  let done = 0;
  for (let part = startPart(child, 0); done < FILES;) {
    await sleep(500);
    done = await count();
    if (done >= part.from + STEP || done >= FILES) {
      parts.push(endPart(part, done));
      console.error(JSON.stringify(parts.at(-1)));
      if (!isInterrupted && done >= FILES * 0.4) {
        isInterrupted = true;
        child.kill('SIGINT');
        const [code] = await once(child, 'exit');
        console.error(`Ctrl-C at ${done}: exit ${String(code)}`);
        child = start();
      }
      if (done < FILES) part = startPart(child, done);
    }
    if (child.exitCode !== null && done < FILES) throw new Error(`the command ended at ${done} with ${child.exitCode}`);
  }
  if (child.exitCode === null) await once(child, 'exit');
  const { rows } = await client.query<{ documents: number; files: number }>(
    `select (select count(*)::int from documents) as documents, (select count(distinct sha256)::int from files) as files`,
  );
  console.log(JSON.stringify({ suite: 'many-files', exit: child.exitCode, ...rows[0], parts }));
} finally {
  await client.end();
  await database.close();
  await rm(root, { recursive: true, force: true });
}

function start(): ChildProcess {
  const words = ['ingest', folder, '--json', '--concurrency', values.workers];
  const env = {
    ...process.env,
    DATA_DIR: join(root, 'data'),
    DATABASE_URL: database.url,
    DEMO: 'off',
    LOG_LEVEL: 'warn',
  };
  return spawn(process.execPath, [CLI, ...words], { env, stdio: ['ignore', 'ignore', 'ignore'] });
}

function startPart(child: ChildProcess, from: number) {
  const pid = child.pid ?? 0;
  return { from, startedAt: performance.now(), tree: sampleMemory(pid), own: sampleMemory(pid, false) };
}

function endPart(part: ReturnType<typeof startPart>, to: number): Part {
  const seconds = (performance.now() - part.startedAt) / 1_000;
  const mega = (bytes: number) => Math.round(bytes / 1e6);
  return {
    from: part.from,
    to,
    seconds: Math.round(seconds * 10) / 10,
    perSecond: Math.round(((to - part.from) / seconds) * 10) / 10,
    peakMB: mega(part.tree.stop()),
    ownMB: mega(part.own.stop()),
  };
}

/** Zero while the schema is not there yet. */
async function count(): Promise<number> {
  const sql = `select count(*)::int as count from documents where state = 'published'`;
  const found = await client.query<{ count: number }>(sql).catch(() => null);
  return found?.rows[0]?.count ?? 0;
}
