import { firstOf, longString, shortString, type BiffRecord } from './biff-records.ts';
import { MAX_POINTS } from './chart-part.ts';

/** A cell's number or words, and the number of its format. */
export type Cell = { value: number | string; format: number };

/** The cells that one series shows. `name` is undefined when it stands in no cell. */
export type SeriesCells = {
  name: Cell | undefined;
  categories: (Cell | undefined)[];
  values: (Cell | undefined)[];
  sizes?: (Cell | undefined)[];
};

const RECORD = {
  reference: 0x1051,
  excludeRows: 0x1053,
  excludeColumns: 0x1054,
  orient: 0x1055,
  cacheIndex: 0x1065,
  excelNumber: 0x203,
  excelLabel: 0x204,
  graphNumber: 0x03,
  graphLabel: 0x04,
} as const;

/** `id` of BRAI: what a reference is for. */
const FOR = { values: 1, categories: 2, sizes: 3 } as const;
/** All series together: a few kilobytes can claim millions of empty cells, in each of a thousand objects. */
const MAX_CELLS = 50_000;
/** Other kinds of cells BIFF has. Graph is not known to write them; where they are, the numbers are not known. */
const OTHER_CELLS = new Set([0x02, 0x05, 0x06, 0x203, 0x204, 0x205, 0x206, 0x27e, 0xbd, 0xfd]);

/**
 * The cells of a Graph datasheet, a series for each of those declared. Series are rows or columns (Orient), the first
 * line the other way holds the categories, and lines may be left out of the chart (ExcludeRows, ExcludeColumns). Null
 * when the sheet does not have as many cells for a series as the series says.
 */
export function cellsOfDatasheet(records: BiffRecord[], declared: BiffRecord[]): SeriesCells[] | null {
  const orient = firstOf(records, RECORD.orient);
  const rows = firstOf(records, RECORD.excludeRows);
  const columns = firstOf(records, RECORD.excludeColumns);
  if (!orient || !rows || !columns || records.some((one) => OTHER_CELLS.has(one.type))) return null;
  const inRows = orient.data.readUInt8(0) !== 0;
  const cells = new Map<number, Cell>();
  for (const { type, data } of records) {
    if (type !== RECORD.graphNumber && type !== RECORD.graphLabel) continue;
    const value = type === RECORD.graphNumber ? data.readDoubleLE(7) : shortString(data, 7);
    const at = { row: data.readUInt16LE(0), column: data.readUInt16LE(2) };
    cells.set(inRows ? keyOf(at.row, at.column) : keyOf(at.column, at.row), { value, format: data.readUInt16LE(5) });
  }
  const across = included(inRows ? columns.data : rows.data).filter((index) => index > 0);
  if (across.length * declared.length > MAX_CELLS) return null;
  const lineOf = (line: number) => across.map((index) => cells.get(keyOf(line, index)));
  const found: SeriesCells[] = [];
  for (const series of declared) {
    if (lengthOf(series, FOR.values) !== across.length) return null;
    const values = lineReferred(series, FOR.values);
    if (values === null) return null;
    const categories = lineReferred(series, FOR.categories);
    const sizes = lineReferred(series, FOR.sizes);
    found.push({
      name: cells.get(keyOf(values, 0)),
      categories: categories === null ? [] : lineOf(categories),
      values: lineOf(values),
      ...(sizes !== null && { sizes: lineOf(sizes) }),
    });
  }
  return found;
}

/** A line of the datasheet has up to 4,000 cells ([MS-OGRAPH]: 0x0F9F is the last). */
const keyOf = (line: number, index: number) => line * 65_536 + index;

/** Numbers of lines at which inclusion begins, ends, begins … */
function included(changes: Buffer): number[] {
  const lines: number[] = [];
  for (let at = 0; at + 4 <= changes.length; at += 4) {
    const end = changes.readUInt16LE(at + 2);
    for (let line = changes.readUInt16LE(at); line < end && lines.length <= MAX_POINTS; line++) lines.push(line);
  }
  return lines;
}

/** The row or column a series takes something from; null when it takes it from nowhere. */
function lineReferred(series: BiffRecord, what: number): number | null {
  const reference = series.children.find((one) => one.type === RECORD.reference && one.data.readUInt8(0) === what);
  return reference && reference.data.readUInt8(1) !== 0 ? reference.data.readUInt16LE(6) : null;
}

/**
 * The copies Excel keeps behind a chart of what its series show ([MS-XLS], SERIESDATA), a series for each of those
 * declared. Null when there are none, or more than a series says.
 */
export function cellsOfSeriesCache(records: BiffRecord[], declared: BiffRecord[]): SeriesCells[] | null {
  const caches = new Map<number, Map<number, Cell>>();
  let what = 0;
  for (const { type, data } of records) {
    if (type === RECORD.cacheIndex) caches.set((what = data.readUInt16LE(0)), new Map());
    if (type !== RECORD.excelNumber && type !== RECORD.excelLabel) continue;
    const [point, line] = [data.readUInt16LE(0), data.readUInt16LE(2)];
    const series = declared[line];
    if (!series || point >= lengthOf(series, what)) return null;
    const value = type === RECORD.excelNumber ? data.readDoubleLE(6) : longString(data, 6);
    caches.get(what)?.set(keyOf(line, point), { value, format: formatReferred(series, what) });
  }
  const claimed = declared.reduce(
    (sum, series) => sum + lengthOf(series, FOR.values) + lengthOf(series, FOR.categories),
    0,
  );
  if (!caches.has(FOR.values) || claimed > MAX_CELLS) return null;
  return declared.map((series, line) => {
    const of = (wanted: number) => {
      const cache = caches.get(wanted);
      const length = cache ? Math.min(lengthOf(series, wanted), MAX_POINTS) : 0;
      return Array.from({ length }, (_, point) => cache?.get(keyOf(line, point)));
    };
    const sizes = of(FOR.sizes);
    return {
      name: undefined,
      categories: of(FOR.categories),
      values: of(FOR.values),
      ...(sizes.length > 0 && { sizes }),
    };
  });
}

/** How many cells a series says it has for something. */
function lengthOf({ data }: BiffRecord, what: number): number {
  if (what === FOR.sizes) return data.length >= 12 ? data.readUInt16LE(10) : 0;
  return data.readUInt16LE(what === FOR.categories ? 4 : 6);
}

function formatReferred(series: BiffRecord, what: number): number {
  const reference = series.children.find((one) => one.type === RECORD.reference && one.data.readUInt8(0) === what);
  return reference?.data.readUInt16LE(4) ?? 0;
}
