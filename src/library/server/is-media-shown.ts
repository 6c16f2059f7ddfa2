import type { Ctx } from '../../context.ts';
import { hasPublished } from './store.ts';

/** False once every document of these images is off the shelf: a link handed out before must not show them. */
export function isMediaShown(ctx: Ctx, mediaKey: string): Promise<boolean> {
  return hasPublished(ctx.db, mediaKey);
}
