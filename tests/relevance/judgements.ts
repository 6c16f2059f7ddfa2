import { readFileSync } from 'node:fs';

/**
 * A query, and what a planner wants to see for it: grade by file name without its ending, for charts with the number of the chart behind it
 * (3 exactly it … 1 related). Without grades the library has nothing about it.
 */
export type Judged = { query: string; class: string; grades: Map<string, number> };

/**
 * Search is tuned by `sentences`, `planners` and `trade`, which were graded before they were first asked. It is not tuned by `queries` any more, and never
 * was by `held-out` or `blind`: they tell whether what is done for others holds.
 */
export const SETS = ['queries', 'sentences', 'planners', 'trade', 'held-out', 'blind'] as const;
export type SetName = (typeof SETS)[number];

const LINE = /^(?<query>[^\t]+)\t(?<class>[^\t]+)\t(?<answers>-|\S+:[123](?: \S+:[123])*)$/u;
const NOTHING = '-';

/** Returns the queries of a set, in its file's order. Throws as readJudgementsFile. */
export const readJudgements = (set: SetName | 'charts'): Judged[] =>
  readJudgementsFile(new URL(`${set}.tsv`, import.meta.url));

/** Returns the queries of a file. Throws at the first line that is not `query<TAB>class<TAB>file:grade …` or `query<TAB>class<TAB>-`. */
export function readJudgementsFile(file: string | URL): Judged[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line && !line.startsWith('#')).map(readLine);
}

function readLine(line: string): Judged {
  const found = LINE.exec(line)?.groups;
  if (!found) throw new Error(`not a judgement: ${line}`);
  const { answers: graded = '' } = found;
  const answers = graded === NOTHING ? [] : graded.split(' ').map((answer) => answer.split(':'));
  return {
    query: found['query'] ?? '',
    class: found['class'] ?? '',
    grades: new Map(answers.map(([file = '', grade]) => [file, Number(grade)])),
  };
}
