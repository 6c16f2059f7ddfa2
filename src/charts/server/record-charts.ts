import { transact, type TransactionCtx } from '../../context.ts';
import type { FoundChart } from '../chart-data.ts';
import { chartTypeOf } from '../chart-types.ts';
import { nameOfChart } from '../rules.ts';
import { deleteChartsAfter, lockFile, upsertChart } from './store.ts';

/**
 * Replaces the charts of a file, in their order. Charts without a title are named by `pageTitles` (by page number).
 * Running it twice changes nothing more. Returns whether anything changed. The caller stores the pictures under `chartKeys`.
 */
export function recordCharts(
  ctx: TransactionCtx,
  fileId: number,
  found: FoundChart[],
  pageTitles: ReadonlyMap<number, string> = new Map(),
): Promise<boolean> {
  return transact(ctx, async ({ db }) => {
    await lockFile(db, fileId);
    let isChanged = false;
    for (const [index, chart] of found.entries()) {
      const type = chartTypeOf(chart.type);
      const isNew = await upsertChart(db, {
        fileId,
        number: index + 1,
        pageNumber: chart.page,
        typeId: type.id,
        name: nameOfChart(chart.title, pageTitles.get(chart.page) ?? '', type.name),
        title: chart.title,
        data: chart.data,
        frame: chart.frame,
        width: chart.image?.width ?? 0,
        height: chart.image?.height ?? 0,
      });
      isChanged ||= isNew;
    }
    return (await deleteChartsAfter(db, fileId, found.length)) || isChanged;
  });
}

/**
 * Returns the keys of the pictures of a chart in the file store: `display` is at most 1,280 px (C-11), `original` is as
 * cut (C-39).
 */
export function chartKeys(mediaKey: string, number: number): { display: string; original: string } {
  return { display: `media/${mediaKey}/c${number}.webp`, original: `media/${mediaKey}/c${number}-original.webp` };
}
