// How well search answers a planner, over the demo library: nDCG@10, recall@10 and mean reciprocal rank by class of
// query. Run: node tests/relevance/measure.ts [--worst 20] (the queries that fare worst, too) [--floors] (rewrites floors.json)
import { rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openEmbeddedPostgres } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { openTestApp } from '../test-app.ts';
import { measureRelevance, summarize, type Measured } from './ask-library.ts';
import { FIGURES } from './figures.ts';
import { SETS, type SetName } from './judgements.ts';
import { makePassableFolder } from '../passable-folder.ts';

/** How far below today's figures the floors are set. */
const SLACK = 0.005;

const { values } = parseArgs({
  options: { worst: { type: 'string', default: '0' }, floors: { type: 'boolean', default: false } },
});
const measured = await measureInTemporaryLibrary();
for (const set of SETS) printSet(set);
listWorst(measured, Number(values.worst));
if (values.floors) await writeFloors();

async function measureInTemporaryLibrary(): Promise<Measured[]> {
  const folder = makePassableFolder('ceku-relevance-');
  const log = { info: () => undefined, warn: (message: string) => console.error(message) };
  const server = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', log, settings: { fsync: 'off' } });
  try {
    await migrate(server.url);
    const app = await openTestApp({ hasEngine: true, database: { url: server.url, drop: async () => undefined } });
    try {
      return await measureRelevance(app);
    } finally {
      await app.close();
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function printSet(set: SetName): void {
  console.log(`${set.padEnd(14)} queries  nDCG@10  recall@10    MRR`);
  for (const [name, figures] of summarize(measured, set)) {
    const queries = measured.filter((each) => each.set === set && (name === 'overall' || each.class === name)).length;
    const [ndcg, recall, mrr] = FIGURES.map((key) => figures[key].toFixed(3));
    console.log(
      `${name.padEnd(14)} ${String(queries).padStart(7)}  ${ndcg?.padStart(7)}  ${recall?.padStart(9)}  ${mrr}`,
    );
  }
  console.log();
}

/** Prints the worst queries of `queries.tsv`. The held-out set is not shown query by query, so that nobody tunes to it. */
function listWorst(all: Measured[], count: number): void {
  const tuned = all.filter(({ set }) => set === 'sentences');
  const worst = tuned.toSorted((a, b) => a.figures.ndcg - b.figures.ndcg).slice(0, count);
  for (const { query, figures, found, grades, ...rest } of worst) {
    const shown = found.slice(0, 10).map((file) => `${file}:${grades.get(file) ?? 0}`);
    const missed = [...grades].filter(([file]) => !found.slice(0, 10).includes(file)).map((pair) => pair.join(':'));
    console.log(
      `\n${figures.ndcg.toFixed(3)} ${rest.class}: ${query}\n  shown  ${shown.join(' ')}\n  missed ${missed.join(' ')}`,
    );
  }
}

async function writeFloors(): Promise<void> {
  const floor = (value: number) => Math.max(0, Math.floor((value - SLACK) * 1_000) / 1_000);
  const floorsOf = (set: SetName) =>
    Array.from(summarize(measured, set), ([name, figures]) => [
      name,
      Object.fromEntries(FIGURES.map((key) => [key, floor(figures[key])])),
    ]);
  // Classes of the other sets are small: only the whole of each has a floor.
  const wholeOf = (set: SetName) => [set, floorsOf(set).at(-1)?.[1]];
  const floors = [...floorsOf('queries'), wholeOf('sentences'), wholeOf('held-out')];
  const text = `${JSON.stringify(Object.fromEntries(floors), null, 2)}\n`;
  await writeFile(new URL('floors.json', import.meta.url), text);
}
