/** Streams of chart records for tests, made by hand so that every byte can be wrong on purpose. */
import CFB from 'cfb';

export const record = (type: number, ...parts: (Buffer | number[])[]): Buffer => {
  const data = Buffer.concat(parts.map((part) => (Array.isArray(part) ? u16(...part) : part)));
  return Buffer.concat([u16(type, data.length), data]);
};
export const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const f64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const wide = (text: string) => Buffer.from(text, 'utf16le');
export const shortText = (text: string) => Buffer.concat([Buffer.from([text.length, 1]), wide(text)]);
const longText = (text: string) => Buffer.concat([u16(text.length), Buffer.from([1]), wide(text)]);

const BEGIN = record(0x1033);
const END = record(0x1034);
const EOF = record(0x0a);
export const within = (head: Buffer, ...inner: Buffer[]) => Buffer.concat([head, BEGIN, ...inner, END]);

/** Chart groups by their record. */
export const GROUP = {
  column: record(0x1017, [0, 150, 0]),
  bar: record(0x1017, [0, 150, 1]),
  line: record(0x1018, [0]),
  pie: record(0x1019, [0, 0, 0]),
  doughnut: record(0x1019, [0, 50, 0]),
  area: record(0x101a, [0]),
  scatter: record(0x101b, [100, 1, 0]),
  oldScatter: record(0x101b),
  bubble: record(0x101b, [100, 1, 1]),
  radar: record(0x103e, [0, 0]),
  filledRadar: record(0x1040, [0, 0]),
  surface: record(0x103f, [0]),
  pieOfPie: record(0x1061, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
};

const axes = (groups: Buffer[], texts: Buffer[] = []) =>
  within(
    record(0x1041, Buffer.alloc(18)),
    ...groups.map((group) => within(record(0x1014, Buffer.alloc(20)), group)),
    ...texts,
  );

/** A text of the chart: `of` 1 is its title, 2 and 3 those of the value and the category axis. */
export const text = (of: number, words: string) =>
  within(record(0x1025, Buffer.alloc(32)), record(0x100d, [0], shortText(words)), record(0x1027, [of, 0, 0]));

/** id, rt, number format, line. */
const reference = (id: number, line: number | null, format = 0) =>
  record(0x1051, Buffer.from([id, line === null ? 0 : 1]), [2, format, line ?? 0]);

export type SampleSeries = {
  line: number;
  points: number;
  categories?: number | null;
  sizes?: number | null;
  group?: number;
  cachedName?: string;
  format?: number;
  categoryFormat?: number;
  isTrend?: boolean;
};

const series = (one: SampleSeries) =>
  within(
    record(0x1003, [3, 1, one.points, one.points, 1, one.sizes === undefined || one.sizes === null ? 0 : one.points]),
    reference(0, one.line),
    ...(one.cachedName === undefined ? [] : [record(0x100d, [0], shortText(one.cachedName))]),
    reference(1, one.line, one.format),
    reference(2, one.categories === undefined ? 0 : one.categories, one.categoryFormat),
    reference(3, one.sizes ?? null),
    record(0x1045, [one.group ?? 0]),
    ...(one.isTrend ? [record(0x104a, [1])] : []),
  );

/** A cell of a datasheet: row, column, number or words, number format. */
export type SampleCell = [row: number, column: number, value: number | string, format?: number];

const cell = ([row, column, value, format = 0]: SampleCell) => {
  const head = Buffer.concat([u16(row, column), Buffer.from([0]), u16(format)]);
  return typeof value === 'number' ? record(0x03, head, f64(value)) : record(0x04, head, shortText(value));
};

export type GraphChart = {
  groups: Buffer[];
  cells: SampleCell[];
  series: SampleSeries[];
  inRows?: boolean;
  rows: number[];
  columns: number[];
  texts?: Buffer[];
  formats?: [number, string][];
  version?: number;
  /** Put between the cells. */
  more?: Buffer[];
};

/** What Microsoft Graph writes into "Workbook". */
export function graphStream(chart: GraphChart): Buffer {
  const version = chart.version ?? 0x0680;
  const globals = (at: number) =>
    Buffer.concat([
      record(0x809, [version, 5, 0, 0]),
      ...(chart.formats ?? []).map(([id, format]) => record(0x41e, [id], longText(format))),
      record(0x85, u32(at), Buffer.from([0, 2, 0, 0])),
      EOF,
    ]);
  return Buffer.concat([
    globals(globals(0).length),
    record(0x809, [version, 0x8000, 0, 0]),
    within(
      record(0x1052, [0x201, 0x10]),
      record(0x1053, chart.rows),
      record(0x1054, chart.columns),
      record(0x1055, Buffer.from([chart.inRows === false ? 0 : 1, 0, 0, 0, 0, 1])),
      ...chart.cells.map(cell),
      ...(chart.more ?? []),
    ),
    record(0x1001, [0]),
    within(record(0x1002, Buffer.alloc(16)), ...chart.series.map(series), axes(chart.groups), ...(chart.texts ?? [])),
    EOF,
  ]);
}

export type ExcelChart = {
  groups: Buffer[];
  series: SampleSeries[];
  /** By what it is for (1 values, 2 categories, 3 sizes): point, series, number or words. */
  caches: [what: number, cells: [point: number, series: number, value: number | string][]][];
  formats?: [number, string][];
};

/** What Excel 97 to 2003 writes into "Workbook": two worksheets, and the chart's sheet in front or not. */
export function excelStream(chart: ExcelChart, front: number, isSecondChart = false): Buffer {
  const globals = (at: number[]) =>
    Buffer.concat([
      record(0x809, [0x0600, 5, 0, 0]),
      record(0x3d, [0, 0, 0, 0, 0, front, 0, 0, 0]),
      ...(chart.formats ?? []).map(([id, format]) => record(0x41e, [id], longText(format))),
      ...at.map((offset, index) =>
        record(0x85, u32(offset), Buffer.from([0, index === 1 || isSecondChart ? 2 : 0]), shortText(`S${index}`)),
      ),
      EOF,
    ]);
  const sheet = Buffer.concat([record(0x809, [0x0600, 0x10, 0, 0]), record(0x203, [0, 0, 15], f64(99)), EOF]);
  const shown = Buffer.concat([
    record(0x809, [0x0600, 0x20, 0, 0]),
    within(record(0x1002, Buffer.alloc(16)), ...chart.series.map(series), axes(chart.groups)),
    record(0x200, Buffer.alloc(14)),
    ...chart.caches.flatMap(([what, cells]) => [
      record(0x1065, [what]),
      ...cells.map(([point, line, value]) =>
        typeof value === 'number'
          ? record(0x203, [point, line, 0], f64(value))
          : record(0x204, [point, line, 0], longText(value)),
      ),
    ]),
    EOF,
  ]);
  const { length } = globals([0, 0, 0]);
  return Buffer.concat([
    globals([length, length + sheet.length, length + sheet.length + shown.length]),
    sheet,
    shown,
    sheet,
  ]);
}

/** A compound file with one stream. */
export function compoundFile(name: string, stream: Buffer): Buffer {
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, name, stream);
  // Asked for as a buffer, which its types do not tell apart.
  return CFB.write(file, { type: 'buffer' }) as Buffer;
}

/** Sales of three months in two rows, as Graph keeps them. */
export const SALES: GraphChart = {
  groups: [GROUP.column],
  rows: [0, 3],
  columns: [0, 4],
  cells: [
    [0, 1, '一月'],
    [0, 2, '二月'],
    [0, 3, '三月'],
    [1, 0, '销量'],
    [1, 1, 10],
    [1, 2, 20.5],
    [1, 3, -30],
    [2, 0, '成本'],
    [2, 1, 5],
    [2, 3, 7],
  ],
  series: [
    { line: 1, points: 3 },
    { line: 2, points: 3 },
  ],
};
