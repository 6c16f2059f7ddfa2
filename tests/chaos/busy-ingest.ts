// Ingests decks while other processes burn every processor: no deck may fail for want of time. Run:
// node --import ./scripts/resolve-quickly.mjs tests/chaos/busy-ingest.ts [--files 50] [--burners 2]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { makePassableFolder } from '../passable-folder.ts';
import { deckOf } from '../samples/deck.ts';

const { values } = parseArgs({
  options: { files: { type: 'string', default: '50' }, burners: { type: 'string', default: '2' } },
});
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const HOOKS = fileURLToPath(new URL('../../scripts/resolve-quickly.mjs', import.meta.url));

const root = makePassableFolder('ceku-busy-');
const folder = join(root, 'files');
await mkdir(folder);
const SLIDES = 20;
for (let number = 1; number <= Number(values.files); number++) {
  const slides = Array.from({ length: SLIDES }, (_, page) => ({
    title: `第${page + 1}页 方案${number}`,
    lines: Array.from({ length: 6 }, (_line, at) => `要点${at + 1}：城市 ${number} 的第 ${page + 1} 个活动`),
  }));
  await writeFile(join(folder, `deck-${number}.pptx`), deckOf({ slides }));
}
const database = await openEmbeddedPostgres({
  dataDir: join(root, 'postgres'),
  role: 'tool',
  log: { info: () => undefined, warn: (line: string) => process.stderr.write(`${line}\n`) },
});
const burners = Array.from({ length: Number(values.burners) }, () =>
  spawn(process.execPath, ['--eval', 'for (;;) {}'], { stdio: 'ignore' }),
);
const client = new pg.Client({ connectionString: database.url });
try {
  const startedAt = performance.now();
  const env = {
    ...process.env,
    DATA_DIR: join(root, 'data'),
    DATABASE_URL: database.url,
    DEMO: 'off',
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [`--import=${HOOKS}`, CLI, 'ingest', folder], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  await client.connect();
  const { rows } = await client.query<{ state: string; reason: string | null; files: number }>(
    'select state, reason_code as reason, count(*)::int as files from ingest_items group by 1, 2 order by 1, 2',
  );
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(JSON.stringify({ suite: 'busy-ingest', exit: child.exitCode, seconds, items: rows }));
  if (rows.some(({ state }) => state !== 'published')) process.exitCode = 1;
} finally {
  for (const burner of burners) burner.kill('SIGKILL');
  await client.end();
  await database.close();
  await rm(root, { recursive: true, force: true });
}
