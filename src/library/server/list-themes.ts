import type { Ctx } from '../../context.ts';
import type { Named } from '../contract.ts';
import { selectThemes } from './store.ts';

/** All themes in the order of the site (C-23). */
export function listThemes(ctx: Ctx): Promise<Named[]> {
  return selectThemes(ctx.db);
}
