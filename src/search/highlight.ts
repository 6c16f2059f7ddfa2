import { fold, type Folded } from './fold.ts';
import type { QueryWord } from './words.ts';

/**
 * Returns a name as safe markup: escaped, with each word of the query in `<em>` and no other markup (C-10). Overlapping and touching
 * hits are merged. The typed text itself is marked as well, because tokenizing drops characters (the 会 of 新品发布会) and generic words.
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

/** Returns the pieces of a query between spaces, folded. Pieces of one character are left out: they would be marked everywhere. */
function piecesOf(typed: string): string[] {
  return fold(typed)
    .map(({ char, kind }) => (kind === 'gap' ? ' ' : char))
    .join('')
    .split(' ')
    .filter((piece) => [...piece].length > 1);
}

/** Returns the positions of a word form in a folded text, as indexes of the first character. */
export function placesOf(form: string, folded: Folded): number[] {
  const wanted = [...form];
  // 六一 inside 六一八 is not a hit.
  const isNumber = wanted.every(isNumeral);
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= folded.length; at++) {
    // A Latin word matches at the beginning of a word only.
    const isInside =
      (folded[at]?.kind === 'letter' && folded[at - 1]?.kind === 'letter') ||
      (isNumber && (isNumeral(folded[at - 1]?.char) || isNumeral(folded[at + wanted.length]?.char)));
    if (!isInside && wanted.every((char, index) => folded[at + index]?.char === char)) places.push(at);
  }
  return places;
}

const isNumeral = (char: string | undefined) => char !== undefined && '一二三四五六七八九十'.includes(char);

function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** UTF-16 ranges of the original text, ascending and disjoint. */
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
