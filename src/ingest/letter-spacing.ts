/**
 * From this many on, single characters separated by spaces are a letter-spaced word (策 划 方 案, P L A N), not words of
 * one character.
 */
const MIN_LETTERS = 4;

const CHINESE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const HAN = new RegExp(`^[${CHINESE}]$`, 'u');
const LATIN = /^\p{Script=Latin}$/u;
const ALONE = String.raw`[${CHINESE}\p{Script=Latin}\d]`;
const LETTER_SPACED = new RegExp(String.raw`(?<!\S)${ALONE}(?:\s{1,3}${ALONE}){${MIN_LETTERS - 1},}(?!\S)`, 'gu');

/** Characters that stand alone in the heads of tables: numbers, days of the week, the cyclical signs. */
const COUNTING = /^[一二三四五六七八九十百零〇日天周月火水木金土甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥]+$/u;
const INITIALS = /^(?:SMTWTFS|MTWTFSS|MTWTF|JFMAMJJASOND)$/i;
const YEAR = /^(?:19|20)\d\d$/;

type Kind = 'han' | 'latin' | 'digit';
type Stretch = { kind: Kind; chars: string[]; text: string; isJoined: boolean };

/**
 * Joins the letter-spaced words of a line, so that search finds them: 策 划 方 案 → 策划方案. When nothing in the line
 * separates one word from the next (PDF readers give single spaces throughout), `words` of the page, found by their
 * positions, decide. Rows of single characters that count, repeat or are the alphabet are kept. Calls `onJoined` with
 * each joined text.
 */
export function joinLetterSpaced(
  line: string,
  words: readonly string[] = [],
  onJoined: (text: string) => void = () => {},
): string {
  return line.replace(LETTER_SPACED, (run) => {
    const stretches = stretchesOf(run);
    for (const stretch of stretches)
      stretch.isJoined = stretch.kind !== 'digit' && stretch.chars.length >= MIN_LETTERS && isWord(stretch);
    for (const [at, stretch] of stretches.entries()) {
      // Text beside a letter-spaced word is letter-spaced too: C O N T E N T S 目 录.
      const isBeside = stretches[at - 1]?.isJoined === true || stretches[at + 1]?.isJoined === true;
      if (stretch.isJoined || (isBeside && isWord(stretch))) stretch.text = wordsIn(stretch, words);
    }
    const joined = stretches
      .map(({ text }) => text)
      .join(' ')
      .replace(/(?<=\d{4}) (?=年)/, '');
    onJoined(joined.replace(/\s+/g, ' '));
    return joined;
  });
}

/** Whether a line has letter-spaced Latin letters; only then the positions of its words must be read. */
export const hasLetterSpacedLatin = (text: string): boolean =>
  /(?<!\S)\p{Script=Latin}(?: \p{Script=Latin}){3}(?!\S)/u.test(text);

/** Splits a run where the script changes. */
function stretchesOf(run: string): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [token] of run.matchAll(/\s*\S/gu)) {
    const char = token.trim();
    const kind = HAN.test(char) ? 'han' : LATIN.test(char) ? 'latin' : 'digit';
    const last = stretches.at(-1);
    // A gap wider than the space between characters separates words.
    const gap = token.length - char.length > 1 ? ' ' : '';
    if (last?.kind === kind) {
      last.chars.push(gap + char);
      last.text += token;
    } else stretches.push({ kind, chars: [char], text: char, isJoined: false });
  }
  return stretches;
}

function isWord({ kind, chars }: Stretch): boolean {
  const plain = chars.map((char) => char.trim());
  const text = plain.join('');
  if (kind === 'digit') return YEAR.test(text);
  // 是 否 是 是: the cells of a table row, with few different values.
  if (plain.length >= MIN_LETTERS && new Set(plain).size * 2 <= plain.length) return false;
  if (kind === 'han') return !COUNTING.test(text);
  return !INITIALS.test(text) && !isAlphabet(plain);
}

function isAlphabet(letters: readonly string[]): boolean {
  return letters.every((letter, at) => at === 0 || letter.charCodeAt(0) === (letters[at - 1] ?? '').charCodeAt(0) + 1);
}

function wordsIn({ kind, chars }: Stretch, words: readonly string[]): string {
  const joined = chars.join('');
  if (kind !== 'latin' || joined.includes(' ')) return joined;
  for (let from = 0; from < words.length; from++) {
    let rest = joined;
    for (let at = from; at < words.length; at++) {
      const word = words[at] ?? '';
      if (!rest.startsWith(word)) break;
      rest = rest.slice(word.length);
      if (rest === '') return words.slice(from, at + 1).join(' ');
    }
  }
  return joined;
}
