import { fold, type Folded } from '../fold.ts';
import { FILLERS, SPOKEN } from '../single-characters.ts';
import { characterSpansOf, type Span } from '../spans.ts';
import { type SoundsOf, tokensOf, unitsOf } from './correct-query.ts';
import { blurred } from './vocabulary.ts';
import type { CutWords } from '../words.ts';

/** Which corrections of a query (correct-query.ts) may be answered without asking. */

/**
 * Tells whether a correction may be answered without asking: it spells out Latin letters, writes the same number of Chinese characters that
 * sound alike, or exchanges two neighbours. What shortens a Chinese word or puts another one in its place changes what was meant (运营商 → 运营) and is only offered.
 */
export function isSafeCorrection(typed: string, corrected: string, soundsOf: SoundsOf): boolean {
  const from = tokensOf(fold(typed));
  const to = tokensOf(fold(corrected));
  return from.length === to.length && from.every((token, at) => isSafeToken(token, to[at] ?? [], soundsOf));
}

/** Tells whether a correction changes nothing but Latin letters: the Chinese characters that were typed stand in it in their order. False where no letter was typed. */
export function onlySpellsLetters(typed: string, corrected: string): boolean {
  if (fold(typed).every(({ kind }) => kind !== 'letter')) return false;
  const [before, after] = [typed, corrected].map((text) => fold(text).filter(({ kind }) => kind === 'han'));
  let kept = 0;
  for (const { char } of after ?? []) if (char === before?.[kept]?.char) kept++;
  return kept === before?.length;
}

/**
 * Tells whether a correction makes a word out of the end of one typed word and the beginning of the next: 军训汇演 is no slip for 巡回. Characters that
 * the dictionary left over are no words (小 and 红薯 for 小红书).
 */
export function crossesWords(typed: string, corrected: string, cut: CutWords): boolean {
  const [from = [], to = []] = [typed, corrected].map((text) => fold(text).map(({ char }) => char));
  if (from.length !== to.length) return false;
  const boundaries = wordBoundaries(cut(from.join('')));
  return characterSpansOf(cut(to.join(''))).some(({ start, end }) => {
    const isChanged = to.slice(start, end).some((char, at) => char !== from[start + at]);
    return isChanged && boundaries.some((boundary) => start < boundary && boundary < end);
  });
}

/** Returns the places, in characters, where two words of at least two characters meet. */
function wordBoundaries(words: string[]): number[] {
  const spans = characterSpansOf(words);
  return spans.flatMap((span, at) => {
    const next = spans[at + 1];
    return next && lengthOf(span) > 1 && lengthOf(next) > 1 ? [span.end] : [];
  });
}

/**
 * Tells whether a correction replaces a number or makes one, or a character of a typed word of the dictionary by one that only sounds nearly alike, or makes a word
 * out of a part of one and a character that sounds nearly alike: 满月宴 is no slip for 满越洋, nor 十几万 for 市集万.
 */
export function altersWords(typed: string, corrected: string, { cut, soundsOf }: CutAndHear): boolean {
  const changes = changesOf(typed, corrected, soundsOf);
  if (!changes) return false;
  const { from, to, changed, isNearly } = changes;
  const typedWords = characterSpansOf(cut(from.join(''))).filter((word) => lengthOf(word) > 1);
  const lengthAt = (at: number) => {
    const word = typedWords.find(({ start, end }) => start <= at && at < end);
    return word ? lengthOf(word) : 0;
  };
  const makesWord = characterSpansOf(cut(to.join(''))).some(
    (word) => rangeOf(word).some(isNearly) && typedWords.some((each) => overlapInPart(each, word)),
  );
  const isNumber = (at: number) => NUMERAL.test(`${from[at]}${to[at]}`);
  const isAltered = (at: number) => isNumber(at) || lengthAt(at) >= MIN_LONG_WORD || (isNearly(at) && lengthAt(at) > 0);
  return makesWord || changed.some(isAltered);
}

/** Nobody types such a word of the dictionary by mistake: 公积金 is no slip for 基金, nor 同意书 for 艺术. */
const MIN_LONG_WORD = 3;

type CutAndHear = { cut: CutWords; soundsOf: SoundsOf };
type Changes = {
  from: string[];
  to: string[];
  /** The places of Chinese characters that were replaced. */
  changed: number[];
  /** Tells whether a character was replaced by one of another sound. */
  isNearly(at: number): boolean;
};

/** Compares a correction with what was typed, character by character; null when one has more of them. */
function changesOf(typed: string, corrected: string, soundsOf: SoundsOf): Changes | null {
  const [from = [], to = []] = [typed, corrected].map((text) => fold(text).map(({ char }) => char));
  if (from.length !== to.length) return null;
  const [before = [], after = []] = [from, to].map((chars) => unitsOf(fold(chars.join('')), soundsOf));
  const changed = from.flatMap((char, at) => (char !== to[at] && before[at]?.isHan ? [at] : []));
  return { from, to, changed, isNearly: (at) => changed.includes(at) && before[at]?.sound !== after[at]?.sound };
}

