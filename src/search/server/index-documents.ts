import { transact, type Ctx } from '../../context.ts';
import { tokensLiteral } from '../literals.ts';
import { indexPages } from './index-pages.ts';
import { lockSources, putEntries, type EntrySource } from './store.ts';

/**
 * Writes the search entries of the published documents among `ids` (at most some thousands), then those of their pages
 * that have none yet. Safe to repeat.
 */
export async function indexDocuments(ctx: Ctx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await transact(ctx, async ({ db }) => {
    const sources = await lockSources(db, ids);
    await putEntries(
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
