import type { Command } from 'commander';
import type { Ctx } from '../../context.ts';
import { commandGroup, printResult } from '../../platform/command-line.ts';
import { createProgress } from '../../platform/progress.ts';
import { rebuildSearch } from './rebuild-search.ts';

/** `ceku search rebuild`. */
export function searchCommands(program: Command, open: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>): void {
  commandGroup(program, 'search', 'care for the search index')
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
}
