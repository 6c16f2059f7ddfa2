import type { Ctx } from '../../context.ts';
import type { Named } from '../../library/contract.ts';
import { PREVIEW_PAGES } from '../../library/limits.ts';
import { dayText } from '../../library/rules.ts';
import type { DocumentFacts } from '../../library/server/catalogue.ts';
import type { ChartData } from '../chart-data.ts';
import type { ChartItem } from '../contract.ts';
import { mayShowChart, type ChartReader } from '../rules.ts';
import { signChartLink } from './chart-links.ts';
import { listOwned, tierOf } from '../../membership/server/rights.ts';
import { selectChartData, selectCharts, selectChartsByIds, selectChartTypes } from './store.ts';

/** A chart of a file, without regard to the rights of a reader. */
export type ChartFacts = Awaited<ReturnType<typeof selectCharts>>[number];

/** Returns all chart types, in the order of the filter, without an entry for "all" (C-95). */
export function listChartTypes(ctx: Ctx): Promise<Named[]> {
  return selectChartTypes(ctx.db);
}

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
  if (!ctx.session) return [];
  return charts.map((chart) => toChartItem(ctx, chart, document, mayShowChart(chart, { ...reader, isMember: true })));
}

/** Returns a chart as the API answers it. `mayShow`: the reader gets the picture, if the chart has one. */
function toChartItem(
  ctx: Ctx,
  chart: Omit<ChartFacts, 'typeCode'>,
  document: Pick<DocumentFacts, 'id' | 'name' | 'mediaKey' | 'createdAt' | 'industryId' | 'industryName'>,
  mayShow: boolean,
): ChartItem {
  const sessionId = ctx.session?.id ?? 0;
  // A link to a chart's picture is signed for a session, so a visitor gets none.
  const isShown = mayShow && sessionId > 0 && chart.width > 0;
  return {
    id: chart.id,
    name: chart.name,
    online_url: isShown ? signChartLink(ctx, { mediaKey: document.mediaKey, number: chart.number, sessionId }) : '',
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
}

/**
 * Returns the charts among `ids` by id, as the caller may see them: with the picture for an advanced member or an owner of the document (C-39,
 * C-76), for other members if its page is in the preview; for visitors without (C-21). `isOffline`: no published document shows the chart, and
 * nobody gets its picture.
 */
export async function findChartsByIds(
  ctx: Ctx,
  ids: number[],
): Promise<Map<number, { chart: ChartItem; isOffline: boolean }>> {
  if (ids.length === 0) return new Map();
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
      const isOwner = owned.has(row.documentId);
      const reader = { isMember: ctx.session !== null, isOwner, tier, pages: PREVIEW_PAGES };
      const document = {
        id: row.documentId,
        name: row.documentName,
        mediaKey: row.mediaKey,
        createdAt: row.documentCreatedAt,
        industryId: row.industryId,
        industryName: row.industryName,
      };
      const chart = toChartItem(ctx, row, document, !isOffline && mayShowChart(row, reader));
      return [row.id, { chart, isOffline }];
    }),
  );
}
