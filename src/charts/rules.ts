import type { ChartData } from './chart-data.ts';

/** Longest side in pixels of the display image of a chart (C-11). */
export const DISPLAY_PIXELS = 1_280;
const NAME_CHARACTERS = 120;

/**
 * Whether a reader may see the picture of a chart in a document. The picture shows part of a page, so the rules are
 * those of pages: visitors see none (C-21), members those on preview pages, and owners of the document all (C-76).
 */
export function mayShowChart(chart: { page: number }, reader: { isMember: boolean; isOwner: boolean; pages: number }) {
  return reader.isMember && (reader.isOwner || chart.page <= reader.pages);
}

/** A title that only explains the numbers: 单位：万元, 2025 年同期 = 100. */
const MEASURE = /^[（(]?单位\s*[:：]|[=＝]\s*100\s*%?[）)]?$/;

/** Returns the name of a chart: its own title, else the title of its page, else the name of its type. */
export function nameOfChart(title: string, pageTitle: string, typeName: string): string {
  const [own = '', page = '', type = ''] = [title, pageTitle, typeName].map((text) => text.replace(/\s+/g, ' ').trim());
  const name = (MEASURE.test(own) ? page : '') || own || page || type;
  return [...name].slice(0, NAME_CHARACTERS).join('');
}

/** False for a chart that is only a picture: its table would be empty. */
export const hasNumbers = (data: ChartData) => data.series.length > 0;
