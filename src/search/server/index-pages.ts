import type { Ctx } from '../../context.ts';
import { lexemesLiteral } from '../literals.ts';
import { indexLexemes } from '../words.ts';
import { joinWrappedLines } from '../wrapped-lines.ts';
import { filesOf, nextFiles, putPageEntries, removePageEntries, unindexedPages } from './page-store.ts';

/** Pages of one step: some milliseconds of work, after which others have their turn. */
const STEP = 20;
/** Small enough that the pages of a batch are away from search for a second at most. */
const FILES = 20;

/** Makes the missing page entries of the published documents among `ids`. Safe to repeat, nearly free when none miss. */
export async function indexPages(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length > 0) await indexFiles(ctx, await filesOf(ctx.db, ids));
}

/** Makes the page entries of all published documents anew, or only those that miss. Returns how many files were seen. */
export async function indexAllPages(ctx: Ctx, isAnew: boolean): Promise<{ files: number }> {
  let files = 0;
  for (let afterId = 0; ;) {
    const batch = await nextFiles(ctx.db, afterId, FILES);
    const last = batch.at(-1);
    if (last === undefined) return { files };
    if (isAnew) await removePageEntries(ctx.db, batch);
    await indexFiles(ctx, batch);
    afterId = last;
    files += batch.length;
  }
}

async function indexFiles(ctx: Ctx, files: number[]): Promise<void> {
  for (let last = ''; ;) {
    const pages = await unindexedPages(ctx.db, files, STEP);
    // The same step again means that its pages vanished or changed under it: their own notice follows.
    const step = pages.map(({ fileId, page }) => `${fileId}/${page}`).join();
    if (pages.length === 0 || step === last) return;
    await putPageEntries(
      ctx.db,
      pages.map(({ text, ...page }) => ({
        ...page,
        tokens: lexemesLiteral(indexLexemes(joinWrappedLines(text))),
      })),
    );
    last = step;
  }
}
