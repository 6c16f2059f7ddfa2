import { fold, foldedText } from './fold.ts';
import { placesOf } from './highlight.ts';
import type { QueryWord } from './words.ts';

/** Returns the folded form of `word` that stands in `typed`, the whole folded query; its first form when none does. */
export function asTyped(word: QueryWord, typed: string): string {
  return (word.forms.find(({ text }) => typed.includes(text)) ?? word.forms[0])?.text ?? '';
}

/** Returns a word as it was typed in the query `key`: 4S店 for 4s店. */
export function wordAsTyped(word: QueryWord, key: string): string {
  const all = fold(key);
  const piece = asTyped(word, foldedText(key));
  const at = placesOf(piece, all)[0];
  if (at === undefined) return piece;
  return key.slice(all[at]?.start, all[at + [...piece].length - 1]?.end);
}
