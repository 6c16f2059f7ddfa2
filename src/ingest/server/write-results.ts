import { open, rename, rm } from 'node:fs/promises';
import { EXIT, OperatorError } from '../../platform/command-line.ts';
import type { Ctx } from '../../context.ts';
import { isDatabaseAway } from '../../platform/db/client.ts';
import { listResults } from './list-results.ts';
import type { BatchPlan } from './plan-batch.ts';
import type { ListedItem } from './store.ts';

const COLUMNS = ['file', 'state', 'document', 'pages', 'reason', 'message', 'sha256'] as const;
/** The first line, after the mark by which spreadsheet programs know UTF-8. */
export const RESULTS_HEAD = `\ufeff${COLUMNS.join(',')}\n`;

/** They are whole before they take the place of earlier ones. */
export const draftOf = (result: string): string => `${result}.part`;

/** Lines written in one go. */
const AT_ONCE = 1_000;

/** By the beginning of a file; a spreadsheet program may have saved it anew, in its own way. */
export function isListOfResults(start: string): boolean {
  const [one, other] = COLUMNS;
  return new RegExp(`^\\ufeff?"?${one}"?[,;\\t]"?${other}\\b`).test(start);
}

/**
 * One row per file of a batch, and one per manifest row without a file, as CSV that spreadsheet programs open (UTF-8 with
 * a mark). Whole or not there. Throws OperatorError (73) when it cannot be written.
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
    // Never through a link or into a pipe that somebody has laid there.
    await rm(draft, { force: true });
    const file = await open(draft, 'wx');
    try {
      await file.write(RESULTS_HEAD);
      let lines: string[] = [];
      for await (const item of listResults(ctx, batchId, plan)) {
        if (lines.push(lineOf(item)) < AT_ONCE) continue;
        await file.write(lines.join(''));
        lines = [];
      }
      await file.write(lines.join(''));
      for (const name of missing)
        await file.write(csvLine([name, 'missing', '', '', '', 'named by the manifest, not found', '']));
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

function lineOf(item: ListedItem): string {
  const { path, state, documentId, pageCount, reasonCode, message, sha256 } = item;
  return csvLine([path, state, documentId ?? '', pageCount ?? '', reasonCode ?? '', message, sha256 ?? '']);
}

function csvLine(cells: (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

/** A stranger's file name must not be a formula to the spreadsheet that opens this. */
export function csvCell(cell: string | number): string {
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
