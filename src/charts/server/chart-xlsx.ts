import { textWidth } from '../../platform/draw-text.ts';
import { xlsxOf, type XlsxCell } from '../../platform/xlsx.ts';
import type { ChartData } from '../chart-data.ts';
import { inUnit, tableOf, type ChartColumn } from '../chart-table.ts';

/** Limits of a column's width, in characters of Latin text. */
const MIN_WIDTH = 8;
const MAX_WIDTH = 40;

/**
 * Returns the numbers of a chart as an Excel workbook: the sheet 数据 with a row for each category and a column for each
 * series, numbers as numbers, percents as percents and dates as dates; the sheet 来源 with `source`, pairs of a name and a
 * text.
 */
export function xlsxOfChart(data: ChartData, source: readonly (readonly [string, string])[]): Promise<Buffer> {
  const { labels, columns, rowCount } = tableOf(data);
  const days = daysOf(labels?.texts ?? []);
  const formats = columns.map(formatOf);
  const labelCell = (row: number): XlsxCell => {
    const day = days?.[row];
    return day ? { day } : (labels?.texts[row] ?? null);
  };
  const rows: XlsxCell[][] = [
    [...(labels ? [labels.head] : []), ...columns.map(headOf)],
    ...Array.from({ length: rowCount }, (_, row) => [
      ...(labels ? [labelCell(row)] : []),
      ...columns.map(({ values }, column) => numberCell(values[row], formats[column] ?? '')),
    ]),
  ];
  return xlsxOf([
    {
      name: '数据',
      rows,
      widths: [
        ...(labels ? [widthOf([labels.head, ...labels.texts])] : []),
        ...columns.map(({ head }) => widthOf([head])),
      ],
      headRows: 1,
      headColumns: labels ? 1 : 0,
    },
    { name: '来源', rows: source.map((pair) => [...pair]), widths: [12, 80] },
  ]);
}

/** The unit of percents is in the cells. */
const headOf = ({ head, name, isPercent }: ChartColumn) => (isPercent ? name : head);

const numberCell = (value: number | null | undefined, format: string): XlsxCell =>
  value === null || value === undefined ? null : { number: value, ...(format !== '' && { format }) };

/** Returns the number format of a column of percents, with as many decimals as its values need, at most two; else "". */
function formatOf(column: ChartColumn): string {
  if (!column.isPercent) return '';
  const needed = Math.max(0, ...column.values.map((value) => decimalsOf(inUnit(value, column))));
  return ['0%', '0.0%', '0.00%'][Math.min(needed, 2)] ?? '';
}

function decimalsOf(value: number | null): number {
  if (value === null || Number.isInteger(value)) return 0;
  return Number.isInteger(Number((value * 10).toPrecision(15))) ? 1 : 2;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Excel counts a 29 February 1900, so that days before March of that year have other numbers elsewhere. */
const FIRST_DAY = Date.UTC(1900, 2, 1);

/** Returns labels as days when every label is one (ingest writes the dates of an axis so); else null. */
function daysOf(labels: readonly string[]): Date[] | null {
  const days: Date[] = [];
  for (const label of labels) {
    const day = DAY.test(label) ? new Date(`${label}T00:00:00Z`) : null;
    if (!day || !(day.getTime() >= FIRST_DAY)) return null;
    days.push(day);
  }
  return days.length > 0 ? days : null;
}

/** Chinese characters are twice as wide as the digits that Excel counts widths in. */
function widthOf(texts: readonly string[]): number {
  const widest = texts.reduce((most, text) => Math.max(most, textWidth(text) * 2), 0);
  return Math.min(Math.max(Math.ceil(widest) + 2, MIN_WIDTH), MAX_WIDTH);
}
