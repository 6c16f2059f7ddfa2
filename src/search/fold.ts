import { simplified } from '../library/simplified.ts';

/**
 * A text normalized for comparison: NFKC, lower case, simplified characters. Each folded character keeps the UTF-16 offsets of the
 * original text it came from, so that hits can be marked in the original.
 */
export type Folded = { char: string; kind: 'han' | 'letter' | 'digit' | 'gap'; start: number; end: number }[];

const known = new Map<string, { char: string; kind: Folded[number]['kind'] }[]>();
const KNOWN_CHARACTERS = 20_000;

export function fold(text: string): Folded {
  const folded: Folded = [];
  let start = 0;
  for (const character of text) {
    const end = start + character.length;
    for (const piece of foldCharacter(character)) folded.push({ ...piece, start, end });
    start = end;
  }
  return folded;
}

/**
 * Folds one character at a time: a substring of a text stays a substring when both are folded. Conversion by phrase would turn one
 * character into two different characters.
 */
function foldCharacter(character: string) {
  const before = known.get(character);
  if (before) return before;
  const pieces = [...simplified(character.normalize('NFKC').toLowerCase())]
    .filter((char) => !/\p{M}/u.test(char))
    .map((char) => ({ char, kind: kindOf(char) }));
  if (known.size < KNOWN_CHARACTERS) known.set(character, pieces);
  return pieces;
}

/** Scripts that are written without spaces, and scripts without a dictionary, are tokenized like Han. */
function kindOf(char: string): Folded[number]['kind'] {
  if (/\p{Nd}/u.test(char)) return 'digit';
  if (/\p{Script=Latin}/u.test(char)) return 'letter';
  return /[\p{L}\p{N}]/u.test(char) ? 'han' : 'gap';
}

/** Returns a text in folded characters. */
export function foldedText(text: string): string {
  let folded = '';
  for (const character of text) for (const { char } of foldCharacter(character)) folded += char;
  return folded;
}
