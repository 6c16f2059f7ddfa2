import { type Ctx, transact } from '../../../context.ts';
import { lexemesLiteral, tokensLiteral } from '../../literals.ts';
import { joinWrappedLines } from '../../snippet.ts';
import { indexLexemes } from '../../words.ts';
import { type EntrySource, lockSources, upsertEntries } from './store-entries.ts';
import {
  selectFilesOf,
  selectNextFiles,
  upsertPageEntries,
  deletePageEntries,
  selectUnindexedPages,
} from './store-pages.ts';

/**
 * Writes the search entries of the published documents among `ids` (at most some thousands), then those of their pages
 * that have none yet. Safe to repeat.
 */
export async function indexDocuments(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await transact(ctx, async ({ db }) => {
    const sources = await lockSources(db, ids);
    await upsertEntries(
      db,
      sources.map((source) => ({ id: source.id, tokens: tokensOf(source) })),
    );
  });
  // After the names, and outside their transaction: a long document must not keep its title waiting.
  await indexPages(ctx, ids);
}

function tokensOf(source: EntrySource): string {
  return tokensLiteral({
    name: source.name,
    keyword: source.keyword,
    labels: [source.organization ?? '', source.industry ?? ''],
    fileType: source.fileType,
    createdAt: new Date(source.createdAt),
  });
}

/** Pages of one step: some milliseconds of work, after which others have their turn. */
const STEP = 20;
/** Small enough that the pages of a batch are away from search for a second at most. */
const FILES = 20;

/** Makes the missing page entries of the published documents among `ids`. Safe to repeat, nearly free when none miss. */
export async function indexPages(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length > 0) await indexFiles(ctx, await selectFilesOf(ctx.db, ids));
}

/** Makes the page entries of all published documents anew, or only those that miss. Returns how many files were seen. */
export async function indexAllPages(ctx: Ctx, isAnew: boolean): Promise<{ files: number }> {
  let files = 0;
  for (let afterId = 0; ;) {
    const batch = await selectNextFiles(ctx.db, afterId, FILES);
    const last = batch.at(-1);
    if (last === undefined) return { files };
    if (isAnew) await deletePageEntries(ctx.db, batch);
    await indexFiles(ctx, batch);
    afterId = last;
    files += batch.length;
  }
}

async function indexFiles(ctx: Ctx, files: number[]): Promise<void> {
  for (let last = ''; ;) {
    const pages = await selectUnindexedPages(ctx.db, files, STEP);
    // The same step again means that its pages vanished or changed under it: their own notice follows.
    const step = pages.map(({ fileId, page }) => `${fileId}/${page}`).join();
    if (pages.length === 0 || step === last) return;
    await upsertPageEntries(
      ctx.db,
      pages.map(({ text, ...page }) => ({
        ...page,
        tokens: lexemesLiteral(indexLexemes(joinWrappedLines(text))),
      })),
    );
    last = step;
  }
}
