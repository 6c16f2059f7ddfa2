import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import type { Ctx } from '../../../context.ts';
import { csvOf } from '../../../platform/csv.ts';
import { isDatabaseAway } from '../../../platform/db/client.ts';
import { listResults } from './list-results.ts';
import type { BatchPlan } from '../manifest/plan-batch.ts';
import type { ListedItem } from '../store/items.ts';

const COLUMNS = ['file', 'state', 'document', 'pages', 'reason', 'message', 'sha256'] as const;
/**
 * Results are whole before they take the place of earlier ones. The draft's name is nobody else's: two commands may write to one
 * place, and somebody may have laid a link there. It is one that ingest passes over.
 */
export const draftOf = (result: string): string => join(dirname(result), `.ceku-results-${randomUUID()}`);

/** Lines written in one go. */
const AT_ONCE = 1_000;

/** By the beginning of a file; a spreadsheet program may have saved it anew, in its own way. */
export function isListOfResults(start: string): boolean {
  const [one, other] = COLUMNS;
  return new RegExp(`^\\ufeff?"?${one}"?[,;\\t]"?${other}\\b`).test(start);
}

/**
 * One row per file of a batch, and one per manifest row without a file, as CSV that spreadsheet programs open (UTF-8
 * with a mark). Whole or not there. Throws OperatorError (73) when it cannot be written.
 */
export async function writeResults(
  ctx: Ctx,
  batchId: number,
  path: string,
  missing: string[],
  plan: BatchPlan | null = null,
): Promise<void> {
  const draft = draftOf(path);
  try {
    const file = await open(draft, 'wx');
    try {
      await file.write(`\ufeff${COLUMNS.join(',')}\n`);
      let rows: Row[] = [];
      for await (const item of listResults(ctx, batchId, plan)) {
        if (rows.push(rowOf(item)) < AT_ONCE) continue;
        await file.write(csvOf(rows, '\n'));
        rows = [];
      }
      await file.write(csvOf(rows, '\n'));
      for (const name of missing)
        await file.write(csvOf([[name, 'missing', '', '', '', 'named by the manifest, not found', '']], '\n'));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    if (isDatabaseAway(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The results cannot be written to ${path}: ${reason}`, EXIT.cannotCreate);
  }
}

type Row = (string | number | null)[];

function rowOf(item: ListedItem): Row {
  const { path, state, documentId, pageCount, reasonCode, message, sha256 } = item;
  return [path, state, documentId, pageCount, reasonCode, message, sha256];
}
