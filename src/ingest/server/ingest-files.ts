import type { Ctx } from '../../context.ts';
import { refuse, RefusedError, refusalReasons, type Refused } from '../refusals.ts';
import { acceptFile, type DocumentFacts } from './accept-file.ts';
import { inspectPdf } from './inspect-pdf.ts';
import { sniffFile } from './sniff-file.ts';
import { insertBatch, insertItem } from './store.ts';
import type { Sniffed } from '../prepared-file.ts';

export type IngestInput = {
  /** Absolute paths. */
  paths: string[];
  factsOf: (path: string) => Partial<DocumentFacts> | null;
  /** Called after each file was looked at. */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
};

/**
 * Looks at every file, takes the good ones in and queues their preparation. One bad file never stops the others: its
 * reason is its result. Returns the batch, whose items tell what became of each file.
 */
export async function ingestFiles(ctx: Ctx, input: IngestInput): Promise<{ batchId: number }> {
  const batchId = await insertBatch(ctx.db);
  for (const [index, path] of input.paths.entries()) {
    if (input.signal?.aborted) break;
    await ingestFile(ctx, batchId, path, input.factsOf(path));
    input.onProgress?.(index + 1, input.paths.length);
  }
  return { batchId };
}

async function ingestFile(
  ctx: Ctx,
  batchId: number,
  path: string,
  facts: Partial<DocumentFacts> | null,
): Promise<void> {
  const sniffed = await sniffFile(path);
  if (!sniffed.ok) {
    await insertItem(ctx.db, { batchId, path, state: 'refused', reasonCode: sniffed.code, message: wordsOf(sniffed) });
    return;
  }
  await acceptFile(ctx, { batchId, path, sniffed, facts: facts ?? {} });
}

/** `--dry-run`: what would be taken in and what refused, touching nothing. */
export async function inspectFiles(
  paths: string[],
  onProgress?: (done: number, total: number) => void,
): Promise<{ path: string; result: Sniffed | Refused; words: string }[]> {
  const results = [];
  for (const [index, path] of paths.entries()) {
    const result = await inspect(path);
    results.push({ path, result, words: result.ok ? `${result.fileType}, ${result.bytes} bytes` : wordsOf(result) });
    onProgress?.(index + 1, paths.length);
  }
  return results;
}

/** Sniffing leaves the pages of a PDF to its preparation: a dry run has none, so it looks at them here. */
async function inspect(path: string): Promise<Sniffed | Refused> {
  const sniffed = await sniffFile(path);
  if (!sniffed.ok || sniffed.fileType !== 'pdf') return sniffed;
  try {
    await inspectPdf(path);
    return sniffed;
  } catch (error) {
    if (error instanceof RefusedError) return refuse(error.code, error.detail);
    throw error;
  }
}

function wordsOf(refused: Refused): string {
  const reason = refusalReasons[refused.code].operator;
  return refused.detail ? `${reason} (${refused.detail})` : reason;
}
