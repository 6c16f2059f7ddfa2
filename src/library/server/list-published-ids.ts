import type { Ctx } from '../../context.ts';
import { selectPublishedIds } from './store.ts';

/**
 * Published documents with `afterId` < id ≤ `untilId` (at most 50,000), in order of id, with the Shanghai day of their
 * last change as YYYY-MM-DD; and the highest id there is, published or not. For the sitemap.
 */
export function listPublishedIds(
  ctx: Ctx,
  range: { afterId: number; untilId: number },
): Promise<{ rows: { id: number; day: string }[]; lastId: number }> {
  return selectPublishedIds(ctx.db, range);
}
