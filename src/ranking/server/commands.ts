import type { Command } from 'commander';
import type { Open } from '../../context.ts';
import { commandGroup, EXIT, idNumber, OperatorError, printResult } from '../../platform/command-line.ts';
import { explainedText, explainRanking, updateRanking } from './ranking.ts';

/** `ceku ranking update` and `explain`. */
export function rankingCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'ranking', 'the order of lists without a keyword');
  group
    .command('update')
    .description('recompute all scores; the site does it every hour')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) =>
      open(async (ctx) => {
        const { moved } = await updateRanking(ctx);
        printResult(options, { moved }, `${moved} documents moved.`);
      }),
    );
  group
    .command('explain')
    .description('show what decides the place of a document')
    .argument('<id>', 'document id', idNumber)
    .option('--json', 'as JSON')
    .action((id: number, options: { json?: boolean }) =>
      open(async (ctx) => {
        const explained = await explainRanking(ctx, id);
        if (!explained) throw new OperatorError(`There is no document ${id}.`, EXIT.data);
        printResult(options, explained, explainedText(explained));
      }),
    );
}
