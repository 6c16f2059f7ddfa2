import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { transact, type Ctx } from '../../../context.ts';
import { createDocument } from '../../../library/server/documents.ts';
import { ContentChanged } from '../../../platform/files/file-store.ts';
import type { Sniffed } from '../../prepared-file.ts';
import { RefusedError, refuse, type Refused, refusalReasons } from '../../refusals.ts';
import { isSameStamp, stampOf, type FileStamp, openSource, type Root, type Source } from '../source/open-source.ts';
import { prepareFileJob } from '../steps/jobs.ts';
import { isDiskFull } from '../../../platform/db/client.ts';
import { findDiskShortage, DiskFullError } from '../source/disk-space.ts';
import type { StepHook } from '../steps/run-steps.ts';
import { prepareFileKey } from '../store/prepare-job.ts';
import { isDestroyed, selectDocumentOfFile, selectKnownOriginals, updateFile, upsertFile } from '../store/files.ts';
import { hasOpenItem, insertItem } from '../store/items.ts';
import { retryOnDeadlock } from '../../../platform/db/retry-database.ts';
import { withDefaults, type ManifestFacts } from '../manifest/manifest-facts.ts';
import { sniffFile, sniffOptions } from '../sniff/sniff-file.ts';
import { upsertStepEnded } from '../store/steps.ts';
import type { NewItem } from '../store/batches.ts';

export type Accepted = { outcome: 'queued' | 'duplicate'; documentId: number } | { outcome: 'refused' };

/** How many times a file is sniffed while somebody writes to it. */
const MAX_SNIFFS = 3;

/**
 * Accepts a file: stores the original, then inserts file, document, item and job in one transaction. A crash in between
 * leaves at most a stored original without a row, which the next try uses. The same content is a duplicate of its first
 * document, unless that document failed: then it is prepared again. The stored bytes are the sniffed bytes: a file that
 * changes meanwhile is sniffed again, and refused when it changes again and again. Throws DiskFullError.
 */
export async function acceptFile(
  ctx: Ctx,
  input: {
    batchId: number;
    path: string;
    /** The folder of `ceku ingest` in which the file was found: it is opened below this folder only (open-source.ts). */
    root?: Root | null;
    sniffed: Sniffed;
    facts: Partial<ManifestFacts>;
    stamp: FileStamp;
    onStep?: StepHook;
  },
): Promise<Accepted> {
  const { batchId, path, facts, onStep } = input;
  await onStep?.('store', 'begun');
  const { sniffed, stamp } = await storeOriginal(ctx, path, input);
  if (!sniffed.ok) {
    await insertItem(ctx.db, refusedItem(ctx, { batchId, path, ...stamp }, sniffed));
    return { outcome: 'refused' };
  }
  const item = { batchId, path, ...stamp, sha256: sniffed.sha256 };
  await onStep?.('store', 'made');
  return retryOnDeadlock(() =>
    transact(ctx, async (tx) => {
      const file = await upsertFile(tx.db, {
        sha256: sniffed.sha256,
        mediaKey: randomBytes(16).toString('base64url'),
        fileType: sniffed.fileType,
        sizeBytes: sniffed.bytes,
        originalName: basename(path),
        flags: sniffed.flags,
      });
      if (file.destroyedAt) {
        // Destroyed since the original was stored: the sweep removes those bytes.
        await insertItem(tx.db, refusedItem(ctx, { batchId, path, ...stamp }, refuse('destroyed')));
        return { outcome: 'refused' };
      }
      const existing = await selectDocumentOfFile(tx.db, file.id);
      const isOnItsWay = existing?.state === 'processing' && (await hasOpenItem(tx.db, batchId, file.id));
      if (existing && (isOnItsWay || (existing.state !== 'failed' && existing.state !== 'processing'))) {
        const message = `same content as document ${existing.id}`;
        await insertItem(tx.db, { ...item, fileId: file.id, documentId: existing.id, state: 'duplicate', message });
        return { outcome: 'duplicate', documentId: existing.id };
      }
      const documentId =
        existing?.id ?? (await createDocument(tx, { ...withDefaults(ctx, facts, path), fileId: file.id }));
      await updateFile(tx.db, file.id, { state: 'waiting', failureCode: null, failureDetail: null });
      await upsertStepEnded(tx.db, file.id, 'store', {
        state: 'done',
        detail: { bytes: sniffed.bytes, flags: sniffed.flags },
      });
      await insertItem(tx.db, { ...item, fileId: file.id, documentId, state: 'queued' });
      // A job of a file that is being processed is kept; a job that waits to retry a failure is replaced, and runs now.
      const isKept = existing?.state === 'processing';
      await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: prepareFileKey(file.id), isKept });
      return { outcome: 'queued', documentId };
    }),
  );
}

