import type { Command } from 'commander';
import type { Ctx } from '../../context.ts';
import { commandGroup, printResult, wholeNumber } from '../../platform/command-line.ts';
import { createProgress } from '../../platform/progress.ts';
import { rebuildSearch } from './rebuild-search.ts';
import { reportSearches, reportText } from './report-searches.ts';

/** `ceku search rebuild` and `report`. */
export function searchCommands(program: Command, open: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>): void {
  const search = commandGroup(program, 'search', 'care for the search index');
  search
    .command('rebuild')
    .description('make every search entry again from the documents; searches go on meanwhile')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) =>
      open(async (ctx) => {
        const progress = createProgress('indexing');
        const { documents } = await rebuildSearch(ctx, (done) => progress.update(done, done));
        progress.end();
        printResult(options, { documents }, `${documents} documents indexed.`);
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
