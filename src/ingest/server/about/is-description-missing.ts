import type { Ctx } from '../../../context.ts';
import { selectUndescribed } from './store.ts';

/**
 * Version of descriptions. Raise it when `describeFile` changes: all files are then described again (`ceku describe`
 * does it at once).
 */
export const DESCRIPTION_VERSION = 4;

/** Whether a prepared file has no description. Called at every start, so it loads no dictionary. */
export async function isDescriptionMissing(ctx: Ctx): Promise<boolean> {
  return (await selectUndescribed(ctx.db, 0, DESCRIPTION_VERSION, 1)).length > 0;
}
