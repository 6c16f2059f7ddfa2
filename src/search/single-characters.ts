/**
 * What a dictionary leaves over when it cuts a text: single characters. They are parts of words that it does not know, or stop words.
 */

/** Stop words: single characters that carry no meaning between words. */
export const FILLERS: ReadonlySet<string> = new Set('的了和与及之在为是有个年给');

/** Characters of speech, which belong to no name beside longer words: 我就想找, 进店啊. */
export const SPOKEN: ReadonlySet<string> = new Set(
  '着咋啊呀吗呢吧哈嘛哦呗啦我你您他她它咱谁就才也都还很太能跟想问怎啥逛办做搞弄',
);
/** Verbs that people put before a thing, which are no part of its name: 卖精酿, 喝手冲. */
const VERBS_BEFORE: ReadonlySet<string> = new Set('卖买找看吃喝玩开');

/** Joins neighbouring single characters into one word: the dictionary does not know names and splits them. */
export const joinSingles = (pieces: string[]): string[] => joinThose(pieces, (piece) => !FILLERS.has(piece));

/**
 * Joins neighbouring single characters of a query, as joinSingles does, but for those of speech: 想问下, the 能 of 能带着狗 and the 卖 of 卖精酿 are no parts of a name. Where
 * nothing else is said, all may be one (太二).
 */
export function joinSinglesOfSpeech(pieces: string[]): string[] {
  if (pieces.every((piece) => [...piece].length === 1)) return joinSingles(pieces);
  const joined = joinThose(pieces, (piece) => !FILLERS.has(piece) && !SPOKEN.has(piece));
  return joined.flatMap((word) => {
    const [first = '', ...rest] = word;
    return rest.length > 1 && VERBS_BEFORE.has(first) && !pieces.includes(word) ? [first, rest.join('')] : [word];
  });
}

/** A single character that is no space and no punctuation. */
const CHARACTER = /^[\p{L}\p{N}]$/u;

/** Joins neighbouring single characters that may be parts of one word. */
function joinThose(pieces: string[], isPart: (piece: string) => boolean): string[] {
  const joined: string[] = [];
  let isOpen = false;
  const isPartAt = (at: number) => CHARACTER.test(pieces[at] ?? '') && isPart(pieces[at] ?? '');
  for (const [at, piece] of pieces.entries()) {
    // A year between two parts is one as well: 嘉年化.
    const isSingle = isPartAt(at) || (piece === '年' && isPartAt(at - 1) && isPartAt(at + 1));
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
  const pieces = joinSinglesOfSpeech(cut);
  for (const [index, piece] of pieces.entries()) {
    const isLone = !isWord(piece) && !FILLERS.has(piece) && !SPOKEN.has(piece);
    if (isLone && isWord(glued.at(-1))) glued.push(`${glued.pop() ?? ''}${piece}`);
    else if (isLone && isWord(pieces[index + 1])) lone = piece;
    else {
      glued.push(lone + piece);
      lone = '';
    }
  }
  return glued;
}
