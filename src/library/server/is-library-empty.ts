import type { Ctx } from '../../context.ts';
import { documents } from './tables.ts';

/** True when no document was ever filed: a first start, which loads the demo library. */
export async function isLibraryEmpty(ctx: Ctx): Promise<boolean> {
  const some = await ctx.db.select({ id: documents.id }).from(documents).limit(1);
  return some.length === 0;
}
