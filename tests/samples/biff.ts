/** BIFF chart streams made by hand for tests, so that every byte can be made wrong on purpose. */
import CFB from 'cfb';

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A record of this type; numbers are written as 16-bit words. */
export const record = (type: number, ...parts: (Buffer | number[])[]): Buffer => {
  const data = Buffer.concat(parts.map((part) => (Array.isArray(part) ? u16(...part) : part)));
  return Buffer.concat([u16(type, data.length), data]);
};

const BEGIN = record(0x1033);
const END = record(0x1034);
const EOF = record(0x0a);
const within = (head: Buffer, ...inner: Buffer[]) => Buffer.concat([head, BEGIN, ...inner, END]);

/** The record of each chart group. */
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

const chart = (groups: Buffer[]) =>
  within(
    record(0x1002, Buffer.alloc(16)),
    within(record(0x1041, Buffer.alloc(18)), ...groups.map((group) => within(record(0x1014, Buffer.alloc(20)), group))),
  );

/** The "Workbook" stream that Microsoft Graph writes. */
export function graphStream(groups: Buffer[] = [GROUP.column], version = 0x0680): Buffer {
  const globals = (at: number) =>
    Buffer.concat([record(0x809, [version, 5, 0, 0]), record(0x85, u32(at), Buffer.from([0, 2, 0, 0])), EOF]);
  return Buffer.concat([
    globals(globals(0).length),
    record(0x809, [version, 0x8000, 0, 0]),
    record(0x1001, [0]),
    chart(groups),
    EOF,
  ]);
}

/** The "Workbook" stream of Excel 97 to 2003: worksheet, chart sheet, worksheet (or a second chart); `active` is the sheet in front. */
export function excelStream(groups: Buffer[], active: number, hasSecondChart = false): Buffer {
  const globals = (at: number[]) =>
    Buffer.concat([
      record(0x809, [0x0600, 5, 0, 0]),
      record(0x3d, [0, 0, 0, 0, 0, active, 0, 0, 0]),
      ...at.map((offset, index) =>
        record(0x85, u32(offset), Buffer.from([0, index === 1 || hasSecondChart ? 2 : 0, 0, 0])),
      ),
      EOF,
    ]);
  const sheet = Buffer.concat([record(0x809, [0x0600, 0x10, 0, 0]), EOF]);
  const shown = Buffer.concat([record(0x809, [0x0600, 0x20, 0, 0]), chart(groups), EOF]);
  const { length } = globals([0, 0, 0]);
  return Buffer.concat([
    globals([length, length + sheet.length, length + sheet.length + shown.length]),
    sheet,
    shown,
    sheet,
  ]);
}

/** An encrypted workbook: a FilePass record, and a chart that cannot be read. */
export const encryptedStream = () =>
  Buffer.concat([record(0x809, [0x0600, 5, 0, 0]), record(0x2f, [1]), record(0x1002), EOF]);

/** A compound file with one stream. */
export function compoundFile(name: string, stream: Buffer): Buffer {
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, name, stream);
  // Safe: `type` asks for a buffer; the types of the library do not distinguish.
  return CFB.write(file, { type: 'buffer' }) as Buffer;
}
