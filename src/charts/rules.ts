import { isChartTier, type Tier } from '../membership/rules.ts';
import type { ChartData } from './chart-data.ts';

/** Longest side in pixels of the display image of a chart (C-11). */
export const DISPLAY_PIXELS = 1_280;
const NAME_CHARACTERS = 120;

/** The facts that decide which charts of a document a reader sees: `pages` is the number of pages of the preview. */
export type ChartReader = { isMember: boolean; isOwner: boolean; tier: Tier; pages: number };

/**
 * Whether a reader may see the picture of a chart in a document. The picture shows part of a page, so the rules are
 * those of pages: visitors see none (C-21), members those on preview pages, and owners of the document all (C-76).
 * Advanced members see every chart (C-39).
 */
export function mayShowChart(chart: { page: number }, reader: ChartReader): boolean {
  if (!reader.isMember) return false;
  return reader.isOwner || isChartTier(reader.tier) || chart.page <= reader.pages;
}

/** Returns the line that names where a chart comes from, as it stands under its picture. */
export const sourceLine = (documentName: string, page: number, siteName: string): string =>
  `来源：${documentName.replace(/\s+/g, ' ').trim()} 第 ${page} 页 · ${siteName}`;

/** A title that only explains the numbers: 单位：万元, 2025 年同期 = 100, 占比（%）, 气泡大小为预计月销. */
const MEASURE = /^[（(]?单位\s*[:：]|[=＝]\s*100\s*%?[）)]?$|^占比(?:\s*[（(]%[）)])?$|^气泡大小/;

/** Returns the name of a chart: its own title, else the title of its page, else the name of its type. */
export function nameOfChart(title: string, pageTitle: string, typeName: string): string {
  const [own = '', page = '', type = ''] = [title, pageTitle, typeName].map((text) => text.replace(/\s+/g, ' ').trim());
  const name = (MEASURE.test(own) ? page : '') || own || page || type;
  return [...name].slice(0, NAME_CHARACTERS).join('');
}

/** False for a chart that is only a picture: its table would be empty. */
export const hasNumbers = (data: ChartData) => data.series.length > 0;

/** A workbook of more cells than this takes the processor for a second, during which no page is answered: such a table is offered as CSV alone. */
const MAX_XLSX_CELLS = 50_000;

/** Whether the numbers of a chart are offered as XLSX. */
export const fitsXlsx = (table: { rowCount: number; columns: readonly unknown[] }): boolean =>
  table.rowCount * table.columns.length <= MAX_XLSX_CELLS;
