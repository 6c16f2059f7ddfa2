import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { EXIT, OperatorError } from '../../platform/command-line.ts';

/**
 * Rows of a table as text, the header first: CSV (UTF-8, or GB18030 as spreadsheet programs in China write it) or the
 * first sheet of an XLSX, told apart by content. Days come as YYYY-MM-DD. Throws OperatorError (65).
 */
export async function readTable(bytes: Buffer, path: string): Promise<string[][]> {
  const isXlsx = bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'));
  try {
    if (isXlsx) {
      const rows = await readSheet(bytes);
      return rows.map((row) => row.map(textOf));
    }
    return parse(decode(bytes), { bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new OperatorError(`The manifest ${path} is not ${isXlsx ? 'XLSX' : 'CSV'}: ${reason}`, EXIT.data);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** A date cell is midnight UTC of its day. */
function textOf(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : '';
}