const lengthOf = ({ start, end }: Span) => end - start;
const overlapInPart = (one: Span, other: Span) =>
  (one.start < other.start && other.start < one.end && one.end < other.end) ||
  (other.start < one.start && one.start < other.end && other.end < one.end);
const rangeOf = ({ start, end }: Span) => Array.from({ length: end - start }, (_, index) => start + index);

const NUMERAL = /[一二两三四五六七八九十百千万亿几]/u;

/** Tells whether a correction replaces nothing but characters that the dictionary left over between words, each by one of the same sound: 周制汉昏 → 周制汉婚. */
export function onlyReplacesLeftovers(typed: string, corrected: string, { cut, soundsOf }: CutAndHear): boolean {
  const changes = changesOf(typed, corrected, soundsOf);
  if (!changes) return false;
  const leftovers = characterSpansOf(cut(changes.from.join(''))).filter((piece) => lengthOf(piece) === 1);
  return changes.changed.every((at) => leftovers.some(({ start }) => start === at) && !changes.isNearly(at));
}

/** Shorter words are another word with one character exchanged: 假发 and 首发. */
const MIN_WORD_ONE_OFF = 3;

/**
 * Tells whether a correction exchanges a single Chinese character within a longer word, and what was typed is no word: 油莱花 → 油菜花; or within a word of two, and
 * the dictionary leaves both characters over: 亲仔 → 亲子, and not 请书 within 申请书. It is answered only where the typed query finds nothing at all.
 */
export function isOneCharacterOff(typed: string, corrected: string, cut: CutWords): boolean {
  const [from = [], to = []] = [typed, corrected].map((text) => fold(text).map(({ char }) => char));
  const wrong = from.flatMap((char, at) => (char === to[at] ? [] : [at]));
  const [at = -1] = wrong;
  if (from.length !== to.length || wrong.length !== 1) return false;
  const word = characterSpansOf(cut(to.join(''))).find(({ start, end }) => start <= at && at < end);
  if (!word) return false;
  if (lengthOf(word) >= MIN_WORD_ONE_OFF) return cut(from.slice(word.start, word.end).join('')).length > 1;
  // 电是, with what stands in any sentence, is no slip for 电视.
  const singles = characterSpansOf(cut(from.join(''))).filter((piece) => lengthOf(piece) === 1);
  const isLeftOver = (place: number) =>
    singles.some((piece) => piece.start === place) && !FILLERS.has(from[place] ?? '') && !SPOKEN.has(from[place] ?? '');
  return lengthOf(word) === 2 && isLeftOver(word.start) && isLeftOver(word.start + 1);
}

/**
 * Tells whether a correction adds a single Chinese character within a word of three or more, and what was typed of it is no word: 夜跑挑赛 → 夜跑挑战赛. It is
 * answered as isOneCharacterOff is.
 */
export function isOneCharacterShort(typed: string, corrected: string, cut: CutWords): boolean {
  const [from = [], to = []] = [typed, corrected].map((text) => fold(text).map(({ char }) => char));
  const at = to.findIndex((char, index) => char !== from[index]);
  if (to.length !== from.length + 1 || at < 0 || from.slice(at).join('') !== to.slice(at + 1).join('')) return false;
  const word = characterSpansOf(cut(to.join(''))).find(({ start, end }) => start <= at && at < end);
  return (
    word !== undefined &&
    lengthOf(word) >= MIN_WORD_ONE_OFF &&
    cut(from.slice(word.start, word.end - 1).join('')).length > 1
  );
}

/** What ends many words, and is no slip for 节: 咖啡街, 音乐界. */
const KIND_OF_PLACE: ReadonlySet<string> = new Set('街界');

function isSafeToken(from: Folded, to: Folded, soundsOf: SoundsOf): boolean {
  const isHan = (token: Folded) => token.every(({ kind }) => kind !== 'letter');
  if (!isHan(from)) return true;
  if (from.some(({ char }, at) => KIND_OF_PLACE.has(char) && to[at]?.char !== char)) return false;
  const [before, after] = [from, to].map((token) =>
    blurred(
      unitsOf(token, soundsOf)
        .map(({ sound }) => sound)
        .join(''),
    ),
  );
  return from.length === to.length && (before === after || areExchanged(from, to));
}

/** Tells whether two tokens are the same but for two neighbours in each other's place: 竞电 and 电竞. */
function areExchanged(from: Folded, to: Folded): boolean {
  const at = from.findIndex(({ char }, index) => char !== to[index]?.char);
  const rest = from.slice(at + 2).every(({ char }, index) => char === to[at + 2 + index]?.char);
  return at >= 0 && rest && from[at]?.char === to[at + 1]?.char && from[at + 1]?.char === to[at]?.char;
}
