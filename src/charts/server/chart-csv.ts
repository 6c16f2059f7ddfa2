import { csvOf } from '../../platform/csv.ts';
import type { ChartData, ChartSeries, ChartValue } from '../chart-data.ts';

/**
 * Returns the numbers of a chart as CSV (RFC 4180): a row for each category and a column for each series; for scatter
 * and bubble charts two or three columns for each series. Units are in the header, and numbers are in that unit: 0.5
 * becomes 50 under %. No byte order mark.
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
  const first = (text: string) => (hasCategories ? [text] : []);
  const rows = [
    [...first(data.categoryAxis || '类别'), ...columns.map(({ head }) => head)],
    ...Array.from({ length }, (_, row) => [
      ...first(data.categories[row] ?? ''),
      ...columns.map(({ values }) => values[row] ?? null),
    ]),
  ];
  return csvOf(rows, '\r\n');
}

/** Rounds to 15 digits, the precision of a double: 0.57 × 100 is 56.99999999999999. */
function shown(value: ChartValue, { unit, isLiteralUnit }: ChartSeries): ChartValue {
  return value !== null && unit === '%' && !isLiteralUnit ? Number((value * 100).toPrecision(15)) : value;
}
