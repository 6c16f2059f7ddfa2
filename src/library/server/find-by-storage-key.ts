import type { Ctx } from '../../context.ts';
import { selectPublishedOf } from './store.ts';

const BY_HASH = /^\/?(?:originals\/([0-9a-f]{64})|pdf\/([0-9a-f]{64})\.pdf)$/;
const BY_MEDIA = /^\/?media\/([A-Za-z0-9_-]{22})\/[\w.-]{1,80}$/;

/**
 * The published document one of whose stored objects has this key (C-87); null for anything else. The key is only
 * compared with what is registered: no path is made of it.
 */
export async function findByStorageKey(ctx: Ctx, key: string): Promise<number | null> {
  const hash = BY_HASH.exec(key);
  const sha256 = hash?.[1] ?? hash?.[2];
  if (sha256) return selectPublishedOf(ctx.db, { sha256 });
  const mediaKey = BY_MEDIA.exec(key)?.[1];
  return mediaKey ? selectPublishedOf(ctx.db, { mediaKey }) : null;
}
