import type { Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { EXIT, idNumber, OperatorError, printResult, type Json } from '../../platform/command-line.ts';
import { createProgress } from '../../platform/progress.ts';
import { findDocument } from './catalogue.ts';
import { originalKey, verifyOriginals, type Verification } from './originals.ts';
import { countOriginals } from './store-originals.ts';

/** `ceku document verify`. */
export function verifyCommand(group: Command, open: Open): void {
  group
    .command('verify')
    .description(
      'compare originals with their recorded hashes: all, or those of some documents; exits with 1 when one is lost',
    )
    .argument('[ids...]', 'document ids', (text: string, ids: number[]) => [...ids, idNumber(text)], [])
    .option('--json', 'as JSON')
    .action((ids: number[], options: Json) => open((ctx) => verify(ctx, ids, options)));
}

async function verify(ctx: Ctx, ids: number[], options: Json): Promise<void> {
  for (const id of ids)
    if (!(await findDocument(ctx, id))) throw new OperatorError(`There is no document ${id}.`, EXIT.data);
  const total = ids.length > 0 ? ids.length : await countOriginals(ctx.db);
  const progress = createProgress('originals');
  const result = await verifyOriginals(ctx, {
    ...(ids.length > 0 && { documentIds: ids }),
    onProgress: (checked) => progress.update(checked, total),
  });
  progress.end();
  if (result.lost.length > 0) process.exitCode = EXIT.partial;
  printResult(options, result, wordsOf(result));
}

function wordsOf({ checked, lost, notChecked }: Verification): string {
  const lines = lost.map(
    ({ sha256, documentIds, state }) =>
      `${state}: ${originalKey(sha256)} of ${documentIds.length === 1 ? 'document' : 'documents'} ${documentIds.join(', ')}`,
  );
  for (const id of notChecked) lines.push(`not checked: document ${id}, whose original was destroyed`);
  return [...lines, `${checked} originals checked, ${lost.length} lost.`].join('\n');
}
