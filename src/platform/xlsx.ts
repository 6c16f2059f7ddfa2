import writeExcelFile from 'write-excel-file/node';

/** A number is shown by `format`, a number format of Excel; a day is written as a date, without a time. */
export type XlsxCell = string | { number: number; format?: string } | { day: Date } | null;

type XlsxSheet = {
  /** At most 31 characters, without []:*?/\. */
  name: string;
  rows: XlsxCell[][];
  /** In characters. */
  widths: number[];
  /** How many rows and columns stay in sight while the sheet is scrolled; the rows are bold. */
  headRows?: number;
  headColumns?: number;
};

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const MAX_CELL_CHARACTERS = 32_767;

/**
 * Returns sheets as an Excel workbook. Each cell has a type, and none is a formula: text that looks like one stays text.
 * Characters that XML cannot hold are left out.
 */
export function xlsxOf(sheets: XlsxSheet[]): Promise<Buffer> {
  return writeExcelFile(
    sheets.map(({ name, rows, widths, headRows = 0, headColumns = 0 }) => ({
      sheet: name,
      data: rows.map((row, index) => row.map((cell) => typed(cell, index < headRows))),
      columns: widths.map((width) => ({ width })),
      stickyRowsCount: headRows,
      stickyColumnsCount: headColumns,
    })),
  ).toBuffer();
}

function typed(cell: XlsxCell, isHead: boolean) {
  if (cell === null) return null;
  if (typeof cell === 'string')
    return { type: String, value: cellText(cell), ...(isHead && ({ fontWeight: 'bold', wrap: true } as const)) };
  if ('day' in cell) return { type: Date, value: cell.day, format: 'yyyy-mm-dd' };
  return { type: Number, value: cell.number, ...(cell.format !== undefined && { format: cell.format }) };
}

/** Excel reads `_x003D_` in a text as the character of that code: the underscore before such a code is written as a code. */
const cellText = (text: string) =>
  text
    .slice(0, MAX_CELL_CHARACTERS)
    .toWellFormed()
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
