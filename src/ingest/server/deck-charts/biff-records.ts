/** A record of a BIFF stream ([MS-XLS]) and, of those that a Begin follows, the records up to its End. */
export type BiffRecord = { type: number; data: Buffer; children: BiffRecord[] };

export const BIFF = {
  bof: 0x809,
  eof: 0x0a,
  begin: 0x1033,
  end: 0x1034,
  filePass: 0x2f,
  date1904: 0x22,
  window1: 0x3d,
  boundSheet: 0x85,
  format: 0x41e,
} as const;

/** Charts have a few thousand records; Begin in Begin is ten deep at most. */
const MAX_RECORDS = 100_000;
const MAX_DEPTH = 64;

/** The records from an offset to the end of its substream, EOF left out. Throws RangeError when they do not fit. */
export function biffRecords(stream: Buffer, offset: number): { records: BiffRecord[]; end: number } {
  const root: BiffRecord[] = [];
  const open = [root];
  let at = offset;
  for (let count = 0; at + 4 <= stream.length; count++) {
    if (count > MAX_RECORDS) throw new RangeError('too many records');
    const type = stream.readUInt16LE(at);
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (end > stream.length) throw new RangeError('a record is cut');
    const data = stream.subarray(at + 4, end);
    at = end;
    const level = open.at(-1) ?? root;
    if (type === BIFF.eof) break;
    if (type === BIFF.begin) {
      if (open.length > MAX_DEPTH) throw new RangeError('records in records');
      open.push(level.at(-1)?.children ?? []);
    } else if (type === BIFF.end) {
      if (open.length > 1) open.pop();
    } else level.push({ type, data, children: [] });
  }
  return { records: root, end: at };
}

export const firstOf = (records: BiffRecord[], type: number) => records.find((one) => one.type === type);
export const allOf = (records: BiffRecord[], type: number) => records.filter((one) => one.type === type);

/** XLUnicodeString: its length in two bytes. Throws RangeError when it does not fit. */
export const longString = (data: Buffer, at: number) => characters(data, at + 2, data.readUInt16LE(at));
/** ShortXLUnicodeString: its length in one byte. Throws RangeError when it does not fit. */
export const shortString = (data: Buffer, at: number) => characters(data, at + 1, data.readUInt8(at));

/** The lowest bit: characters take two bytes, or only the lower of the two is kept ([MS-XLS], XLUnicodeString). */
function characters(data: Buffer, flagsAt: number, count: number): string {
  const isWide = (data.readUInt8(flagsAt) & 1) === 1;
  const end = flagsAt + 1 + count * (isWide ? 2 : 1);
  if (end > data.length) throw new RangeError('a string is cut');
  return data.toString(isWide ? 'utf16le' : 'latin1', flagsAt + 1, end);
}
