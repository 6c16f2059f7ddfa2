import { fold, type Folded } from './fold.ts';
import type { QueryWord } from './words.ts';

/**
 * A name as safe markup: escaped, with each place where a word of the query stands in `<em>`. Nothing else is ever
 * marked up (C-10). Overlapping and touching hits become one. What was typed is marked as it stands too: words leave a
 * character behind where the query is cut (the 会 of 新品发布会), or are generic.
 */
export function highlight(name: string, words: QueryWord[], typed = ''): string {
  const folded = fold(name);
  const isHit = new Array<boolean>(folded.length).fill(false);
  for (const text of [...words.flatMap(({ forms }) => forms.map((form) => form.text)), ...piecesOf(typed)]) {
    const length = [...text].length;
    for (const at of placesOf(text, folded)) isHit.fill(true, at, at + length);
  }
  return markup(name, ranges(folded, isHit));
}

/** The pieces of a query between gaps, folded: two characters at least, or a character would be marked wherever it stands. */
function piecesOf(typed: string): string[] {
  return fold(typed)
    .map(({ char, kind }) => (kind === 'gap' ? ' ' : char))
    .join('')
    .split(' ')
    .filter((piece) => [...piece].length > 1);
}

/** Where a form of a word stands in a folded text: indexes of its first character. */
export function placesOf(form: string, folded: Folded): number[] {
  const wanted = [...form];
  // 六一 is no part of 六一八.
  const isNumber = wanted.every(isNumeral);
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= folded.length; at++) {
    // A Latin word is found by its beginning, not inside another word.
    const isInside =
      (folded[at]?.kind === 'letter' && folded[at - 1]?.kind === 'letter') ||
      (isNumber && (isNumeral(folded[at - 1]?.char) || isNumeral(folded[at + wanted.length]?.char)));
    if (!isInside && wanted.every((char, index) => folded[at + index]?.char === char)) places.push(at);
  }
  return places;
}

const isNumeral = (char: string | undefined) => char !== undefined && '一二三四五六七八九十'.includes(char);

export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** UTF-16 ranges of the original, ascending and apart. */
function ranges(folded: { start: number; end: number }[], isHit: boolean[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  folded.forEach(({ start, end }, index) => {
    if (!isHit[index]) return;
    const last = found.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  });
  return found;
}

function markup(name: string, hits: { start: number; end: number }[]): string {
  let done = 0;
  let html = '';
  for (const { start, end } of hits) {
    html += `${escapeMarkup(name.slice(done, start))}<em>${escapeMarkup(name.slice(start, end))}</em>`;
    done = end;
  }
  return html + escapeMarkup(name.slice(done));
}
