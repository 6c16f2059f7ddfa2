import { csvOf } from '../../platform/csv.ts';
import type { ChartData } from '../chart-data.ts';
import { inUnit, tableOf } from '../chart-table.ts';

/** Spreadsheet programs read CSV as UTF-8 only with a byte order mark. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Returns the numbers of a chart as CSV (RFC 4180): a row for each category and a column for each series; for scatter
 * and bubble charts two or three columns for each series. Units are in the header, and numbers are in that unit: 0.5
 * becomes 50 under %. No byte order mark.
 */
export function csvOfChart(data: ChartData): string {
  const { labels, columns, rowCount } = tableOf(data);
  const first = (text: string) => (labels ? [text] : []);
  const rows = [
    [...first(labels?.head ?? ''), ...columns.map(({ head }) => head)],
    ...Array.from({ length: rowCount }, (_, row) => [
      ...first(labels?.texts[row] ?? ''),
      ...columns.map((column) => inUnit(column.values[row], column)),
    ]),
  ];
  return csvOf(rows, '\r\n');
}
