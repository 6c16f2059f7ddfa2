import type { Ctx } from '../../context.ts';
import { PREVIEW_PAGES } from '../../library/limits.ts';
import { dayText } from '../../library/rules.ts';
import type { DocumentFacts } from '../../library/server/catalogue.ts';
import type { ChartData } from '../chart-data.ts';
import type { ChartItem } from '../contract.ts';
import { mayShowChart, type ChartReader } from '../rules.ts';
import { signChartLink } from './chart-links.ts';
import { listOwned, tierOf } from '../../membership/server/rights.ts';
import { selectChartData, selectCharts, selectChartsByIds } from './store.ts';

/** A chart of a file, without regard to the rights of a reader. */
export type ChartFacts = Awaited<ReturnType<typeof selectCharts>>[number];

/** Returns all charts of a file, in the order of pages. */
export function listCharts(ctx: Ctx, fileId: number): Promise<ChartFacts[]> {
  return selectCharts(ctx.db, fileId);
}

/** Returns the numbers of a chart; null when the file has no chart of that number. */
export function findChartData(ctx: Ctx, fileId: number, number: number): Promise<ChartData | null> {
  return selectChartData(ctx.db, fileId, number);
}

/**
 * Returns the charts of a document for a reader: none for visitors; for members all `charts` with name, type and page,
 * and with a picture where `mayShowChart` allows it. No answer of a list holds numbers (C-39).
 */
export function toDetailCharts(
  ctx: Ctx,
  document: DocumentFacts,
  charts: readonly ChartFacts[],
  reader: Omit<ChartReader, 'isMember'>,
): ChartItem[] {
  const { session } = ctx;
  if (!session) return [];
  return charts.map((chart) => {
    const isShown = chart.width > 0 && mayShowChart(chart, { ...reader, isMember: true });
    return {
      id: chart.id,
      name: chart.name,
      online_url: isShown
        ? signChartLink(ctx, { mediaKey: document.mediaKey, number: chart.number, sessionId: session.id })
        : '',
      type: { id: chart.typeId, name: chart.typeName },
      industry: { id: document.industryId ?? 0, name: document.industryName ?? '' },
      fid: document.id,
      page: chart.page,
      time_text: dayText(document.createdAt),
      file: { name: document.name },
      width: isShown ? chart.width : 0,
      height: isShown ? chart.height : 0,
      has_numbers: chart.hasNumbers ? 1 : 0,
      has_picture: chart.width > 0 ? 1 : 0,
    };
  });
}

/**
 * Returns the charts among `ids` by id, as the caller may see them: with the picture for an advanced member or an owner of the document (C-39,
 * C-76). `isOffline`: no published document shows the chart, and nobody gets its picture. Empty for visitors.
 */
export async function findChartsByIds(
  ctx: Ctx,
  ids: number[],
): Promise<Map<number, { chart: ChartItem; isOffline: boolean }>> {
  const { session } = ctx;
  if (!session || ids.length === 0) return new Map();
  const [rows, tier] = await Promise.all([selectChartsByIds(ctx.db, ids), tierOf(ctx)]);
  const owned = new Set(
    await listOwned(
      ctx,
      rows.map(({ documentId }) => documentId),
    ),
  );
  return new Map(
    rows.map((row) => {
      const isOffline = row.documentState !== 'published';
      const reader = { isMember: true, isOwner: owned.has(row.documentId), tier, pages: PREVIEW_PAGES };
      const isShown = !isOffline && row.width > 0 && mayShowChart(row, reader);
      const chart: ChartItem = {
        id: row.id,
        name: row.name,
        online_url: isShown
          ? signChartLink(ctx, { mediaKey: row.mediaKey, number: row.number, sessionId: session.id })
          : '',
        type: { id: row.typeId, name: row.typeName },
        industry: { id: row.industryId ?? 0, name: row.industryName ?? '' },
        fid: row.documentId,
        page: row.page,
        time_text: dayText(row.documentCreatedAt),
        file: { name: row.documentName },
        width: isShown ? row.width : 0,
        height: isShown ? row.height : 0,
        has_numbers: row.hasNumbers ? 1 : 0,
        has_picture: row.width > 0 ? 1 : 0,
      };
      return [row.id, { chart, isOffline }];
    }),
  );
}
