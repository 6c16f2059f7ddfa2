import { normalizedText } from '../../../library/normalized-text.ts';
import type { PageWord } from '../../contract.ts';

/** The place of a hit in fractions of the page. */
export type HitBox = { x: number; y: number; width: number; height: number };

/**
 * Returns the places on a page of the spellings of a text: one box for each word or run of Chinese that a hit covers. A hit may go over several
 * words; the part of a word is measured by its characters. Where no spelling stands whole, the places of their words (between spaces).
 */
export function hitBoxes(words: readonly PageWord[], spellings: readonly string[]): HitBox[] {
  const together = spellings.flatMap((text) => boxesOf(words, text));
  const parts = new Set(spellings.flatMap((text) => text.trim().split(/\s+/u)));
  return together.length > 0 ? together : [...parts].flatMap((part) => boxesOf(words, part));
}

function boxesOf(words: readonly PageWord[], text: string): HitBox[] {
  const wanted = normalizedText(text);
  if (wanted === '') return [];
  const parts: { word: PageWord; start: number; length: number }[] = [];
  let plain = '';
  for (const word of words) {
    const part = normalizedText(word.text);
    if (part === '') continue;
    parts.push({ word, start: plain.length, length: part.length });
    plain += part;
  }
  const boxes: HitBox[] = [];
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    for (const { word, start, length } of parts) {
      const from = Math.max(at, start);
      const to = Math.min(end, start + length);
      if (from >= to) continue;
      boxes.push({
        x: word.x + (word.width * (from - start)) / length,
        y: word.y,
        width: (word.width * (to - from)) / length,
        height: word.height,
      });
    }
  }
  return boxes;
}
