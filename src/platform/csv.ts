import { stringify } from 'csv-stringify/sync';

/**
 * Matches the beginning of a formula, after full-width and small signs (＝, ﹦) were normalized: the Chinese and Japanese
 * editions of Excel accept those too. Some programs skip spaces, ideographic spaces and invisible characters first.
 * csv-stringify's own `escape_formulas` handles neither.
 */
const FORMULA = /^[\t\r\n]|^[\s\p{Cf}\ufffd]*[=+\-@]/u;
/** Control characters except tab and line ends. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * Returns rows as CSV (RFC 4180) for a spreadsheet program. Strings may come from untrusted files: no cell is run as a
 * formula, and control characters, which could reach a terminal, become U+FFFD. Numbers stay numbers, null is an empty
 * cell.
 */
export function csvOf(rows: (string | number | null)[][], lineEnd: '\n' | '\r\n'): string {
  return stringify(rows, { record_delimiter: lineEnd, quoted_match: /[\r\n]/, cast: { string: textCell } });
}

function textCell(text: string): string {
  const clean = text.replace(CONTROLS, '\ufffd');
  return FORMULA.test(clean.normalize('NFKC')) ? `'${clean}` : clean;
}
