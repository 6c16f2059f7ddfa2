import type { Ctx } from '../../context.ts';
import { getPageImage } from '../../ingest/server/pages/drawn-pages.ts';
import { findShownFile, findShownPage } from '../../library/server/catalogue.ts';
import type { LinkedImage } from './page-links.ts';

/**
 * Returns the storage key of a page's image. The normal images of the preview are there; others are drawn when they are
 * asked for. A page whose large image cannot be drawn shows its normal one.
 */
export async function findPageImage(
  ctx: Ctx,
  { mediaKey, number, image }: { mediaKey: string; number: number; image: LinkedImage },
  client: string,
): Promise<string | null> {
  const shown = image === 'thumbnail' ? null : await findShownPage(ctx, mediaKey, number);
  if (shown && image === 'normal') return shown.key;
  if (shown?.largeWidth === 0 && image === 'large') return null;
  const file = await findShownFile(ctx, mediaKey);
  if (!file) return null;
  const drawn = await getPageImage(ctx, file, number, image, client);
  if (drawn !== null || image !== 'large') return drawn;
  return shown?.key ?? getPageImage(ctx, file, number, 'normal', client);
}
