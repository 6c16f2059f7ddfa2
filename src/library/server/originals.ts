import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import { BytesChanged, checkedBytes, StoreMissing, type StoredFile } from '../../platform/files/file-store.ts';
import { selectHasOriginals, selectOriginals, updateOriginalState, type StoredOriginal } from './store-originals.ts';

const PAGE = 200;

export type Original = { id: number; sha256: string; sizeBytes: number };
export type OriginalState = 'intact' | 'damaged' | 'missing';

/** Returns whether the library has ever stored an original. */
export const hasOriginals = ({ db }: Pick<Ctx, 'db'>): Promise<boolean> => selectHasOriginals(db);

export const originalKey = (sha256: string) => `originals/${sha256}`;

/**
 * Reads a whole original, compares it with the recorded hash, and records the result. Throws when the store does not answer, and the
 * signal's reason when it is aborted.
 */
async function verifyOriginal(ctx: Ctx, file: Original, signal?: AbortSignal): Promise<OriginalState> {
  const state = await readWhole(ctx, file, signal);
  await recordOriginalState(ctx, file, state);
  return state;
}

/**
 * Verifies an original before a range of it is served: a range has no hash of its own. A download in many parts reads the whole original
 * once; the original is read again after ten minutes or when its file was written.
 */
export function verifyOriginalOnce(ctx: Ctx, file: Original, changedAt: number): Promise<OriginalState> {
  return ctx.caches.library.verifiedOriginals(ctx, `${file.sha256}/${changedAt}`, () => verifyOriginal(ctx, file));
}

/**
 * Tells whether the store holds the original as it was ingested, for a reader who gets parts of it: it has its size, and was read
 * whole and compared within the last ten minutes. Records a loss.
 */
export async function isOriginalIntact(ctx: Ctx, file: Original): Promise<boolean> {
  const stored = await ctx.files.stat(originalKey(file.sha256));
  if (stored?.size === file.sizeBytes) return (await verifyOriginalOnce(ctx, file, stored.changedAt)) === 'intact';
  await recordOriginalState(ctx, file, stored ? 'damaged' : 'missing');
  return false;
}

/** Tells whether an original is intact. A lost original is read again when its file was written after the loss was found. */
export async function isOriginalRestored(
  ctx: Ctx,
  file: Original & { damagedAt: Date | null },
  stored: StoredFile,
): Promise<boolean> {
  if (file.damagedAt === null || stored.changedAt <= file.damagedAt.getTime()) return file.damagedAt === null;
  return (await verifyOriginalOnce(ctx, file, stored.changedAt)) === 'intact';
}

/** Records the state of an original, and logs a new loss for the operator. Throws when the whole store is away: then nothing is lost. */
export async function recordOriginalState(ctx: Ctx, file: Original, state: OriginalState): Promise<void> {
  if (state === 'missing') await ctx.files.check();
  const hasChanged = await updateOriginalState(ctx.db, file.id, state === 'intact', new Date(ctx.clock.now()));
  if (!hasChanged) return;
  const facts = { fileId: file.id, original: originalKey(file.sha256), state };
  if (state === 'intact') ctx.log.info(facts, 'an original is whole again');
  else ctx.log.error(facts, 'an original is lost: put it back from a backup, then run "ceku document verify"');
}

async function readWhole(ctx: Ctx, { sha256, sizeBytes }: Original, signal?: AbortSignal): Promise<OriginalState> {
  const key = originalKey(sha256);
  try {
    const stored = await ctx.files.stat(key);
    if (!stored) return 'missing';
    if (stored.size !== sizeBytes) return 'damaged';
    for await (const _part of checkedBytes(await ctx.files.read(key), sha256)) signal?.throwIfAborted();
    return 'intact';
  } catch (error) {
    if (error instanceof BytesChanged) return 'damaged';
    if (error instanceof StoreMissing) return 'missing';
    throw error;
  }
}

export type Verification = {
  checked: number;
  bytes: number;
  lost: (StoredOriginal & { state: OriginalState })[];
  /** Those of the named documents whose original was destroyed, so that there is nothing to verify. */
  notChecked: number[];
};

/**
 * Verifies originals, the longest unchecked first: all of them, those of some documents, or as many as fit into `maxBytes`.
 * `isGentle`: pauses after each file as long as reading it took, so that the disk has time for visitors.
 */
export async function verifyOriginals(
  ctx: Ctx,
  options: {
    documentIds?: number[];
    maxBytes?: number;
    isGentle?: boolean;
    signal?: AbortSignal | undefined;
    onProgress?: (checked: number) => void;
  } = {},
): Promise<Verification> {
  const { documentIds, maxBytes = Infinity, isGentle = false, signal, onProgress } = options;
  const startedAt = new Date(ctx.clock.now());
  const result: Verification = { checked: 0, bytes: 0, lost: [], notChecked: [] };
  for (;;) {
    // Originals that this run has checked no longer match `checkedBefore`. Named ones are checked whenever the last check was.
    const page = await selectOriginals(
      ctx.db,
      documentIds ? { documentIds, limit: documentIds.length } : { checkedBefore: startedAt, limit: PAGE },
    );
    const found = new Set(page.flatMap((file) => file.documentIds));
    result.notChecked = (documentIds ?? []).filter((id) => !found.has(id));
    for (const file of page) {
      if (result.checked > 0 && result.bytes + file.sizeBytes > maxBytes) return result;
      signal?.throwIfAborted();
      const readSince = performance.now();
      const state = await verifyOriginal(ctx, file, signal);
      result.checked += 1;
      result.bytes += file.sizeBytes;
      if (state !== 'intact') result.lost.push({ ...file, state });
      onProgress?.(result.checked);
      if (isGentle) await sleep(performance.now() - readSince, undefined, signal && { signal });
    }
    if (documentIds || page.length < PAGE) return result;
  }
}
