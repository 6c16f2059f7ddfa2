import { mkdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { ENGINES } from './engines.ts';
import { measure, type Row } from './measure.ts';
import { tablesOf } from './print.ts';
import { tokenizeCorpus } from './tokenized-corpus.ts';
import { deckQuestions, questions } from './questions.ts';

export type SearchOptions = {
  documents: number;
  /** Whole decks, with the text of their pages and sentences among the questions. */
  decks?: boolean;
  engines?: string[];
  rounds?: number;
  stormMs?: number;
  warmUpMs?: number;
  say?(line: string): void;
};

/** Compares the engines over one corpus. All they keep is in a temporary folder, and a database, that end with the run. */
export async function runSearch(options: SearchOptions): Promise<Row[]> {
  const {
    documents,
    decks: isWhole = false,
    engines = Object.keys(ENGINES),
    rounds = 3,
    stormMs = 4_000,
    warmUpMs = 20_000,
    say = () => {},
  } = options;
  const folder = await mkdtemp(join(tmpdir(), 'ceku-bench-'));
  await chmod(folder, 0o755);
  try {
    const log = { info: () => undefined, warn: say };
    // Reading is what is measured: that nothing has to reach the disk only makes PostgreSQL's build shorter.
    const settings = { fsync: 'off', shared_buffers: '512MB', max_wal_size: '4GB' };
    const database = engines.includes('postgres')
      ? await openEmbeddedPostgres({ dataDir: join(folder, 'database'), role: 'tool', log, settings })
      : null;
    try {
      say('tokenizing');
      const tokenized = await tokenizeCorpus(documents, isWhole);
      const place = { folder, databaseUrl: database?.url ?? '', documents, isWhole, tokenized };
      const asked = [...questions(), ...(isWhole ? deckQuestions(documents) : [])];
      return await measure({ names: engines, place, questions: asked, rounds, stormMs, warmUpMs, say });
    } finally {
      await database?.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs, prints the tables and keeps the figures in bench/results. */
export async function printSearch(options: SearchOptions): Promise<void> {
  const rows = await runSearch({ ...options, say: (line) => console.error(line) });
  const cores = availableParallelism();
  const [load = 0] = loadavg();
  const kind = options.decks ? 'whole decks' : 'documents';
  console.log(
    `\n${options.documents} ${kind}, load ${load.toFixed(1)}, Node ${process.versions.node}, ${cores} cores\n\n${tablesOf(rows)}`,
  );
  const results = new URL('../results/', import.meta.url);
  mkdirSync(results, { recursive: true });
  const at = new Date().toISOString();
  const file = new URL(
    `search-${options.documents}-${options.decks ? 'decks' : 'names'}-${at.replaceAll(':', '-')}.json`,
    results,
  );
  writeFileSync(
    file,
    JSON.stringify(
      {
        at,
        documents: options.documents,
        isWhole: options.decks ?? false,
        load,
        node: process.versions.node,
        cores,
        rows,
      },
      null,
      2,
    ),
  );
}
