import type { ChartSeries, ChartValue } from '../../../charts/chart-data.ts';
import type { ChartType } from '../../../charts/chart-types.ts';
import { allOf, BIFF, biffRecords, firstOf, longString, shortString, type BiffRecord } from './biff-records.ts';
import { cellsOfDatasheet, cellsOfSeriesCache, type Cell, type SeriesCells } from './biff-cells.ts';
import {
  dateOf,
  isDateFormat,
  MAX_SERIES,
  oneLine,
  unitsOf,
  wholeType,
  withoutNumbers,
  type ChartPart,
} from './chart-part.ts';

const RECORD = {
  chart: 0x1002,
  series: 0x1003,
  seriesText: 0x100d,
  chartGroup: 0x1014,
  text: 0x1025,
  objectLink: 0x1027,
  axisParent: 0x1041,
  seriesGroup: 0x1045,
  seriesParent: 0x104a,
  reference: 0x1051,
  datasheet: 0x1052,
} as const;

/** `wLinkObj` of ObjectLink: what a text is the title of. */
const TITLE_OF = { chart: 1, valueAxis: 2, categoryAxis: 3 } as const;

const SHEET_IS_CHART = 2;
/** Excel 97 to 2003, and Graph 2000 to 2003. In older ones text is of the author's code page. */
const UNICODE_VERSIONS = new Set([0x0600, 0x0680]);

/**
 * The chart of a BIFF stream, as Microsoft Graph ([MS-OGRAPH]) and Excel 97 to 2003 ([MS-XLS]) embed it. Graph keeps
 * its numbers in a datasheet, Excel copies those of each series into the chart. Numbers that do not fit what the series
 * say of them are left out: then there are no series. Null when the stream holds no chart. Throws RangeError when it is
 * damaged.
 */
export function readBiffChart(stream: Buffer): ChartPart | null {
  const globals = biffRecords(stream, 0);
  const start = firstOf(globals.records, BIFF.bof);
  if (!start) return null;
  if (firstOf(globals.records, BIFF.filePass)) return withoutNumbers('other');
  const sheetAt = chartSheet(globals.records) ?? globals.end;
  const { records } = biffRecords(stream, sheetAt);
  const chart = firstOf(records, RECORD.chart);
  if (!chart) return null;
  const types = groupTypes(chart);
  const type = wholeType(types);
  if (!UNICODE_VERSIONS.has(start.data.readUInt16LE(0))) return withoutNumbers(type);
  const datasheet = firstOf(records, RECORD.datasheet);
  const declared = allOf(chart.children, RECORD.series).slice(0, MAX_SERIES);
  const cells = datasheet ? cellsOfDatasheet(datasheet.children, declared) : cellsOfSeriesCache(records, declared);
  const book = {
    formats: formatsOf([...globals.records, ...records]),
    is1904: is1904([...globals.records, ...records]),
  };
  const drawn = declared.flatMap((one, index) => {
    const found = cells?.[index];
    // Trend lines and error bars are computed from the series they belong to; a new datasheet has three rows, filled in
    // or not.
    const isDrawn =
      !firstOf(one.children, RECORD.seriesParent) && found?.values.some((cell) => numberOf(cell) !== null);
    return found && isDrawn ? [{ found, series: seriesOf(one, found, types, book) }] : [];
  });
  const series = drawn.flatMap((one) => one.series ?? []);
  const isKnown = series.length === drawn.length;
  const texts = [chart, ...allOf(chart.children, RECORD.axisParent)].flatMap((one) => allOf(one.children, RECORD.text));
  const named = drawn.find((one) => !one.series?.xs);
  return {
    type,
    title: titleOf(texts, TITLE_OF.chart) || (drawn.length === 1 ? (series[0]?.name ?? '') : ''),
    data: {
      categories: isKnown ? wordsOf(named?.found.categories ?? [], book) : [],
      series: isKnown ? series : [],
      categoryAxis: titleOf(texts, TITLE_OF.categoryAxis),
      valueAxis: titleOf(texts, TITLE_OF.valueAxis),
    },
  };
}

/** Where a workbook's chart begins: the sheet in front, if it is a chart, else the only one; null of Graph's. */
function chartSheet(globals: BiffRecord[]): number | null {
  const sheets = allOf(globals, BIFF.boundSheet);
  const isChart = (sheet: BiffRecord | undefined) => sheet !== undefined && sheet.data.readUInt8(5) === SHEET_IS_CHART;
  const front = sheets[firstOf(globals, BIFF.window1)?.data.readUInt16LE(10) ?? 0];
  const charts = sheets.filter(isChart);
  const shown = isChart(front) ? front : charts.length === 1 ? charts[0] : undefined;
  return shown ? shown.data.readUInt32LE(0) : null;
}

