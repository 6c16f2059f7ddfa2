import type { Ctx } from '../../context.ts';
import type { Named } from '../contract.ts';
import { selectIndustries } from './store.ts';

/** All industries in the order of the site (C-13). */
export function listIndustries(ctx: Ctx): Promise<Named[]> {
  return selectIndustries(ctx.db);
}
