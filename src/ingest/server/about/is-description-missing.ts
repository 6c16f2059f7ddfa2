import type { Ctx } from '../../../context.ts';
import { selectUndescribed } from './store.ts';

/** Raise it when `describeFile` makes something else: all of it is then made again (`ceku describe` at once). */
export const DESCRIPTION_VERSION = 2;

/** Whether anything prepared waits to be described; asked at the start, so it loads no dictionary. */
export async function isDescriptionMissing(ctx: Ctx): Promise<boolean> {
  return (await selectUndescribed(ctx.db, 0, DESCRIPTION_VERSION, 1)).length > 0;
}
