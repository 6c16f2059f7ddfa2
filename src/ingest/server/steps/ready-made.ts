import type { Ctx } from '../../../context.ts';
import { findConverter } from '../convert/soffice.ts';
import { selectReadyMade } from '../store/steps.ts';

/**
 * Returns the files with ready-made previews whose steps have not all run, in the order of their documents; without LibreOffice only
 * PDFs. `prefixes`: the first 16 hex digits of the SHA-256 of each file.
 */
export function listReadyMadeFiles(ctx: Ctx, prefixes: readonly string[]): Promise<number[]> {
  return selectReadyMade(ctx.db, prefixes, findConverter() === null);
}
