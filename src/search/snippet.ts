import { fold } from './fold.ts';
import { highlight, placesOf } from './highlight.ts';
import type { QueryWord } from './words.ts';

/** Characters of a page shown in a result, and how many of them at most stand before the hit: a narrow card shows some 17. */
const LENGTH = 56;
const LEAD = 12;

/**
 * The piece of a page's text where most words of the query stand together, as safe markup with its hits in `<em>`
 * (C-10). "" when a word is nowhere in the text: the index knows pairs of characters, and pairs may lie apart.
 * A word that the page wraps in its middle counts: then the lines are shown as one.
 */
export function snippetOf(text: string, words: QueryWord[]): string {
  return pieceOf(text, words) || pieceOf(joinWrappedLines(text), words);
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
 * Text of a page with the breaks between two Chinese characters taken out: boxes of a slide wrap in the middle of a
 * word (退 / 休证书), which must be found all the same. What ends up beside each other by chance does little harm.
 */
export function joinWrappedLines(text: string): string {
  return text.replace(/(?<=\p{Script=Han})[^\S\n]*\n[^\S\n]*(?=\p{Script=Han})/gu, '');
}
