// How well search answers a planner, over the demo library: nDCG@10, recall@10 and mean reciprocal rank by class of
// query, and the automatic queries. Run: node tests/relevance/measure.ts [--worst 20] (the queries that fare worst, too) [--floors] (rewrites
// floors.json) [--folder decks] (the automatic queries alone, over the decks of a folder; needs LibreOffice)
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureCharts, measureRelevance, summarize, type Measured } from './ask-library.ts';
import { emptySuggestions, measureAutomatic, PAIRS, type AutomaticFigures } from './automatic-queries.ts';
import { FIGURES, meanOf } from './figures.ts';
import { SETS, type SetName } from './judgements.ts';
import { withTemporaryLibrary } from './temporary-library.ts';

/** How far below today's figures the floors are set. */
const SLACK = 0.005;

const { values } = parseArgs({
  options: {
    worst: { type: 'string', default: '0' },
    floors: { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
});
const { measured, charts, automatic, suggested, empty } = await withTemporaryLibrary(
  { hasDemo: !values.folder, folder: values.folder },
  async (library) => {
    // The judged sets are about the demo library.
    const measured = values.folder ? [] : await measureRelevance(library);
    const charts = values.folder ? [] : await measureCharts(library);
    const automatic = await measureAutomatic(library, measured, PAIRS);
    const { suggested } = library;
    return { measured, charts, automatic, suggested, empty: await emptySuggestions(library, suggested) };
  },
);
if (!values.folder) for (const set of SETS) printSet(set);
printCharts(charts, Number(values.worst));
listWorst(measured, Number(values.worst));
printAutomatic(automatic);
console.log(`${suggested.length} suggested words, ${empty.length} find nothing ${empty.join(' ')}`);
if (values.floors) await writeFloors();

function printAutomatic({ pairs, misses, heads, ndcg }: AutomaticFigures): void {
  console.log(`label or name word + page word: ${pairs - misses.length} of ${pairs} first`);
  for (const { query, file, found } of misses) {
    console.log(`  ${query}: wanted ${file}, found ${found.slice(0, 5).join(' ')}`);
  }
  if (heads === 0) return;
  const [alone, ...withTails] = ndcg.map((value) => value.toFixed(4));
  console.log(`${heads} heads: nDCG@10 ${alone}, with tails ${withTails.join(' ')}`);
}

function printSet(set: SetName): void {
  console.log(`${set.padEnd(14)} queries  nDCG@10  recall@10    MRR`);
  for (const [name, figures] of summarize(measured, set)) {
    const isCounted = (each: Measured) => (name === 'overall' ? each.grades.size > 0 : each.class === name);
    const queries = measured.filter((each) => each.set === set && isCounted(each)).length;
    const [ndcg, recall, mrr] = FIGURES.map((key) => figures[key].toFixed(3));
    console.log(
      `${name.padEnd(14)} ${String(queries).padStart(7)}  ${ndcg?.padStart(7)}  ${recall?.padStart(9)}  ${mrr}`,
    );
  }
  console.log();
}

/** Prints the means of the queries of charts by class, and those that fare worst. */
function printCharts(charts: Awaited<ReturnType<typeof measureCharts>>, worst: number): void {
  for (const [name, list] of [...Map.groupBy(charts, (each) => each.class), ['charts', charts] as const]) {
    const mean = meanOf(list.map(({ figures }) => figures));
    console.log(
      `${name.padEnd(14)} ${String(list.length).padStart(7)}  ${FIGURES.map((key) => mean[key].toFixed(3)).join('  ')}`,
    );
  }
  for (const each of charts.toSorted((a, b) => a.figures.ndcg - b.figures.ndcg).slice(0, worst)) {
    const shown = each.found.slice(0, 10).map((chart) => `${chart}:${each.grades.get(chart) ?? 0}`);
    console.log(`${each.figures.ndcg.toFixed(3)} ${each.query}: ${shown.join(' ')}`);
  }
}

/** Prints the worst queries of `sentences.tsv`. The other sets are not shown query by query, so that nobody tunes to it. */
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
  const floors = [
    ...floorsOf('queries'),
    wholeOf('sentences'),
    wholeOf('planners'),
    wholeOf('trade'),
    wholeOf('held-out'),
    wholeOf('blind'),
  ];
  const text = `${JSON.stringify(Object.fromEntries(floors), null, 2)}\n`;
  await writeFile(new URL('floors.json', import.meta.url), text);
}
