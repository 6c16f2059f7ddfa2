import type { ChartData } from './chart-data.ts';

/** Longest side of the picture everyone who may see a chart gets (C-11). */
export const DISPLAY_PIXELS = 1_280;
const NAME_CHARACTERS = 120;

/**
 * Whether somebody may see a chart's picture inside a document: it shows part of a page, so it follows the pages. Visitors see none
 * (C-21), members those of the preview, and all of them who has the document (C-76).
 */
export function mayShowChart(chart: { page: number }, reader: { isMember: boolean; isOwner: boolean; pages: number }) {
  return reader.isMember && (reader.isOwner || chart.page <= reader.pages);
}

/** What only says how to read the numbers: 单位：万元, 2025 年同期 = 100. */
const MEASURE = /^[（(]?单位\s*[:：]|[=＝]\s*100\s*%?[）)]?$/;

/** What a chart is called: its own title, that of its page, or what kind it is. */
export function nameOfChart(title: string, pageTitle: string, typeName: string): string {
  const [own = '', page = '', type = ''] = [title, pageTitle, typeName].map((text) => text.replace(/\s+/g, ' ').trim());
  const name = (MEASURE.test(own) ? page : '') || own || page || type;
  return [...name].slice(0, NAME_CHARACTERS).join('');
}

/** False for a chart of which the file holds only a picture: an empty table of it would be a lie. */
export const hasNumbers = (data: ChartData) => data.series.length > 0;