/** The kinds of the chart's groups, in the order series count them. */
function groupTypes(chart: BiffRecord): ChartType[] {
  return allOf(chart.children, RECORD.axisParent)
    .flatMap((axes) => allOf(axes.children, RECORD.chartGroup))
    .map((group) => group.children.map(groupType).find((type) => type !== null) ?? 'other');
}

function groupType({ type, data }: BiffRecord): ChartType | null {
  switch (type) {
    case 0x1017:
      return (data.readUInt16LE(4) & 1) === 1 ? 'bar' : 'column';
    case 0x1018:
      return 'line';
    case 0x1019:
      return data.readUInt16LE(2) > 0 ? 'doughnut' : 'pie';
    case 0x101a:
      return 'area';
    // Excel 95 knew no bubbles, and wrote nothing here.
    case 0x101b:
      return data.length >= 6 && (data.readUInt16LE(4) & 1) === 1 ? 'bubble' : 'scatter';
    case 0x103e:
    case 0x1040:
      return 'radar';
    case 0x103f:
      return 'surface';
    case 0x1061:
      return 'pie';
    default:
      return null;
  }
}

type Book = { formats: Map<number, string>; is1904: boolean };

/** Null when it cannot be told where its points stand. */
function seriesOf(record: BiffRecord, found: SeriesCells, types: ChartType[], book: Book): ChartSeries | null {
  const group = firstOf(record.children, RECORD.seriesGroup)?.data.readUInt16LE(0) ?? 0;
  const type = types[group] ?? 'other';
  const cached = firstOf(record.children, RECORD.seriesText);
  const values = found.values.map(numberOf);
  const isPoints = type === 'scatter' || type === 'bubble';
  const xs = isPoints ? placesOf(found.categories, values.length) : undefined;
  if (xs === null) return null;
  const formats = new Set(found.values.flatMap((cell) => (numberOf(cell) === null ? [] : [cell?.format ?? 0])));
  const [format = 0] = formats;
  return {
    name: oneLine(found.name === undefined ? (cached ? shortString(cached.data, 2) : '') : wordOf(found.name, book)),
    type,
    values,
    ...(xs && { xs }),
    ...(type === 'bubble' && found.sizes && { sizes: found.sizes.map(numberOf) }),
    ...(formats.size === 1 ? unitsOf(formatOf(format, book)) : { unit: '' }),
  };
}

/** Where points stand: at their numbers, or at 1, 2, 3 … when there are none. Null when only some have a number. */
function placesOf(cells: (Cell | undefined)[], length: number): ChartValue[] | null {
  const places = cells.map(numberOf);
  if (places.every((place) => place === null)) return Array.from({ length }, (_, index) => index + 1);
  return places.includes(null) || places.length !== length ? null : places;
}

function titleOf(texts: BiffRecord[], link: number): string {
  const text = texts.find((one) => firstOf(one.children, RECORD.objectLink)?.data.readUInt16LE(0) === link);
  const words = text && firstOf(text.children, RECORD.seriesText);
  return words ? oneLine(shortString(words.data, 2)) : '';
}

const numberOf = (cell: Cell | undefined): ChartValue => (typeof cell?.value === 'number' ? cell.value : null);

/** None at all, where they are counted 1, 2, 3 … */
function wordsOf(cells: (Cell | undefined)[], book: Book): string[] {
  return cells.some((cell) => cell !== undefined) ? cells.map((cell) => wordOf(cell, book)) : [];
}

function wordOf(cell: Cell | undefined, book: Book): string {
  if (cell === undefined) return '';
  if (typeof cell.value === 'string') return oneLine(cell.value);
  const text = String(cell.value);
  return (isDateFormat(formatOf(cell.format, book)) && dateOf(text, book.is1904)) || text;
}

function formatsOf(records: BiffRecord[]): Map<number, string> {
  return new Map(allOf(records, BIFF.format).map(({ data }) => [data.readUInt16LE(0), longString(data, 2)]));
}

/** Formats known by their number (ECMA-376, 18.8.30): of those only percents and days say something here. */
function formatOf(id: number, { formats }: Book): string {
  const own = formats.get(id);
  if (own !== undefined) return own;
  if (id === 9 || id === 10) return '0%';
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || (id >= 50 && id <= 58) ? 'yyyy-mm-dd' : '';
}

function is1904(records: BiffRecord[]): boolean {
  const record = firstOf(records, BIFF.date1904);
  return record !== undefined && record.data.readUInt16LE(0) === 1;
}
