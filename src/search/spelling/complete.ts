import { fold } from '../fold.ts';
import { blurred, type Vocabulary, type Word } from './vocabulary.ts';

/** Shorter pinyin is completed as it is: one slip in three letters is another word. */
const MIN_SLIPPED = 4;

/**
 * Returns at most `limit` words that begin like the typed text, in characters, pinyin, first letters or a mixture (小红, xiaoh, xhs, 小h), then
 * words with the typed characters in their middle (地产 in 房地产). Where there is none, words whose pinyin begins like the typed letters but for
 * one slip, unless `isStrict`. Matches by characters or pinyin come before matches by first letters, then frequent words before rare words.
 */
export function complete(typed: string, vocabulary: Vocabulary, limit: number, { isStrict = false } = {}): Word[] {
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
  const begun = [...exact, ...initials];
  const all = begun.length < limit ? [...begun, ...withinMiddle(text, chars, vocabulary)] : begun;
  return (all.length > 0 || isStrict ? all : slipped(text, bucket, limit)).slice(0, limit);
}

/** Returns the words that hold the typed text, two characters or more, after their first character. */
function withinMiddle(text: string, [first = '', second]: string[], vocabulary: Vocabulary): Word[] {
  if (second === undefined) return [];
  const held = vocabulary.byMiddle.get(first + second) ?? [];
  return held.filter((word) => !word.text.startsWith(text) && word.text.includes(text));
}

/** Returns the words of `bucket` whose pinyin begins with the typed letters but for one letter, or for sounds that are often confused. */
function slipped(typed: string, bucket: readonly Word[], limit: number): Word[] {
  if (typed.length < MIN_SLIPPED || !/^[a-z]+$/.test(typed)) return [];
  const like = blurred(typed);
  const isLike = ({ sound }: Word) => blurred(sound).startsWith(like) || isBegunButForOne(sound, typed);
  return bucket.filter((word) => /^\p{Script=Han}+$/u.test(word.text) && isLike(word)).slice(0, limit);
}

/** Tells whether a text begins with the typed one when a letter of the typed one is replaced, left out or added, or two are exchanged. */
function isBegunButForOne(text: string, typed: string): boolean {
  let same = 0;
  while (same < typed.length && text[same] === typed[same]) same++;
  const rest = (skipTyped: number, skipText: number) =>
    text.startsWith(typed.slice(same + skipTyped), same + skipText) && same > 0;
  const isExchanged = typed[same] === text[same + 1] && typed[same + 1] === text[same] && rest(2, 2);
  return rest(1, 1) || rest(1, 0) || rest(0, 1) || isExchanged;
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
