import { stringify } from 'csv-stringify/sync';

/**
 * How a formula begins, in a text whose wide and small signs (＝, ﹦) are the plain ones: Excel takes those for a formula in its
 * Chinese and Japanese editions. Some programs drop space, also an ideographic one, and invisible signs before they look.
 * csv-stringify's own `escape_formulas` knows neither.
 */
const FORMULA = /^[\t\r\n]|^[\s\p{Cf}\ufffd]*[=+\-@]/u;
/** All but tab and line ends. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * Rows of RFC 4180 for a spreadsheet program. Strings may be a stranger's (names of files, words of a deck): none is run as a formula, and
 * control characters, which would reach a terminal, become U+FFFD. Numbers stay numbers, null is an empty cell.
 */
export function csvOf(rows: (string | number | null)[][], lineEnd: '\n' | '\r\n'): string {
  return stringify(rows, { record_delimiter: lineEnd, quoted_match: /[\r\n]/, cast: { string: textCell } });
}

function textCell(text: string): string {
  const clean = text.replace(CONTROLS, '\ufffd');
  return FORMULA.test(clean.normalize('NFKC')) ? `'${clean}` : clean;
}
