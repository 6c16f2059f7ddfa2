import { withoutContacts } from '../library/contacts.ts';
import { fold } from './fold.ts';
import { highlight, placesOf } from './highlight.ts';
import type { QueryWord } from './words.ts';

/** Length of a snippet, and the maximum length of its part before the hit, in characters. A narrow card shows about 17 characters. */
const LENGTH = 56;
const LEAD = 12;

/**
 * Returns the part of a page's text that contains most words of the query, as safe markup with hits in `<em>` (C-10). "" when the text
 * lacks a word outside of telephone numbers and mail addresses, which are never shown: the index holds pairs of characters, and the pairs of a word may lie apart in a text. Lines that wrap inside a word are
 * joined.
 */
export function snippetOf(text: string, words: QueryWord[]): string {
  const shown = withoutContacts(text);
  return pieceOf(shown, words) || pieceOf(joinWrappedLines(shown), words);
}

function pieceOf(text: string, words: QueryWord[]): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const folded = fold(line);
  const places = words.map(({ forms }) => forms.flatMap((form) => placesOf(form.text, folded)));
  if (places.length === 0 || places.some((at) => at.length === 0)) return '';
  const starts = places.flat().sort((a, b) => a - b);
  const inside = (start: number) =>
    places.filter((all) => all.some((at) => at >= start && at < start + LENGTH - LEAD)).length;
  let best = starts[0] ?? 0;
  for (const start of starts) if (inside(start) > inside(best)) best = start;
  const first = Math.max(0, best - LEAD);
  const last = Math.min(first + LENGTH, folded.length) - 1;
  const piece = line.slice(folded[first]?.start ?? 0, folded[last]?.end ?? 0).trim();
  return `${first > 0 ? '…' : ''}${highlight(piece, words)}${last < folded.length - 1 ? '…' : ''}`;
}

/**
 * Removes line breaks between two Chinese characters: text boxes of slides wrap inside words (退 / 休证书). Lines that are joined although
 * they do not belong together do little harm.
 */
export function joinWrappedLines(text: string): string {
  return text.replace(/(?<=\p{Script=Han})[^\S\n]*\n[^\S\n]*(?=\p{Script=Han})/gu, '');
}
