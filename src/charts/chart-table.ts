import type { ChartData, ChartSeries, ChartUnit, ChartValue } from './chart-data.ts';

/** A column of numbers: the values of a series, or the X, Y or size of its points. */
export type ChartColumn = {
  /** The name of the series, and in a chart of points what the column holds: 门店 X. */
  name: string;
  /** "" when the author's number format has no unit. */
  unit: string;
  /** The values are fractions that the deck shows as percents: 0.5 is 50 %. */
  isPercent: boolean;
  /** The head of the column in a file, with the unit. */
  head: string;
  /** As stored in the deck; null for a gap. May be shorter than the table. */
  values: ChartValue[];
};

/** The numbers of a chart as a table: a row for each category and a column for each series. */
export type ChartTable = {
  /** The head and the labels of the first column; null where nothing but points is shown (scatter and bubble charts). */
  labels: { head: string; texts: string[] } | null;
  columns: ChartColumn[];
  rowCount: number;
};

/** Returns the numbers of a chart as a table; for scatter and bubble charts each series has two or three columns. */
export function tableOf(data: ChartData): ChartTable {
  const hasCategories = data.series.some((series) => !series.xs);
  const columns = data.series.flatMap((series, index) => columnsOf(series, series.name || `系列${index + 1}`));
  const labels = hasCategories ? { head: data.categoryAxis || '类别', texts: data.categories } : null;
  const rowCount = Math.max(0, labels?.texts.length ?? 0, ...columns.map(({ values }) => values.length));
  return { labels, columns, rowCount };
}

function columnsOf(series: ChartSeries, name: string): ChartColumn[] {
  const { values, xs, xUnit, sizes, sizeUnit } = series;
  const column = (part: string, numbers: ChartValue[], { unit, isLiteralUnit }: ChartUnit = { unit: '' }) => ({
    name: `${name}${part}`,
    unit,
    isPercent: unit === '%' && !isLiteralUnit,
    head: `${name}${unit && ` (${unit})`}${part}`,
    values: numbers,
  });
  if (!xs) return [column('', values, series)];
  return [column(' X', xs, xUnit), column(' Y', values, series), ...(sizes ? [column(' 大小', sizes, sizeUnit)] : [])];
}

/**
 * Returns a value in the unit of its column: 0.5 is 50 under %. Rounded to 15 digits, the precision of a double:
 * 0.57 × 100 is 56.99999999999999.
 */
export function inUnit(value: ChartValue | undefined, { isPercent }: Pick<ChartColumn, 'isPercent'>): ChartValue {
  if (value === null || value === undefined) return null;
  return Number((isPercent ? value * 100 : value).toPrecision(15));
}
