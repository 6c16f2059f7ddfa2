import type { Command } from 'commander';
import type { Open } from '../../context.ts';
import { commandGroup, EXIT, OperatorError, printResult, wholeNumber } from '../../platform/command-line.ts';
import { createProgress } from '../../platform/progress.ts';
import { rebuildSearch, waitUntilNodesBuilt } from './indexing/rebuild-search.ts';
import { reportSearches, reportText } from './log/search-log.ts';
import type { NodesBuilt } from './indexing/store-nodes.ts';

/** `ceku search rebuild` and `report`. */
export function searchCommands(program: Command, open: Open): void {
  const search = commandGroup(program, 'search', 'manage the search index');
  search
    .command('rebuild')
    .description('rewrite every search entry from the documents; searches keep working meanwhile')
    .option('--no-wait', 'do not wait until every running node has built its index')
    .option('--timeout <seconds>', 'wait no longer than this', wholeNumber(1, 86_400), 3_600)
    .option('--json', 'as JSON')
    .action((options: { wait: boolean; timeout: number; json?: boolean }) =>
      open(async (ctx) => {
        const progress = createProgress('indexing');
        const { documents, mark } = await rebuildSearch(ctx, (done) => progress.update(done, done));
        progress.end();
        const building = createProgress('nodes');
        const timeoutMs = options.wait ? options.timeout * 1_000 : 0;
        const state = await waitUntilNodesBuilt(ctx, mark, timeoutMs, ({ built, nodes }) =>
          building.update(built, nodes),
        );
        building.end();
        printResult(options, { documents, ...state }, `${documents} documents indexed. ${wordsOf(state)}`);
        if (options.wait && state.built < state.nodes) throw new OperatorError(wordsOf(state), EXIT.unavailable);
      }),
    );
  search
    .command('report')
    .description(
      'list searches: the most frequent, those without results, the slowest; propose lines for SYNONYMS_FILE',
    )
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
  if (nodes === 0) return 'No node is running: each node builds its index when it starts.';
  if (built === nodes && nodes === 1) return 'The running node has rebuilt its index.';
  if (built === nodes) return `All ${nodes} running nodes have rebuilt their index.`;
  return `${built} of ${nodes} running nodes have rebuilt their index; the others are still building and keep answering.`;
}
