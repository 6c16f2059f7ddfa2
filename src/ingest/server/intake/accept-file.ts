import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { transact, type Ctx } from '../../../context.ts';
import { createDocument } from '../../../library/server/documents.ts';
import { ContentChanged } from '../../../platform/files/file-store.ts';
import type { Sniffed } from '../../prepared-file.ts';
import { RefusedError, refuse, type Refused } from '../../refusals.ts';
import { isSameStamp, stampOf, type FileStamp } from '../source/file-stamp.ts';
import { prepareFileJob } from '../steps/jobs.ts';
import { openSource, type Root, type Source } from '../source/open-source.ts';
import { findDiskShortage, isDiskFull, DiskFullError } from '../source/disk-space.ts';
import type { OnBoundary } from '../steps/run-steps.ts';
import { prepareFileKey } from '../store/prepare-job.ts';
import { selectDocumentOfFile, selectKnownOriginals, updateFile, upsertFile } from '../store/files.ts';
import { hasOpenItem, insertItem } from '../store/items.ts';
import { refusedItem } from './refused-item.ts';
import { retryOnDeadlock } from '../source/retry-on-deadlock.ts';
import { withDefaults, type ManifestFacts } from '../manifest/manifest-facts.ts';
import { sniffFile, sniffOptions } from '../sniff/sniff-file.ts';
import { endStep } from '../store/steps.ts';

export type Accepted = { outcome: 'queued' | 'duplicate'; documentId: number } | { outcome: 'refused' };

/** A file that somebody is writing to is looked at anew so often. */
const MAX_LOOKS = 3;

/**
 * Takes an accepted file in: the original is stored first, then one transaction makes file, document, item and job.
 * A crash in between leaves at most a stored original nobody points to; the next try finds it there.
 * The same content a second time is a duplicate of the first document, unless that one failed: then it is tried again.
 * What is stored is what was looked at: a file that changes meanwhile is looked at again, and refused when it goes on.
 * Throws DiskFullError.
 */
export async function acceptFile(
  ctx: Ctx,
  input: {
    batchId: number;
    path: string;
    /** The folder that was listed to find it (open-source.ts). */
    root?: Root | null;
    sniffed: Sniffed;
    facts: Partial<ManifestFacts>;
    stamp: FileStamp;
    onBoundary?: OnBoundary;
  },
): Promise<Accepted> {
  const { batchId, path, facts, onBoundary } = input;
  await onBoundary?.('store', 'begun');
  const { sniffed, stamp } = await storeOriginal(ctx, path, input);
  if (!sniffed.ok) {
    await insertItem(ctx.db, refusedItem(ctx, { batchId, path, ...stamp }, sniffed));
    return { outcome: 'refused' };
  }
  const item = { batchId, path, ...stamp, sha256: sniffed.sha256 };
  await onBoundary?.('store', 'made');
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
      await endStep(tx.db, file.id, 'store', { state: 'done', detail: { bytes: sniffed.bytes, flags: sniffed.flags } });
      await insertItem(tx.db, { ...item, fileId: file.id, documentId, state: 'queued' });
      // Two at once would do the same work; one that waits out a failure is replaced and tried now.
      const isKept = existing?.state === 'processing';
      await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: prepareFileKey(file.id), isKept });
      return { outcome: 'queued', documentId };
    }),
  );
}

type Seen = { sniffed: Sniffed | Refused; stamp: FileStamp; root?: Root | null };

/** Stores what lies at the path and says what it is, which may be another thing than a moment ago. */
async function storeOriginal(ctx: Ctx, path: string, input: Seen): Promise<Seen> {
  const root = input.root ?? null;
  let { sniffed, stamp } = input;
  for (let look = 1; sniffed.ok; look++) {
    const { sha256, bytes } = sniffed;
    // An original that no row names yet is put again: its new time keeps the sweeper away until one does.
    const isNamed = (await selectKnownOriginals(ctx.db, [sha256])).size > 0;
    if (isNamed && (await ctx.files.stat(`originals/${sha256}`))?.size === bytes) return { sniffed, stamp };
    const shortage = await findDiskShortage(ctx, bytes);
    if (shortage !== null) throw new DiskFullError(shortage);
    const source = await reopen(path, root);
    if ('code' in source) return { sniffed: source, stamp };
    try {
      await ctx.files.put(`originals/${sha256}`, source.handle, { sha256 });
      // The hash was taken last: what was looked at before it may have been something else.
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
      look < MAX_LOOKS
        ? await sniffFile(path, { ...sniffOptions(ctx), root })
        : refuse('unreadable', 'the file changes while it is read');
  }
  return { sniffed, stamp };
}

/** What cannot be opened any more is this file's trouble, and no reason to stop. */
async function reopen(path: string, root: Root | null): Promise<Source | Refused> {
  return openSource(path, root).catch((error: unknown) => {
    if (error instanceof RefusedError) return refuse(error.code, error.detail);
    if (error instanceof Error && 'code' in error) return refuse('unreadable', String(error.code));
    throw error;
  });
}
