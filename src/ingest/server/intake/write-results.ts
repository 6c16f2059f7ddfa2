import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import type { Ctx } from '../../../context.ts';
import { csvOf } from '../../../platform/csv.ts';
import { isDatabaseAway } from '../../../platform/db/client.ts';
import { type BatchPlan, differencesOf } from '../manifest/plan-batch.ts';
import { type ListedItem, selectItems } from '../store/items.ts';
import { selectDocumentWords } from '../store/batches.ts';

const COLUMNS = ['file', 'state', 'document', 'pages', 'reason', 'message', 'sha256'] as const;
/**
 * Returns a unique name for the file in which results are written before it replaces earlier results: two commands may
 * write to one path, and somebody may have put a link there. Ingest ignores files of this name.
 */
export const draftOf = (result: string): string => join(dirname(result), `.ceku-results-${randomUUID()}`);

/** How many rows are written at once. */
const AT_ONCE = 1_000;

/** Whether a file begins like a list of results, also after a spreadsheet program has saved it. */
export function isListOfResults(start: string): boolean {
  const [one, other] = COLUMNS;
  return new RegExp(`^\\ufeff?"?${one}"?[,;\\t]"?${other}\\b`).test(start);
}

/**
 * Writes one row for each file of a batch, and one for each manifest row without a file, as CSV in UTF-8 with a byte
 * order mark for spreadsheet programs. The file is complete or absent. Throws OperatorError (73) when it cannot be
 * written.
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
      await file.write(`\ufeff${csvOf([[...COLUMNS]], '\n')}`);
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
  const { path, documentId, pageCount, reasonCode, message, sha256 } = item;
  // The command has ended: a file that a stop or a full disk cut off is prepared by nobody now.
  const state = item.state === 'running' ? 'queued' : item.state;
  return [path, state, documentId, pageCount, reasonCode, message, sha256];
}

/**
 * Yields the result of each file of a batch, in order, with remarks on its row of the manifest: labels that were left
 * out, and values of the existing document that differ from the row (an ingest never changes existing documents).
 */
export async function* listResults(ctx: Ctx, batchId: number, plan: BatchPlan | null): AsyncGenerator<ListedItem> {
  for (let after = 0; ;) {
    const items = await selectItems(ctx.db, batchId, AT_ONCE, after);
    const named = plan ? items.filter((item) => item.documentId && plan.factsOf(item.path)) : [];
    const documents = await selectDocumentWords(ctx.db, [...new Set(named.flatMap((item) => item.documentId ?? []))]);
    const byId = new Map(documents.map((document) => [document.id, document]));
    for (const item of items) {
      const facts = plan?.factsOf(item.path) ?? null;
      const document = byId.get(item.documentId ?? 0);
      const others = facts && document ? differencesOf(facts, document) : [];
      const difference = `the manifest has a different ${others.join(', ')}; not applied (use ceku document set ${item.documentId})`;
      const notes = [...(plan?.notesOf(item.path) ?? []), ...(others.length > 0 ? [difference] : [])];
      yield notes.length > 0 ? { ...item, message: [item.message, ...notes].filter(Boolean).join('; ') } : item;
    }
    if (items.length < AT_ONCE) return;
    after = items.at(-1)?.id ?? 0;
  }
}
