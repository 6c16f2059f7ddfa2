import { InvalidArgumentError } from 'commander';
import { cleanText, type ReceiptKind } from '../rules.ts';

/** Arguments and texts that the commands for reports and for privacy requests share. */

const MAX_TEXT = 2_000;

/** Returns a parser of a text that stays with a row: 1 to 2,000 characters, several lines allowed. */
export function spokenText(text: string): string {
  const clean = cleanText(text);
  if (clean !== '' && [...clean].length <= MAX_TEXT) return clean;
  throw new InvalidArgumentError(`It must have 1 to ${MAX_TEXT} characters.`);
}

/** Returns a parser of receipt numbers, which people read out and paste: small letters and spaces are forgiven. */
export const receiptArgument = (kind: ReceiptKind) => (text: string) => {
  const number = text.replace(/\s/g, '').toUpperCase();
  if (number.startsWith(kind)) return number;
  throw new InvalidArgumentError(`The number of the receipt begins with ${kind}.`);
};

/** Returns the lines of a text that a stranger wrote, set in so that none of them looks like a line of the command. */
export const indented = (text: string): string => text.replace(/^/gm, '    ');

/** Says at the end of a list that it is not complete; "" for a complete list. */
export const shownOf = (shown: number, total: number, which: string): string =>
  shown < total ? `; the ${shown} ${which} are shown` : '';
