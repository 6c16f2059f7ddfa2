import { requireSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { safeFileName } from '../../membership/file-name.ts';
import { isChartTier } from '../../membership/rules.ts';
import { chartRefused } from '../../membership/server/refusals.ts';
import { tierOf } from '../../membership/server/rights.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { notFound } from '../../protocol/envelope.ts';
import { inUnit, tableOf, type ChartTable } from '../chart-table.ts';
import type * as contract from '../contract.ts';
import { fitsXlsx, hasNumbers, sourceLine } from '../rules.ts';
import { signChartFileLink, type ChartFormat } from './chart-links.ts';
import { selectShownChart } from './store.ts';

/** A chart with its numbers and a published document that shows it. */
export type ShownChart = NonNullable<Awaited<ReturnType<typeof selectShownChart>>>;

/** How much of a table one answer holds; the files hold all of it. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 100;

/** Returns the numbers of a chart and links to them as files (C-39). Throws notLoggedIn, notFound, chartRefused (50). */
export async function getChartNumbers(
  ctx: Ctx,
  input: Parsed<typeof contract.getChartNumbers>,
): Promise<Output<typeof contract.getChartNumbers>> {
  const { chart, linkTo } = await openChart(ctx, input, '数字');
  const table = tableOf(chart.data);
  const isTable = hasNumbers(chart.data);
  return {
    id: chart.id,
    fid: chart.documentId,
    name: chart.name,
    type: { id: chart.typeId, name: chart.typeName },
    page: chart.page,
    unit: commonUnit(table),
    source: sourceOf(ctx, chart),
    label_head: table.labels?.head ?? '',
    labels: (table.labels?.texts ?? []).slice(0, MAX_ROWS),
    columns: table.columns.slice(0, MAX_COLUMNS).map((column) => ({
      name: column.name,
      unit: column.unit,
      values: column.values.slice(0, MAX_ROWS).map((value) => inUnit(value, column)),
    })),
    row_count: table.rowCount,
    column_count: table.columns.length,
    xlsx_url: isTable && fitsXlsx(table) ? linkTo('xlsx') : '',
    csv_url: isTable ? linkTo('csv') : '',
  };
}

/** Returns a link to the picture of a chart as it was cut (C-39). Throws as getChartNumbers; notFound without a picture. */
export async function openOriginalChart(
  ctx: Ctx,
  input: Parsed<typeof contract.openOriginalChart>,
): Promise<Output<typeof contract.openOriginalChart>> {
  const { chart, linkTo } = await openChart(ctx, input, '原图');
  if (!chart.hasPicture) throw notFound();
  return { url: linkTo('png'), file_name: chartFileName(chart, 'png'), source: sourceOf(ctx, chart) };
}

/** Opens a chart for an advanced member. A missing chart is refused before the membership is checked: nobody shall pay for it. */
async function openChart(ctx: Ctx, { id, fid }: { id: number; fid: number }, what: '数字' | '原图') {
  const { id: sessionId } = requireSession(ctx);
  const [chart, tier] = await Promise.all([findShownChart(ctx, id, fid || null), tierOf(ctx)]);
  if (!chart) throw notFound();
  if (!isChartTier(tier)) throw await chartRefused(ctx, chart.documentId, what);
  const linkTo = (format: ChartFormat) =>
    signChartFileLink(ctx, { chartId: chart.id, documentId: chart.documentId, format, sessionId });
  return { chart, linkTo };
}

/**
 * Returns a chart and the published document that shows it, `documentId` or for null the oldest one of its file. Null for
 * a chart that is not there, or whose document is not published.
 */
export async function findShownChart(ctx: Ctx, chartId: number, documentId: number | null): Promise<ShownChart | null> {
  return chartId > 0 ? selectShownChart(ctx.db, chartId, documentId) : null;
}

/** Returns where a chart comes from, as it stands under its picture. */
export const sourceOf = (ctx: Ctx, { documentName, page }: ShownChart): string =>
  sourceLine(documentName, page, ctx.config.site.name);

/** Returns the name of a file with a chart: the chart, the document, the page. */
export const chartFileName = ({ id, name, documentName, page }: ShownChart, format: ChartFormat): string =>
  safeFileName(`${name}-${documentName}-第${page}页`, `图表_${id}`, format);

function commonUnit({ columns }: ChartTable): string {
  const units = new Set(columns.map(({ unit }) => unit));
  return units.size === 1 ? ([...units][0] ?? '') : '';
}
