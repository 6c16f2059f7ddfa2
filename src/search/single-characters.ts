/**
 * What a dictionary leaves over when it cuts a text: single characters. They are parts of words that it does not know, or stop words.
 */

/** Stop words: single characters that carry no meaning between words. */
export const FILLERS: ReadonlySet<string> = new Set('的了和与及之在为是有个年给');

/** Joins neighbouring single characters into one word: the dictionary does not know names and splits them. */
export function joinSingles(pieces: string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const piece of pieces) {
    const isSingle = [...piece].length === 1 && !FILLERS.has(piece);
    if (isSingle && isOpen) joined.push((joined.pop() ?? '') + piece);
    else joined.push(piece);
    isOpen = isSingle;
  }
  return joined;
}

/** Joins each single character to the word before it, or to the word after it at the beginning. */
export function glueSingles(cut: string[]): string[] {
  const isWord = (piece: string | undefined) => piece !== undefined && [...piece].length > 1;
  const glued: string[] = [];
  let lone = '';
  const pieces = joinSingles(cut);
  for (const [index, piece] of pieces.entries()) {
    const isLone = !isWord(piece) && !FILLERS.has(piece);
    if (isLone && isWord(glued.at(-1))) glued.push(`${glued.pop() ?? ''}${piece}`);
    else if (isLone && isWord(pieces[index + 1])) lone = piece;
    else {
      glued.push(lone + piece);
      lone = '';
    }
  }
  return glued;
}
