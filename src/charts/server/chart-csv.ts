import { csvOf } from '../../platform/csv.ts';
import type { ChartData, ChartSeries, ChartValue } from '../chart-data.ts';

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

/** A double is good for 15 digits; multiplied, 0.57 would show a 16th: 56.99999999999999. */
function shown(value: ChartValue, { unit, isLiteralUnit }: ChartSeries): ChartValue {
  return value !== null && unit === '%' && !isLiteralUnit ? Number((value * 100).toPrecision(15)) : value;
}
