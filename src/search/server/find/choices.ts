import type { Ctx } from '../../../context.ts';
import {
  type DocumentFilter,
  BUDGET_BANDS,
  DAYS_BANDS,
  type FacetCounts,
  PAGE_BANDS,
  PEOPLE_BANDS,
  RECENT_PERIODS,
} from '../../../library/document-filter.ts';
import { FILE_KINDS } from '../../../library/file-types.ts';
import { listLabels } from '../../../library/server/labels.ts';
import type { ClosedKind } from '../../../library/taxonomy.ts';
import type { Output } from '../../../protocol/endpoint.ts';
import type { searchDocuments as contract } from '../../contract.ts';

/**
 * Converts counts for the answer: all themes in the order of the site, and of the other filters the choices that would leave documents.
 * The chosen label is always included, so that the page knows its name.
 */
export async function filterChoicesOf(
  ctx: Ctx,
  counts: FacetCounts,
  filter: DocumentFilter,
): Promise<Pick<Output<typeof contract>, 'themes' | 'facets'>> {
  const all = (kind: ClosedKind) => ctx.caches.search.labels(ctx, kind, () => listLabels(ctx, kind));
  const counted = <T extends { id: number }>(all: readonly T[], by: Map<number, number>) =>
    all.map((each) => ({ ...each, count: by.get(each.id) ?? 0 }));
  const isAny = ({ count }: { count: number }) => count > 0;
  const idAndCount = ({ id, count }: { id: number; count: number }) => ({ id, count });
  const labels = async (kind: ClosedKind, by: Map<number, number>, chosen = 0) =>
    counted(await all(kind), by)
      .filter(({ id, count }) => count > 0 || id === chosen)
      .sort((a, b) => b.count - a.count);
  const [themes, industries] = await Promise.all([
    all('theme'),
    labels('industry', counts.industries, filter.industryId),
  ]);
  return {
    themes: counted(themes, counts.themes),
    facets: {
      file_types: counted(FILE_KINDS, counts.fileKinds)
        .filter(isAny)
        .map(({ id, name, count }) => ({ id, name, count })),
      industries,
      years: Array.from(counts.years, ([year, count]) => ({ year, count })).sort((a, b) => b.year - a.year),
      recent: counted(RECENT_PERIODS, counts.recent).filter(isAny).map(idAndCount),
      pages: counted(PAGE_BANDS, counts.pageBands).filter(isAny).map(idAndCount),
      free: counts.free.get(1) ?? 0,
      budgets: counted(BUDGET_BANDS, counts.budgetBands).filter(isAny).map(idAndCount),
      people: counted(PEOPLE_BANDS, counts.peopleBands).filter(isAny).map(idAndCount),
      days: counted(DAYS_BANDS, counts.daysBands).filter(isAny).map(idAndCount),
    },
  };
}
