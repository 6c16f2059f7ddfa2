import type { ChartType } from '../../../charts/chart-types.ts';
import { wholeType, withoutNumbers, type ChartPart } from './chart-part.ts';

/** Record types of a BIFF stream ([MS-XLS] 2.3, [MS-OGRAPH] 2.2). */
const RECORD = {
  bof: 0x809,
  eof: 0x0a,
  filePass: 0x2f,
  window1: 0x3d,
  boundSheet: 0x85,
  chart: 0x1002,
} as const;

/** `dt` of BoundSheet8: the sheet is a chart sheet. */
const CHART_SHEET = 2;
/** A chart has a few thousand records. */
const MAX_RECORDS = 100_000;

type BiffRecord = { type: number; data: Buffer };

/**
 * Returns the type of the chart in a BIFF stream, as Microsoft Graph and Excel 97 to 2003 embed it, without its numbers.
 * Returns null when the stream holds no chart; the type is `other` when the stream is encrypted. Throws RangeError when
 * the stream is damaged.
 */
export function readBiffChart(stream: Buffer): ChartPart | null {
  const globals = readRecords(stream, 0);
  if (!globals.records.some(({ type }) => type === RECORD.bof)) return null;
  if (globals.records.some(({ type }) => type === RECORD.filePass)) return withoutNumbers('other');
  const { records } = readRecords(stream, chartSheetOffset(globals.records) ?? globals.end);
  const start = records.findIndex(({ type }) => type === RECORD.chart);
  if (start < 0) return null;
  return withoutNumbers(wholeType(records.slice(start).flatMap((record) => chartGroupType(record) ?? [])));
}

/** Returns the records from an offset to the end of its substream, without the EOF record, and where the next substream begins. */
function readRecords(stream: Buffer, offset: number): { records: BiffRecord[]; end: number } {
  const records: BiffRecord[] = [];
  let at = offset;
  while (at + 4 <= stream.length) {
    if (records.length > MAX_RECORDS) throw new RangeError('too many records');
    const type = stream.readUInt16LE(at);
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (end > stream.length) throw new RangeError('a record is cut');
    const data = stream.subarray(at + 4, end);
    at = end;
    if (type === RECORD.eof) break;
    records.push({ type, data });
  }
  return { records, end: at };
}

/** Returns the stream offset of the workbook's active sheet if that is a chart, else of its only chart sheet; null when there is none. */
function chartSheetOffset(globals: BiffRecord[]): number | null {
  const sheets = globals.filter(({ type }) => type === RECORD.boundSheet);
  const charts = sheets.filter((sheet) => sheet.data.readUInt8(5) === CHART_SHEET);
  const active = sheets[globals.find(({ type }) => type === RECORD.window1)?.data.readUInt16LE(10) ?? 0];
  const shown = active && charts.includes(active) ? active : charts.length === 1 ? charts[0] : undefined;
  return shown ? shown.data.readUInt32LE(0) : null;
}

/** Returns the chart type that a chart group record stands for, or null for every other record. */
function chartGroupType({ type, data }: BiffRecord): ChartType | null {
  switch (type) {
    case 0x1017:
      return (data.readUInt16LE(4) & 1) === 1 ? 'bar' : 'column';
    case 0x1018:
      return 'line';
    case 0x1019:
      return data.readUInt16LE(2) > 0 ? 'doughnut' : 'pie';
    case 0x101a:
      return 'area';
    // Excel 95 has no bubble charts, and its record is empty.
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
