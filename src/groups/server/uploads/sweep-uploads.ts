import type { Ctx } from '../../../context.ts';
import { uploadLimits } from '../../rules-uploads.ts';
import { deleteUnfinished, selectStates } from './store.ts';
import { removeUploadFiles } from './upload-files.ts';

const HOUR_MS = 3_600_000;
/** Younger bytes may belong to a request that has not written its row yet. */
const ORPHAN_MS = HOUR_MS;

type UploadSweep = { unfinished: number; orphans: number; checked: number };

/**
 * Removes uploads that did not become ready on a shelf within a day (C-120), bytes that no row names, which broken requests leave, and
 * received bytes of files that have passed the checks, which a process leaves that is killed before it removes them. Safe while uploads
 * go on.
 */
export async function sweepUploads(ctx: Ctx): Promise<UploadSweep> {
  const now = ctx.clock.now();
  const unfinished = await deleteUnfinished(ctx.db, new Date(now - uploadLimits.unfinishedHours * HOUR_MS));
  for (const key of unfinished) await removeUploadFiles(ctx, key);
  const received = (await ctx.uploads.list()).flatMap(({ key, modifiedAt }) =>
    now - modifiedAt > ORPHAN_MS ? [key] : [],
  );
  const lying = new Set(received);
  for await (const { key, modifiedAt } of ctx.files.list('uploads')) {
    const upload = key.split('/')[1];
    if (upload && now - modifiedAt > ORPHAN_MS) lying.add(upload);
  }
  const states = await selectStates(ctx.db, [...lying]);
  const orphans = [...lying].filter((key) => !states.has(key));
  for (const key of orphans) await removeUploadFiles(ctx, key);
  const checked = received.filter((key) => states.has(key) && states.get(key) !== 'receiving');
  for (const key of checked) await ctx.uploads.remove(key);
  return { unfinished: unfinished.length, orphans: orphans.length, checked: checked.length };
}