type SniffedFile = { sniffed: Sniffed | Refused; stamp: FileStamp; root?: Root | null };

/** Stores the original. Returns its type and stamp, which may have changed since the file was sniffed. */
async function storeOriginal(ctx: Ctx, path: string, input: SniffedFile): Promise<SniffedFile> {
  const root = input.root ?? null;
  let { sniffed, stamp } = input;
  for (let attempt = 1; sniffed.ok; attempt++) {
    const { sha256, bytes } = sniffed;
    if (await isDestroyed(ctx.db, sha256)) return { sniffed: refuse('destroyed'), stamp };
    // An original without a row is put again: the new time keeps sweepOrphans from removing it until a row names it.
    const isNamed = (await selectKnownOriginals(ctx.db, [sha256])).size > 0;
    if (isNamed && (await ctx.files.stat(`originals/${sha256}`))?.size === bytes) return { sniffed, stamp };
    const shortage = await findDiskShortage(ctx, bytes);
    if (shortage !== null) throw new DiskFullError(shortage);
    const source = await reopen(path, root);
    if ('code' in source) return { sniffed: source, stamp };
    try {
      await ctx.files.put(`originals/${sha256}`, source.handle, { sha256 });
      // The hash was computed last: the bytes that were checked before it may have been others.
      const now = stampOf(await source.handle.stat());
      if (isSameStamp(stamp, now)) return { sniffed, stamp };
      stamp = now;
    } catch (error) {
      if (isDiskFull(error)) throw new DiskFullError('the disk of the data folder was full');
      if (!(error instanceof ContentChanged)) throw error;
      stamp = stampOf(await source.handle.stat());
    } finally {
      await source.handle.close();
    }
    sniffed =
      attempt < MAX_SNIFFS
        ? await sniffFile(path, { ...sniffOptions(ctx), root })
        : refuse('unreadable', 'the file changes while it is being read');
  }
  return { sniffed, stamp };
}

/** Opens the file again. A file that cannot be opened any more is refused; the others are not affected. */
async function reopen(path: string, root: Root | null): Promise<Source | Refused> {
  return openSource(path, root).catch((error: unknown) => {
    if (error instanceof RefusedError) return refuse(error.code, error.detail);
    if (error instanceof Error && 'code' in error) return refuse('unreadable', String(error.code));
    throw error;
  });
}

/** Returns the item of a file that was not accepted: `refused`, or `failed` when the file could not be read. */
export function refusedItem(ctx: Ctx, item: { batchId: number; path: string }, refused: Refused): NewItem {
  const state = refusalReasons[refused.code].kind === 'failed' ? 'failed' : 'refused';
  const words = { state, reasonCode: refused.code, message: wordsOf(refused) } as const;
  return { ...item, ...words, finishedAt: new Date(ctx.clock.now()) };
}

/** Returns the reason in an operator's words. */
export function wordsOf(refused: Refused): string {
  const reason = refusalReasons[refused.code].operator;
  return refused.detail ? `${reason} (${refused.detail})` : reason;
}
