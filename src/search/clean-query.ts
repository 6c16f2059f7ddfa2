import { MAX_QUERY_CHARACTERS } from './limits.ts';

/** Trims the typed text and cuts it to 50 characters (C-78); "" means no keyword. */
export function cleanQuery(typed: string): string {
  // Enough for 50 characters of any kind; a query of a megabyte is cut before it is iterated.
  const line = typed
    .slice(0, 1_000)
    .toWellFormed()
    // Characters that are not seen, which copied text has between others: they would split words.
    .replace(/[\p{Cf}\p{Cc}]/gu, (unseen) => (/\s/.test(unseen) ? ' ' : ''))
    .replace(/\s+/gu, ' ')
    .trim();
  return [...line].slice(0, MAX_QUERY_CHARACTERS).join('').trim();
}
