import { idf } from '@node-rs/jieba/dict.js';

/** The block of the common Han characters: fold.ts leaves hardly any others. */
const FIRST_HAN = 0x4e00;
const HAN = 0x9fff - FIRST_HAN + 1;
/** A pair of them is a number below this. */
export const PAIR_CODES = HAN * HAN;

/** Returns the number of a pair of characters by their code units; -1 where one of them is no common Han character. */
export function codeOfPair(first: number, second: number): number {
  const isHan = first >= FIRST_HAN && first < FIRST_HAN + HAN && second >= FIRST_HAN && second < FIRST_HAN + HAN;
  return isHan ? (first - FIRST_HAN) * HAN + second - FIRST_HAN : -1;
}

/** The rarity of pairs that stand in no word of the table: parts of names, and the end of one word with the beginning of the next. */
const RARITY_OF_UNKNOWN = 7;
/** Places of the hash table, more than twice the number of pairs. A power of two. */
const PLACES = 1 << 19;
const EMPTY = -1;

let known: ((code: number) => number) | null = null;

/**
 * Returns the rarity (inverse document frequency in general Chinese, 2 to 14) of a pair by its code: of all words with the pair in jieba's table together. The first call reads the
 * table, which takes about 100 ms.
 */
export function pairRarity(): (code: number) => number {
  if (known) return known;
  const codes = new Int32Array(PLACES).fill(EMPTY);
  const rarities = new Float32Array(PLACES);
  const placeOf = (code: number) => {
    let place = (Math.imul(code, 2_654_435_761) >>> 13) & (PLACES - 1);
    while (codes[place] !== EMPTY && codes[place] !== code) place = (place + 1) & (PLACES - 1);
    return place;
  };
  eachWord((chars, rarity) => {
    const share = Math.exp(-rarity);
    for (let at = 1; at < chars.length; at++) {
      const code = (chars[at - 1] ?? 0) * HAN + (chars[at] ?? 0);
      const place = placeOf(code);
      codes[place] = code;
      rarities[place] = (rarities[place] ?? 0) + share;
    }
  });
  for (let place = 0; place < PLACES; place++)
    if (codes[place] !== EMPTY) rarities[place] = -Math.log(rarities[place] ?? 1);
  return (known = (code) => {
    const place = placeOf(code);
    return codes[place] === EMPTY ? RARITY_OF_UNKNOWN : (rarities[place] ?? RARITY_OF_UNKNOWN);
  });
}

/** Calls `take` for each word of the table, `word rarity` a line, that is made of Han characters alone. `chars`: their places in the block. */
function eachWord(take: (chars: number[], rarity: number) => void): void {
  const text = new TextDecoder().decode(idf);
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const space = text.indexOf(' ', start);
    if (end < 0 || space < 0) return;
    const chars: number[] = [];
    for (let at = start; at < space; at++) {
      const place = text.charCodeAt(at) - FIRST_HAN;
      if (place >= 0 && place < HAN) chars.push(place);
    }
    if (chars.length === space - start) take(chars, Number(text.slice(space + 1, end)));
    start = end + 1;
  }
}
