import { Converter } from 'opencc-js/t2cn';

/**
 * Text as search compares it: NFKC, lower case, simplified characters. Each folded character remembers which piece of
 * the original it came from (UTF-16 offsets), so that hits can be marked in the original.
 */
export type Folded = { char: string; kind: 'han' | 'letter' | 'digit' | 'gap'; start: number; end: number }[];

const toSimplified = Converter({ from: 't', to: 'cn' });
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
 * One character at a time, whatever stands beside it: what is a part of a text stays a part of it when both are folded.
 * (Converting by phrase would turn one character into two different ones.)
 */
function foldCharacter(character: string) {
  const before = known.get(character);
  if (before) return before;
  const pieces = [...toSimplified(character.normalize('NFKC').toLowerCase())]
    .filter((char) => !/\p{M}/u.test(char))
    .map((char) => ({ char, kind: kindOf(char) }));
  if (known.size < KNOWN_CHARACTERS) known.set(character, pieces);
  return pieces;
}

/** Scripts written without spaces, and any script we know no words of, are cut like Han. */
function kindOf(char: string): Folded[number]['kind'] {
  if (/\p{Nd}/u.test(char)) return 'digit';
  if (/\p{Script=Latin}/u.test(char)) return 'letter';
  return /[\p{L}\p{N}]/u.test(char) ? 'han' : 'gap';
}
