import type { Ctx } from '../../context.ts';
import type { Named } from '../../library/contract.ts';
import { selectChartTypes } from './store.ts';

/** Returns all chart types in the order of the filter, without an entry for "all" (C-95). */
export function listChartTypes(ctx: Ctx): Promise<Named[]> {
  return selectChartTypes(ctx.db);
}
