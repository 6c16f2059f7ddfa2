import type { Ctx } from '../../context.ts';
import { selectShownCover } from './store.ts';

/** Storage key of the largest cover image and the cover's colour; null when no document on the shelf shows it. */
export async function findShownCover(ctx: Ctx, mediaKey: string): Promise<{ key: string; color: string } | null> {
  const cover = await selectShownCover(ctx.db, mediaKey);
  if (!cover) return null;
  const width = Math.max(480, ...cover.widths);
  return { key: `media/${mediaKey}/cover${width === 480 ? '' : `-${width}`}.webp`, color: cover.color };
}
