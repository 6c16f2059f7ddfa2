import type { Ctx } from '../../context.ts';
import { hasDocuments } from './store.ts';

/** True when no document was ever filed: a first start, which loads the demo library. */
export async function isLibraryEmpty(ctx: Ctx): Promise<boolean> {
  return !(await hasDocuments(ctx.db));
}
