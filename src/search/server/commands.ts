import type { Command } from 'commander';
import type { Open } from '../../context.ts';
import { commandGroup, EXIT, OperatorError, printResult, wholeNumber } from '../../platform/command-line.ts';
import { createProgress } from '../../platform/progress.ts';
import { rebuildSearch, untilNodesBuilt } from './rebuild-search.ts';
import { reportSearches, reportText } from './report-searches.ts';
import type { NodesBuilt } from './store-nodes.ts';

/** `ceku search rebuild` and `report`. */
export function searchCommands(program: Command, open: Open): void {
  const search = commandGroup(program, 'search', 'care for the search index');
  search
    .command('rebuild')
    .description('make every search entry again from the documents; searches go on meanwhile')
    .option('--no-wait', 'do not wait until every running node has built its index')
    .option('--timeout <seconds>', 'wait no longer than this', wholeNumber(1, 86_400), 3_600)
    .option('--json', 'as JSON')
    .action((options: { wait: boolean; timeout: number; json?: boolean }) =>
      open(async (ctx) => {
        const progress = createProgress('indexing');
        const { documents, mark } = await rebuildSearch(ctx, (done) => progress.update(done, done));
        progress.end();
        const building = createProgress('nodes');
        const patienceMs = options.wait ? options.timeout * 1_000 : 0;
        const state = await untilNodesBuilt(ctx, mark, patienceMs, ({ built, nodes }) => building.update(built, nodes));
        building.end();
        printResult(options, { documents, ...state }, `${documents} documents indexed. ${wordsOf(state)}`);
        if (options.wait && state.built < state.nodes) throw new OperatorError(wordsOf(state), EXIT.unavailable);
      }),
    );
  search
    .command('report')
    .description('what was searched for: most often, without a result, slowest')
    .option('--days <n>', 'days back', wholeNumber(1, 90), 7)
    .option('--limit <n>', 'lines of each list', wholeNumber(1, 1_000), 20)
    .option('--json', 'as JSON')
    .action((options: { days: number; limit: number; json?: boolean }) =>
      open(async (ctx) => {
        const report = await reportSearches(ctx, options.days, options.limit);
        printResult(options, report, reportText(report));
      }),
    );
}

function wordsOf({ nodes, built }: NodesBuilt): string {
  if (nodes === 0) return 'No node is running: each builds its index when it starts.';
  if (built === nodes && nodes === 1) return 'The running node has built its index anew.';
  if (built === nodes) return `All ${nodes} running nodes have built their index anew.`;
  return `${built} of ${nodes} running nodes have built their index anew; the others are at it, and answer meanwhile.`;
}
