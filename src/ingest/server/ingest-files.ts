import { stat } from 'node:fs/promises';
import { transact, type Ctx } from '../../context.ts';
import { refuse, RefusedError, refusalReasons, type Refused } from '../refusals.ts';
import { acceptFile, type DocumentFacts, type FileStamp } from './accept-file.ts';
import { inspectPdf } from './inspect-pdf.ts';
import { sniffFile, type SniffOptions } from './sniff-file.ts';
import { prepareFileJob } from './jobs.ts';
import type { OnBoundary } from './run-steps.ts';
import { openRenderSeat, type RenderSeat } from './run-render-child.ts';
import { insertBatch, insertItem, lockFile, selectDocumentOfFile, selectKnownItem } from './store.ts';
import type { Sniffed } from '../prepared-file.ts';

export type IngestInput = {
  /** Absolute paths. */
  paths: string[];
  factsOf: (path: string) => Partial<DocumentFacts> | null;
  /** Called after each file was looked at. */
  onProgress?: (done: number, total: number) => void;
  /** Told which batch it is before the first file is looked at. */
  onBatch?: (batchId: number) => void;
  signal?: AbortSignal;
  onBoundary?: OnBoundary;
};

/**
 * Looks at every file, takes the good ones in and queues their preparation. One bad file never stops the others: its
 * reason is its result. Returns the batch, whose items tell what became of each file.
 */
export async function ingestFiles(ctx: Ctx, input: IngestInput): Promise<{ batchId: number }> {
  const batchId = await insertBatch(ctx.db);
  input.onBatch?.(batchId);
  for (const [index, path] of input.paths.entries()) {
    if (input.signal?.aborted) break;
    await ingestFile(ctx, batchId, path, input);
    input.onProgress?.(index + 1, input.paths.length);
  }
  return { batchId };
}

async function ingestFile(ctx: Ctx, batchId: number, path: string, input: IngestInput): Promise<void> {
  const found = await stat(path).catch(() => null);
  const stamp = { sizeBytes: found?.size ?? 0, modifiedAt: new Date(Math.floor(found?.mtimeMs ?? 0)) };
  if (found && (await isKnown(ctx, batchId, path, stamp))) return;
  const sniffed = await sniffFile(path, { allowMacros: ctx.config.takesMacros });
  if (!sniffed.ok) {
    const refused = { state: 'refused', reasonCode: sniffed.code, message: wordsOf(sniffed) } as const;
    await insertItem(ctx.db, { batchId, path, ...stamp, ...refused, finishedAt: new Date(ctx.clock.now()) });
    return;
  }
  const { onBoundary } = input;
  await acceptFile(ctx, {
    batchId,
    path,
    sniffed,
    stamp,
    facts: input.factsOf(path) ?? {},
    ...(onBoundary && { onBoundary }),
  });
}

/**
 * A file that was taken in before, and has the same size and time since, is not read again: a run over 100,000 files goes
 * on where the last one was stopped. What has failed is looked at anew.
 */
async function isKnown(ctx: Ctx, batchId: number, path: string, stamp: FileStamp): Promise<boolean> {
  const known = await selectKnownItem(ctx.db, path, stamp);
  if (!known || known.state === 'failed') return false;
  const { fileId, documentId, sha256 } = known;
  const item = { batchId, path, ...stamp, fileId, documentId, sha256 };
  return transact(ctx, async (tx) => {
    // Whoever publishes it now holds this lock: either that is seen below, or it will see the item.
    await lockFile(tx.db, fileId);
    const state = (await selectDocumentOfFile(tx.db, fileId))?.state;
    if (state === undefined || state === 'failed') return false;
    if (state !== 'processing') {
      const message = `taken in before as document ${documentId}`;
      await insertItem(tx.db, { ...item, state: 'duplicate', message });
      return true;
    }
    await insertItem(tx.db, { ...item, state: 'queued' });
    await tx.jobs.add(prepareFileJob, { fileId }, { key: `prepare-file:${fileId}`, isKept: true });
    return true;
  });
}

export type Inspected = { path: string; result: Sniffed | Refused; words: string };

/** `--dry-run`: what would be taken in and what refused, touching nothing. */
export async function inspectFiles(
  paths: string[],
  onProgress?: (done: number, total: number) => void,
  options: SniffOptions = {},
): Promise<Inspected[]> {
  const results: Inspected[] = [];
  const seat = openRenderSeat();
  try {
    for (const [index, path] of paths.entries()) {
      const result = await inspect(path, seat, options);
      results.push({ path, result, words: result.ok ? `${result.fileType}, ${result.bytes} bytes` : wordsOf(result) });
      onProgress?.(index + 1, paths.length);
    }
  } finally {
    seat.close();
  }
  return results;
}

/** Sniffing leaves the pages of a PDF to its preparation: a dry run has none, so it looks at them here. */
async function inspect(path: string, seat: RenderSeat, options: SniffOptions): Promise<Sniffed | Refused> {
  const sniffed = await sniffFile(path, options);
  if (!sniffed.ok || sniffed.fileType !== 'pdf') return sniffed;
  try {
    await inspectPdf(path, { seat });
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
