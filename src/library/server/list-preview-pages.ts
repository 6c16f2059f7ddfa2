import type { Ctx } from '../../context.ts';
import { selectPreviewPages } from './store.ts';

/** The pages of a file that have an image, from the first; sizes in pixels, `largeWidth` 0 without a large image. */
export function listPreviewPages(
  ctx: Ctx,
  fileId: number,
  limit: number,
): Promise<{ page: number; width: number; height: number; largeWidth: number }[]> {
  return selectPreviewPages(ctx.db, fileId, limit);
}
