import { fold } from './fold.ts';
import type { Vocabulary, Word } from './vocabulary.ts';

/**
 * Returns at most `limit` words that begin like the typed text, in characters, pinyin, first letters or a mixture (小红, xiaoh, xhs, 小h).
 * Matches by characters or pinyin come before matches by first letters, then frequent words before rare words.
 */
export function complete(typed: string, vocabulary: Vocabulary, limit: number): Word[] {
  const chars = fold(typed)
    .filter(({ kind }) => kind !== 'gap')
    .map(({ char }) => char);
  const [first] = chars;
  if (!first) return [];
  const isHan = /\p{Script=Han}/u.test(first);
  const bucket = (isHan ? vocabulary.byFirst : vocabulary.byLetter).get(first) ?? [];
  const text = chars.join('');
  const exact: Word[] = [];
  const initials: Word[] = [];
  for (const word of bucket) {
    if (exact.length >= limit) break;
    if (word.text.startsWith(text) || word.sound.startsWith(text)) exact.push(word);
    else if (initials.length < limit && isBegunBy(word, 0, chars, 0)) initials.push(word);
  }
  return [...exact, ...initials].slice(0, limit);
}

/** A typed letter matches a whole syllable, the beginning of a syllable, or, as a first letter, one character. */
function isBegunBy(word: Word, at: number, typed: string[], from: number): boolean {
  if (from === typed.length) return true;
  const char = typed[from] ?? '';
  const sound = word.sounds[at];
  if (sound === undefined) return false;
  const isHan = /\p{Script=Han}/u.test(char);
  if (isHan) return word.text.startsWith(char, offsetOf(word.text, at)) && isBegunBy(word, at + 1, typed, from + 1);
  const rest = typed.slice(from).join('');
  if (sound.startsWith(rest)) return true;
  if (rest.startsWith(sound) && isBegunBy(word, at + 1, typed, from + sound.length)) return true;
  if (/^[zcs]h/.test(sound) && rest.startsWith(sound.slice(0, 2)) && isBegunBy(word, at + 1, typed, from + 2))
    return true;
  return sound.startsWith(char) && isBegunBy(word, at + 1, typed, from + 1);
}

/** Returns the UTF-16 offset of the character at `index`. */
const offsetOf = (text: string, index: number) => [...text].slice(0, index).join('').length;
