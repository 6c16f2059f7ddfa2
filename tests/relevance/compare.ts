// nDCG@10 of search, of substring AND and of MiniSearch over the judged sets, by class. Run: node tests/relevance/compare.ts [--set blind]
// [--judged file.tsv] (instead of the sets: queries that the project does not hold) (needs `npm install --prefix bench` for MiniSearch)
import { parseArgs } from 'node:util';
import { load } from '../../bench/search/engine.ts';
import { measureQueries } from './ask-library.ts';
import { miniSearchOr, substringAnd, type Baseline, type MiniSearch } from './baselines.ts';
import { figuresOf, meanOf, type Figures } from './figures.ts';
import { readJudgements, readJudgementsFile, SETS, type Judged } from './judgements.ts';
import { withTemporaryLibrary } from './temporary-library.ts';

type Measured = Judged & { found: string[]; figures: Figures };

const { values } = parseArgs({ options: { set: { type: 'string' }, judged: { type: 'string' } } });
const sets: [name: string, judged: Judged[]][] = values.judged
  ? [['judged', readJudgementsFile(values.judged)]]
  : SETS.filter((set) => !values.set || set === values.set).map((set) => [set, readJudgements(set)]);
const miniSearch = await load<{ default: MiniSearch }>('minisearch');
const { measured, decks } = await withTemporaryLibrary({ hasDemo: true }, async (library) => {
  const measured: [name: string, list: Measured[]][] = [];
  for (const [name, judged] of sets) measured.push([name, await measureQueries(library, judged)]);
  return { measured, decks: library.decks };
});
const baselines: Baseline[] = [substringAnd(decks), ...(miniSearch ? [miniSearchOr(miniSearch.default, decks)] : [])];
if (!miniSearch) console.log('MiniSearch is not installed: npm install --prefix bench');
for (const [name, list] of measured) print(name, list);

function print(set: string, ofSet: Measured[]): void {
  console.log(`${set.padEnd(14)} queries  search  ${baselines.map(({ name }) => name.padStart(14)).join('')}`);
  for (const [name, list] of Map.groupBy(ofSet, (each) => each.class)) printRow(name, list);
  const answerable = ofSet.filter(({ grades }) => grades.size > 0);
  printRow('answerable', answerable);
  const empty = (found: string[][]) => `${found.filter(({ length }) => length === 0).length} of ${found.length}`;
  const answers = [
    answerable.map(({ found }) => found),
    ...baselines.map(({ ask }) => answerable.map(({ query }) => ask(query))),
  ];
  console.log(`${'empty'.padEnd(22)}  ${answers.map((found) => empty(found).padStart(14)).join('')}`);
  const shown = answerable.flatMap(({ found, grades }) => found.slice(0, 10).map((file) => grades.has(file)));
  const related = shown.filter(Boolean).length;
  console.log(`related among the first ten shown: ${((100 * related) / shown.length).toFixed(0)} %\n`);
}

function printRow(name: string, list: Measured[]): void {
  const ours = meanOf(list.map(({ figures }) => figures)).ndcg;
  const others = baselines.map(({ ask }) => meanOf(list.map((each) => figuresOf(each, ask(each.query)))).ndcg);
  const cells = [ours, ...others].map((value) => value.toFixed(3).padStart(14)).join('');
  console.log(`${name.padEnd(14)} ${String(list.length).padStart(7)}${cells}`);
}
