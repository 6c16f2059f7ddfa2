import { type Ctx, transact } from '../../../context.ts';
import { recordPlanFacts } from '../../../library/server/plan-facts.ts';
import { factLexemes } from '../../fact-words.ts';
import { lexemesLiteral, tokensLiteral } from '../../literals.ts';
import { joinWrappedLines } from '../../snippet.ts';
import { indexLexemes } from '../../words.ts';
import { indexChartsOfFiles } from '../charts/index-charts.ts';
import { selectChartFilesOf } from '../charts/store-charts.ts';
import { type EntrySource, lockSources, upsertEntries } from './store-entries.ts';
import {
  selectFilesOf,
  selectNextFiles,
  upsertPageEntries,
  type ReadPage,
  selectPages,
  selectUnindexedFiles,
  selectUnindexedPages,
} from './store-pages.ts';

/**
 * Writes the search entries of the published documents among `ids` (some thousands at most), then the entries of their charts, then missing
 * entries of their pages. Safe to repeat.
 */
export async function indexDocuments(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await recordPlanFacts(ctx, await selectFilesOf(ctx.db, ids));
  await transact(ctx, async ({ db }) => {
    const sources = await lockSources(db, ids);
    await upsertEntries(
      db,
      sources.map((source) => ({ id: source.id, tokens: tokensOf(source) })),
    );
  });
  // Outside the transaction: the charts and pages of a long document must not delay its title.
  await indexChartsOfFiles(ctx, await selectChartFilesOf(ctx.db, ids));
  await indexPages(ctx, ids);
}

function tokensOf(source: EntrySource): string {
  return tokensLiteral({
    name: source.name,
    keyword: source.keyword,
    labels: [source.organization ?? '', source.industry ?? ''],
    facts: factLexemes(source),
    fileType: source.fileType,
    createdAt: new Date(source.createdAt),
  });
}

/** Pages per step: some milliseconds of work between two turns of the event loop. */
const STEP = 20;
const FILES = 20;

/** Writes the missing page entries of the published documents among `ids`. Safe to repeat, and cheap when none is missing. */
export async function indexPages(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length > 0) await indexFiles(ctx, await selectFilesOf(ctx.db, ids));
}

/** Rewrites the page entries of all published documents in place, so that every page is found meanwhile. Returns the number of files. */
export async function indexAllPages(ctx: Ctx): Promise<{ files: number }> {
  let files = 0;
  for (let afterId = 0; ;) {
    const batch = await selectNextFiles(ctx.db, afterId, FILES);
    const last = batch.at(-1);
    if (last === undefined) return { files };
    for (let place = { fileId: 0, page: 0 }; ;) {
      const pages = await selectPages(ctx.db, batch, place, STEP);
      const lastPage = pages.at(-1);
      if (!lastPage) break;
      await writePages(ctx, pages);
      place = lastPage;
    }
    afterId = last;
    files += batch.length;
  }
}

/** Files that are looked at in one statement: some milliseconds, also where millions of pages are complete. */
const LOOKED_AT = 200;

/** Writes the missing page entries of all published documents. */
export async function indexMissingPages(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let afterId = 0; ;) {
    signal?.throwIfAborted();
    const batch = await selectUnindexedFiles(ctx.db, afterId, LOOKED_AT);
    const last = batch.at(-1);
    if (last === undefined) return;
    await indexFiles(
      ctx,
      batch.filter(({ isUnindexed }) => isUnindexed).map(({ id }) => id),
      signal,
    );
    afterId = last.id;
  }
}

/** Takes a few files at a time: each step looks past the pages that have an entry already, from the first file on. */
async function indexFiles(ctx: Ctx, files: number[], signal?: AbortSignal): Promise<void> {
  for (let at = 0; at < files.length; at += FILES) await indexSome(ctx, files.slice(at, at + FILES), signal);
}

async function indexSome(ctx: Ctx, files: number[], signal?: AbortSignal): Promise<void> {
  for (let last = ''; ;) {
    signal?.throwIfAborted();
    const pages = await selectUnindexedPages(ctx.db, files, STEP);
    // The same pages again: they vanished or changed since they were read, and the job of that change indexes them.
    const step = pages.map(({ fileId, page }) => `${fileId}/${page}`).join();
    if (pages.length === 0 || step === last) return;
    await writePages(ctx, pages);
    last = step;
  }
}

const writePages = ({ db }: Ctx, pages: ReadPage[]): Promise<void> =>
  upsertPageEntries(
    db,
    pages.map(({ text, ...page }) => ({ ...page, tokens: lexemesLiteral(indexLexemes(joinWrappedLines(text))) })),
  );
