import type { Command } from 'commander';
import type { Ctx, Open } from '../../../context.ts';
import { commandGroup, EXIT, idNumber, OperatorError, printResult, type Json } from '../../../platform/command-line.ts';
import { destroyDocument, type Destruction } from './destroy-document.ts';

/** `ceku document destroy`. */
export function destroyCommand(program: Command, open: Open): void {
  commandGroup(program, 'document', 'manage documents')
    .command('destroy')
    .description('destroy what a hidden document consists of, for good: original, images, texts, charts, title')
    .argument('<id>', 'document id', idNumber)
    .option('--yes', 'destroy it')
    .option('--json', 'as JSON')
    .action((id: number, options: Json & { yes?: boolean }) => {
      if (!options.yes)
        throw new OperatorError(
          `Nothing brings a destroyed document back but a backup. Add --yes to destroy document ${id}.`,
          EXIT.usage,
        );
      return open((ctx) => destroy(ctx, id, options));
    });
}

async function destroy(ctx: Ctx, id: number, options: Json): Promise<void> {
  const result = await destroyDocument(ctx, id);
  if (result.outcome === 'unknown') throw new OperatorError(`There is no document ${id}.`, EXIT.data);
  if (result.outcome === 'not-hidden')
    throw new OperatorError(
      `Document ${id} is ${result.state}. Hide it first: ceku document hide ${id} --reason illegal (or copyright).`,
      EXIT.data,
    );
  if (result.outcome === 'preparing')
    throw new OperatorError(
      `The file of document ${id} is being prepared. Repeat the command when that has ended.`,
      EXIT.busy,
    );
  if (result.outcome === 'kept') process.exitCode = EXIT.partial;
  printResult(options, { id, ...result }, wordsOf(id, result));
}

function wordsOf(id: number, result: Destruction): string {
  if (result.outcome === 'already') return `Document ${id} is destroyed already: nothing of it is left.`;
  if (result.outcome !== 'kept') return `Document ${id} is destroyed. Backups made before still hold it.`;
  return (
    `The title and words of document ${id} are destroyed. Its file stays, because ` +
    `${result.keptBy.length === 1 ? 'document' : 'documents'} ${result.keptBy.join(', ')} of the library ` +
    `${result.keptBy.length === 1 ? 'has' : 'have'} the same file: hide and destroy ${result.keptBy.length === 1 ? 'it' : 'those'} too.`
  );
}
