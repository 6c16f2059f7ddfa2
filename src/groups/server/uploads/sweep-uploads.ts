import type { Ctx } from '../../../context.ts';
import { uploadLimits } from '../../rules-uploads.ts';
import { deleteUnfinished, selectKnownKeys } from './store.ts';
import { removeUploadFiles } from './upload-files.ts';

const HOUR_MS = 3_600_000;
/** Younger bytes may belong to a request that has not written its row yet. */
const ORPHAN_MS = HOUR_MS;

export type UploadSweep = { unfinished: number; orphans: number };

/**
 * Removes uploads that did not become ready on a shelf within a day (C-120), and bytes that no row names, which broken requests leave.
 * Safe while uploads go on.
 */
export async function sweepUploads(ctx: Ctx): Promise<UploadSweep> {
  const now = ctx.clock.now();
  const unfinished = await deleteUnfinished(ctx.db, new Date(now - uploadLimits.unfinishedHours * HOUR_MS));
  for (const key of unfinished) await removeUploadFiles(ctx, key);
  const lying = new Set<string>();
  for (const { key, modifiedAt } of await ctx.uploads.list()) if (now - modifiedAt > ORPHAN_MS) lying.add(key);
  for await (const { key, modifiedAt } of ctx.files.list('uploads')) {
    const upload = key.split('/')[1];
    if (upload && now - modifiedAt > ORPHAN_MS) lying.add(upload);
  }
  const known = await selectKnownKeys(ctx.db, [...lying]);
  const orphans = [...lying].filter((key) => !known.has(key));
  for (const key of orphans) await removeUploadFiles(ctx, key);
  return { unfinished: unfinished.length, orphans: orphans.length };
}
