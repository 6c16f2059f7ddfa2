import { MAX_QUERY_CHARACTERS } from './limits.ts';

/** Characters that were typed or copied one by one, as on covers: 中 秋 活 动. */
const SPACED = /(?<=(?:^| )\p{Script=Han}) (?=\p{Script=Han}(?: |$))/gu;

/** Trims the typed text, joins characters that stand apart and cuts it to 50 characters (C-78); "" means no keyword. */
export function cleanQuery(typed: string): string {
  // Enough for 50 characters of any kind; a query of a megabyte is cut before it is iterated.
  const line = typed
    .slice(0, 1_000)
    .toWellFormed()
    // Characters that are not seen, which copied text has between others: they would split words.
    .replace(/[\p{Cf}\p{Cc}]/gu, (unseen) => (/\s/.test(unseen) ? ' ' : ''))
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(SPACED, '');
  return [...line].slice(0, MAX_QUERY_CHARACTERS).join('').trim();
}
