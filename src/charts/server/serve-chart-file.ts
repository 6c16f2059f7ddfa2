import type { Ctx } from '../../context.ts';
import { refuseFile } from '../../platform/http/answers/error-page.ts';
import { contentDisposition } from '../../membership/file-name.ts';
import { isChartTier } from '../../membership/rules.ts';
import { tierOf } from '../../membership/server/rights.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Session } from '../../platform/http/api/request-context.ts';
import { XLSX_TYPE } from '../../platform/xlsx.ts';
import { hasNumbers } from '../rules.ts';
import { BYTE_ORDER_MARK, csvOfChart } from './chart-csv.ts';
import { readChartFileLink, type ChartFormat } from './chart-links.ts';
import { drawOriginal } from './draw-original.ts';
import { xlsxOfChart } from './chart-xlsx.ts';
import { chartFileName, findShownChart, sourceOf, type ShownChart } from './open-chart.ts';
import { visitorOrigin } from '../../platform/http/api/request-context.ts';

/** A file is made for each request: one at a time, because making a large one takes memory and a core. */
const making = createConcurrencyLimit(1);
const MAX_WAITING = 20;

const TYPES: Record<ChartFormat, string> = {
  xlsx: XLSX_TYPE,
  csv: 'text/csv; charset=utf-8',
  png: 'image/png',
};

/**
 * Serves a chart as XLSX, CSV or PNG as an attachment (C-39), to the session that its link was made for, as long as that
 * user is an advanced member: else 403. 404 when the document is not published or the chart has no numbers or no picture, 503
 * with Retry-After when too many wait.
 */
export async function serveChartFile(ctx: Ctx, request: Request, url: URL, session: Session | null): Promise<Response> {
  const wanted = session && readChartFileLink(ctx, url, session.id);
  if (!wanted || !isChartTier(await tierOf({ ...ctx, session }))) return refuseFile(403);
  const chart = await findShownChart(ctx, wanted.chartId, wanted.documentId);
  if (!chart) return refuseFile(404);
  if (making.waiting() >= MAX_WAITING) return refuseFile(503, { 'retry-after': '2' });
  const body = await making.run(() => makeFile(ctx, url, chart, wanted.format));
  if (!body) return refuseFile(404);
  const headers = {
    'content-type': TYPES[wanted.format],
    'content-length': String(body.byteLength),
    'content-disposition': contentDisposition(chartFileName(chart, wanted.format), chart.documentId, wanted.format),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  };
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers });
}

/** Returns null where the chart has no numbers, or no picture. */
async function makeFile(ctx: Ctx, url: URL, chart: ShownChart, format: ChartFormat): Promise<Buffer | null> {
  if (format === 'png') return chart.hasPicture ? drawOriginal(ctx, chart, sourceOf(ctx, chart)) : null;
  if (!hasNumbers(chart.data)) return null;
  if (format === 'csv') return Buffer.from(BYTE_ORDER_MARK + csvOfChart(chart.data));
  return xlsxOfChart(chart.data, [
    ['图表', chart.name],
    ['图表类型', chart.typeName],
    ['方案', chart.documentName],
    ['页码', `第 ${chart.page} 页`],
    ['来源', sourceOf(ctx, chart)],
    [
      '地址',
      `${ctx.config.publicUrl ?? visitorOrigin(url, ctx.request.isSecure)}/detail/${chart.documentId}#p=${chart.page}`,
    ],
  ]);
}
