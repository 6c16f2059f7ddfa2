import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';

/** `line` counts from 1, as an editor or a spreadsheet program shows it; of a row over several lines the first. */
export type TableRow = { line: number; cells: string[] };

/** The column separator is the one that finds most of the names a header may have. */
const SEPARATORS = [',', ';', '\t', '，', '|'] as const;

/**
 * Rows of a table as text, the header first, empty ones left out: CSV (UTF-8, UTF-16, or GB18030 as spreadsheet
 * programs in China write it; comma, semicolon or tab) or the first sheet of an XLSX, told apart by content. Day cells
 * come as YYYY-MM-DD. Throws OperatorError (65).
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
  // The parser counts the lines of "\r\n" within quotes twice.
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
  // Without a mark: a header in Latin letters has a zero in every pair.
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

/** White space of any width around a cell, and marks that cannot be seen. */
function clean(cell: string): string {
  return cell.replace(/^[\s\u200b\u2060\ufeff]+|[\s\u200b\u2060\ufeff]+$/gu, '');
}

/** A date cell is midnight UTC of its day. */
function textOf(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : '';
}
