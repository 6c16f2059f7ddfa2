import type { PageWord } from '../../contract.ts';

/**
 * Groups the words of a page, which come in reading order, into lines: a word continues the line when it is at the same
 * height and to the right of the previous word. The cells of a table row form one line, so that they are copied side by
 * side.
 */
export function linesOfWords(words: readonly PageWord[]): PageWord[][] {
  const lines: PageWord[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (line && last && goesOn(last, word)) line.push(word);
    else lines.push([word]);
  }
  return lines;
}

function goesOn(last: PageWord, next: PageWord): boolean {
  const shared = Math.min(last.y + last.height, next.y + next.height) - Math.max(last.y, next.y);
  // A comma is low and small; a letter may overlap the next.
  return shared > Math.min(last.height, next.height) / 2 && next.x > last.x + last.width / 2;
}
