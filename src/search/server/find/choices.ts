import type { Ctx } from '../../../context.ts';
import type { Named } from '../../../library/contract.ts';
import { type FilterCounts, PAGE_BANDS, RECENT } from '../../../library/document-filter.ts';
import { FILE_KINDS } from '../../../library/file-types.ts';
import { listIndustries, listThemes } from '../../../library/server/labels.ts';
import { createMemo } from '../../../platform/memo.ts';
import type { Output } from '../../../protocol/endpoint.ts';
import type { searchDocuments as contract } from '../../contract.ts';

/** New themes and industries are rare, so they may appear some seconds late. */
const NAMES_FRESH_MS = 5_000;
const allThemes = createMemo<Named[]>(NAMES_FRESH_MS, 1);
const allIndustries = createMemo<Named[]>(NAMES_FRESH_MS, 1);

/**
 * Converts counts for the answer: all themes in the order of the site, and of the other filters the choices that would leave documents.
 * The chosen industry is always included, so that the page knows its name.
 */
export async function filterChoicesOf(
  ctx: Ctx,
  counts: FilterCounts,
  industryId: number,
): Promise<Pick<Output<typeof contract>, 'themes' | 'facets'>> {
  const [themes, industries] = await Promise.all([
    allThemes(ctx, '', () => listThemes(ctx)),
    allIndustries(ctx, '', () => listIndustries(ctx)),
  ]);
  const counted = <T extends { id: number }>(all: readonly T[], by: Map<number, number>) =>
    all.map((each) => ({ ...each, count: by.get(each.id) ?? 0 }));
  const isAny = ({ count }: { count: number }) => count > 0;
  const idAndCount = ({ id, count }: { id: number; count: number }) => ({ id, count });
  return {
    themes: counted(themes, counts.themes),
    facets: {
      file_types: counted(FILE_KINDS, counts.fileKinds)
        .filter(isAny)
        .map(({ id, name, count }) => ({ id, name, count })),
      industries: counted(industries, counts.industries)
        .filter(({ id, count }) => count > 0 || id === industryId)
        .sort((a, b) => b.count - a.count),
      years: Array.from(counts.years, ([year, count]) => ({ year, count })).sort((a, b) => b.year - a.year),
      recent: counted(RECENT, counts.recent).filter(isAny).map(idAndCount),
      pages: counted(PAGE_BANDS, counts.pageBands).filter(isAny).map(idAndCount),
      free: counts.free,
    },
  };
}
