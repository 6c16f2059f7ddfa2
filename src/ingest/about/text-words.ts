import type { TagWords } from './weigh-words.ts';

/**
 * Returns a function that says whether folded text has a word as a word: a Chinese word does not reach from the middle of one word of
 * the text into another (电网 is no word of 闪电网络), and a word of Latin letters and digits has none beside it.
 */
export function wordFinder(text: string, tagWords: TagWords): (word: string) => boolean {
  /** For each position the start and the end of the word of the text that covers it; found when a word is looked for first. */
  let starts: Int32Array | null = null;
  let ends = new Int32Array(0);
  const segment = () => {
    starts = new Int32Array(text.length);
    ends = new Int32Array(text.length);
    let at = 0;
    for (const { word } of tagWords(text)) {
      const from = text.indexOf(word, at);
      if (from < 0) continue;
      // Text that the tagger left out belongs to no word.
      for (let gap = at; gap < from; gap++) [starts[gap], ends[gap]] = [gap, gap + 1];
      at = from + word.length;
      starts.fill(from, from, at);
      ends.fill(at, from, at);
    }
    for (let gap = at; gap < text.length; gap++) [starts[gap], ends[gap]] = [gap, gap + 1];
    return starts;
  };
  const isWord = (from: number, to: number) => {
    const begins = starts ?? segment();
    const isInside = begins[from] === begins[to - 1];
    return isInside || (begins[from] === from && ends[to - 1] === to);
  };
  return (word) => {
    const isLatin = /^[a-z\d]/.test(word) || /[a-z\d]$/.test(word);
    for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1)) {
      const to = from + word.length;
      if (isLatin ? isApart(text, word, from, to) : isWord(from, to)) return true;
    }
    return false;
  };
}

const LATIN = /[a-z\d]/;

/** Whether no Latin letter or digit touches the Latin ends of a word. */
function isApart(text: string, word: string, from: number, to: number): boolean {
  if (LATIN.test(word.charAt(0)) && LATIN.test(text.charAt(from - 1))) return false;
  return !(LATIN.test(word.charAt(word.length - 1)) && LATIN.test(text.charAt(to)));
}
