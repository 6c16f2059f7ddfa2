import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';

/** `line` starts at 1, as in an editor or a spreadsheet program; for a row over several lines it is the first. */
export type TableRow = { line: number; cells: string[] };

/** Possible separators; the one with which most cells of the header are known columns is used. */
const SEPARATORS = [',', ';', '\t', '，', '|'] as const;

/**
 * Reads the rows of a table as text, the header first, without empty rows: CSV (UTF-8, UTF-16, or GB18030 as
 * spreadsheet programs in China write it; comma, semicolon or tab) or the first sheet of an XLSX, detected by content.
 * Date cells become YYYY-MM-DD. Throws OperatorError (65).
 */
export async function readTable(bytes: Buffer, path: string, isHeader: (cell: string) => boolean): Promise<TableRow[]> {
  const kind = kindOf(bytes);
  if (kind === 'XLS') throw new OperatorError(`The manifest ${path} is an old XLS: save it as XLSX or CSV.`, EXIT.data);
  try {
    const rows = kind === 'XLSX' ? await readXlsx(bytes) : readCsv(decode(bytes), isHeader);
    return rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new OperatorError(`The manifest ${path} is not ${kind}: ${reason}`, EXIT.data);
  }
}

function kindOf(bytes: Buffer): 'XLSX' | 'XLS' | 'CSV' {
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return 'XLSX';
  return bytes.subarray(0, 4).equals(Buffer.from('d0cf11e0', 'hex')) ? 'XLS' : 'CSV';
}

async function readXlsx(bytes: Buffer): Promise<TableRow[]> {
  const rows = await readSheet(bytes);
  return rows.map((row, index) => ({ line: index + 1, cells: row.map((cell) => clean(textOf(cell))) }));
}

function readCsv(text: string, isHeader: (cell: string) => boolean): TableRow[] {
  // csv-parse counts a "\r\n" within quotes as two lines.
  const plain = text.replace(/\r\n?/g, '\n');
  const said = /^"?sep=(.)"?\n/i.exec(plain);
  const delimiter = said?.[1] ?? separatorOf(plain.slice(0, plain.indexOf('\n') >>> 0), isHeader);
  const body = said ? plain.slice(said[0].length) : plain;
  const above = said ? 1 : 0;
  const rows: TableRow[] = [];
  let end = above;
  parse(body, {
    delimiter,
    relax_column_count: true,
    skip_empty_lines: false,
    on_record(cells: string[], { lines }) {
      rows.push({ line: end + 1, cells: cells.map(clean) });
      end = above + lines;
      return null;
    },
  });
  return rows;
}

function separatorOf(header: string, isHeader: (cell: string) => boolean): string {
  const known = (separator: string) =>
    header.split(separator).filter((cell) => isHeader(cell.replaceAll('"', ''))).length;
  return SEPARATORS.reduce<string>((best, next) => (known(next) > known(best) ? next : best), ',');
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // UTF-16 without a byte order mark: Latin letters in the header have a zero byte in each pair.
  if (bytes[0] !== 0 && bytes[1] === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0 && bytes[1] !== 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeChinese(bytes);
  }
}

function decodeChinese(bytes: Buffer): string {
  try {
    return new TextDecoder('gb18030', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('its letters are neither UTF-8, UTF-16 nor GB18030');
  }
}

/** Removes white space of any width around a cell, and invisible characters. */
function clean(cell: string): string {
  return cell.replace(/^[\s\u200b\u2060\ufeff]+|[\s\u200b\u2060\ufeff]+$/gu, '');
}

/** Returns the text of a cell; a date cell is midnight UTC of its day. */
function textOf(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : '';
}
