import type { ChartData, ChartSeries, ChartValue } from './chart-data.ts';

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

/**
 * A chart's numbers as a table of RFC 4180: one row a category and one column a series; of scatter and bubble two or three columns a
 * series. Units stand in the head, and the numbers are of that unit: 0.5 in percent is 50. No byte order mark.
 */
export function csvOfChart(data: ChartData): string {
  const hasCategories = data.series.some((series) => !series.xs);
  const columns = data.series.flatMap((series, index) => {
    const name = series.name || `系列${index + 1}`;
    const head = series.unit ? `${name} (${series.unit})` : name;
    const values = series.values.map((value) => shown(value, series));
    if (!series.xs) return [{ head, values }];
    return [
      { head: `${name} X`, values: series.xs },
      { head: `${head} Y`, values },
      ...(series.sizes ? [{ head: `${name} 大小`, values: series.sizes }] : []),
    ];
  });
  const length = Math.max(hasCategories ? data.categories.length : 0, ...columns.map(({ values }) => values.length));
  const first = (text: string) => (hasCategories ? [textCell(text)] : []);
  const rows = [
    [...first(data.categoryAxis || '类别'), ...columns.map(({ head }) => textCell(head))],
    ...Array.from({ length }, (_, row) => [
      ...first(data.categories[row] ?? ''),
      ...columns.map(({ values }) => numberCell(values[row])),
    ]),
  ];
  return rows.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** A double is good for 15 digits; multiplied, 0.57 would show a 16th: 56.99999999999999. */
function shown(value: ChartValue, { unit, isLiteralUnit }: ChartSeries): ChartValue {
  return value !== null && unit === '%' && !isLiteralUnit ? Number((value * 100).toPrecision(15)) : value;
}

const numberCell = (value: ChartValue | undefined) => (value === null || value === undefined ? '' : String(value));

/** A stranger's words must not be run as a formula by whoever opens the table; Chinese and Japanese Excel take the wide signs too. */
function textCell(text: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
