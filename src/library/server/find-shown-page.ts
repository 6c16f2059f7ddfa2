import type { Ctx } from '../../context.ts';
import { selectShownPage } from './store.ts';

/**
 * Storage key of a page's image, or of its large one; null when there is none or every document that shows it is off the shelf: a link
 * handed out before must not show it.
 */
export async function findShownPage(ctx: Ctx, mediaKey: string, page: number, isLarge = false): Promise<string | null> {
  const name = await selectShownPage(ctx.db, mediaKey, page, isLarge);
  return name === null ? null : `media/${mediaKey}/${name}.webp`;
}
