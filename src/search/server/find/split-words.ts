import { foldedText } from '../../fold.ts';
import { subjectOfKind } from '../../event-kinds.ts';
import { asTyped } from '../../typed-words.ts';
import type { QueryWord } from '../../words.ts';
import { isSynonymForm } from '../../synonyms.ts';
import { cutIntoParts } from '../words/cut-words.ts';

/** Shorter words are not split. */
const MIN_CHARACTERS = 3;
/** What is longer and stands in no dictionary is no compound. Each place where one might be cut asks for the decks of two words. */
const MAX_COMPOUND_CHARACTERS = 12;

/**
 * Splits each word that no deck holds into its parts: 社区公益活动 → 社区 公益 活动, 婚礼摄影展 → 婚礼 摄影. What the dictionary does not know is
 * split in two parts that decks hold (`isHeld`): 汉婚仪程 → 汉婚 仪程. What has no such parts asks for
 * the word of the thesaurus that ends it: 卖房子 → 房子. What is said by the way (`isAside`) is left out. Returns the new query, "" when no word can be split.
 */
export async function splitLongWords(
  query: string,
  words: QueryWord[],
  isKnown: boolean[],
  isHeld: (text: string) => Promise<boolean>,
  isAside: (word: QueryWord) => boolean,
): Promise<string> {
  const typed = foldedText(query);
  const pieces: { finer: string; isCut: boolean }[] = [];
  for (const [at, word] of words.entries()) {
    const text = asTyped(word, typed);
    const isLong = word.forms.length === 1 && [...text].length >= MIN_CHARACTERS;
    const isSplit = isLong && !isKnown[at];
    const parts = isSplit ? await partsOf(text, isHeld) : [];
    const meant = isSplit ? thesaurusEnd(text) : undefined;
    const finer = parts.length > 1 || parts[0] === subjectOfKind(text) ? parts.join(' ') : (meant ?? text);
    if (finer !== text || !isAside(word)) pieces.push({ finer, isCut: finer !== text });
  }
  return pieces.some(({ isCut }) => isCut)
    ? [...new Set(pieces.flatMap(({ finer }) => finer.split(' ')))].join(' ')
    : '';
}

const HAN = /^\p{Script=Han}+$/u;

/** Returns the parts of a compound as the dictionary cuts it, else two parts that decks hold, the first as long as possible. */
async function partsOf(text: string, isHeld: (text: string) => Promise<boolean>): Promise<string[]> {
  const parts = cutIntoParts(text);
  if (parts.length > 1 || parts[0] !== text || !HAN.test(text)) return parts;
  const chars = [...text];
  if (chars.length > MAX_COMPOUND_CHARACTERS) return parts;
  const halves = chars
    .slice(2, -1)
    .map((_, at): [string, string] => [chars.slice(0, at + 2).join(''), chars.slice(at + 2).join('')]);
  for (const [first, second] of halves.toReversed()) {
    if ((await isHeld(first)) && (await isHeld(second))) return [first, second];
  }
  return parts;
}

/**
 * Returns the longest word of the thesaurus that ends an unknown word, for the end of a compound says what it is: 卖房子 is about 房子, 滑雪板 not
 * about 滑雪. Undefined when there is none.
 */
function thesaurusEnd(text: string): string | undefined {
  if (!HAN.test(text)) return undefined;
  const chars = [...text];
  return chars
    .slice(1, -1)
    .map((_, at) => chars.slice(at + 1).join(''))
    .find(isSynonymForm);
}
