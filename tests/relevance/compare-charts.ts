// nDCG@10 of the search of charts over a judged file, by class, and whether each chart of a folder is found by its title and by a series. Run:
// node tests/relevance/compare-charts.ts [--judged charts.tsv] [--folder decks] [--list] (asks the demo library; the decks of the folder need
// LibreOffice; --list prints the charts of the library)
import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureCharts, type Library, type LibraryChart } from './ask-library.ts';
import { meanOf } from './figures.ts';
import { readJudgements, readJudgementsFile } from './judgements.ts';
import { withTemporaryLibrary } from './temporary-library.ts';

/** Queries whose nDCG@10 is below this are printed. */
const POOR = 0.7;

const { values } = parseArgs({
  options: {
    judged: { type: 'string' },
    folder: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
await withTemporaryLibrary({ hasDemo: true, folder: values.folder }, async (library) => {
  if (values.list) for (const chart of library.charts) console.log(JSON.stringify(chart));
  await printJudged(library);
  if (values.folder !== undefined) await printFindable(library, await readdir(values.folder));
});

async function printJudged(library: Library): Promise<void> {
  const judged = values.judged ? readJudgementsFile(values.judged) : readJudgements('charts');
  const measured = await measureCharts(library, judged);
  for (const [name, list] of [...Map.groupBy(measured, (each) => each.class), ['all', measured] as const]) {
    const { ndcg } = meanOf(list.map(({ figures }) => figures));
    console.log(`${name.padEnd(14)} ${String(list.length).padStart(4)}  ${ndcg.toFixed(3)}`);
  }
  for (const { query, found, grades, figures } of measured.filter((each) => each.figures.ndcg < POOR)) {
    const wanted = [...grades].map((pair) => pair.join(':')).join(' ');
    console.log(`${figures.ndcg.toFixed(3)} ${query}: wanted ${wanted}, found ${found.slice(0, 5).join(' ')}`);
  }
}

/** Asks for every chart of the files that has numbers, by its title and by its first series that has a name. */
async function printFindable({ charts, askCharts }: Library, files: readonly string[]): Promise<void> {
  const names = new Set(files.map((file) => file.replace(/\.\w+$/, '')));
  const native = charts.filter(({ id, series }) => series.length > 0 && names.has(id.slice(0, id.lastIndexOf('#'))));
  await printFound('title', ({ title }) => title);
  await printFound('series', ({ series }) => series.find((name) => name.trim() !== '') ?? '');

  async function printFound(kind: string, queryOf: (chart: LibraryChart) => string): Promise<void> {
    const asked = native.filter((chart) => queryOf(chart).trim() !== '');
    const answers = await askCharts(asked.map(queryOf));
    const missed = asked.filter((chart, at) => !answers[at]?.includes(chart.id));
    console.log(`by ${kind}: ${asked.length - missed.length} of ${asked.length} charts are on the first page`);
    for (const chart of missed) console.log(`  missed ${chart.id}: ${queryOf(chart)}`);
  }
}
