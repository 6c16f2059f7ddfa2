import { fold, type Folded } from './fold.ts';
import { nearForms, splitBySynonyms } from './synonyms.ts';

/**
 * The one tokenizer of index and query. The index keeps pairs of neighbouring characters, so that a word is found
 * wherever it stands in a name; the query is cut into words, and asks for all pairs of each.
 */

/** Written without a gap: Han characters, or Latin letters and digits, which belong together (5G, 4S). */
export type Run = { kind: 'han' | 'latin'; chars: string[]; isAfterRun: boolean };

/** Of a query: one word, of which the index must hold one form. */
export type QueryWord = { forms: WordForm[] };
/** A way to write it, folded, and everything the index must hold for that. */
export type WordForm = { text: string; lexemes: Lexeme[] };
export type Lexeme = { text: string; isPrefix: boolean };

/** Cuts Han text into words of a dictionary. */
export type CutWords = (text: string) => string[];

const MAX_LATIN = 40;
/** Say nothing about what is looked for, alone between words. */
const FILLERS = new Set('的了和与及之在为是有个年');

export function runsOf(folded: Folded): Run[] {
  const runs: Run[] = [];
  let isGap = true;
  for (const { char, kind } of folded) {
    const last = runs.at(-1);
    const wanted: Run['kind'] = kind === 'han' ? 'han' : 'latin';
    if (kind !== 'gap' && !isGap && last?.kind === wanted) last.chars.push(char);
    else if (kind !== 'gap') runs.push({ kind: wanted, chars: [char], isAfterRun: !isGap });
    isGap = kind === 'gap';
  }
  return runs;
}

/**
 * What the index keeps of a text: pairs of Han characters; the last character of each run, so that a single character
 * is found as the beginning of something; Latin words and numbers with their parts; and the pair across the border of
 * the two (双11, 95后).
 */
export function indexLexemes(text: string): Set<string> {
  const lexemes = new Set<string>();
  const runs = runsOf(fold(text));
  runs.forEach((run, index) => {
    const next = runs[index + 1];
    const borders = next?.isAfterRun ? next : null;
    if (run.kind === 'han') {
      pairsOf(run.chars).forEach((pair) => lexemes.add(pair));
      lexemes.add(run.chars.at(-1) ?? '');
      if (borders) lexemes.add(borderLexeme(run, borders));
      return;
    }
    for (const part of latinParts(run)) {
      lexemes.add(part);
      for (const piece of part.match(/\p{Nd}{2,}|[^\p{Nd}]{2,}/gu) ?? []) lexemes.add(piece);
    }
    if (borders) lexemes.add(borderLexeme(run, borders));
  });
  return lexemes;
}

/**
 * The words of a query, each of which must be found. A single character left over between words is dropped, unless it
 * touches a number or is all there is; `keepsSingles`: it belongs to its neighbour instead (代茶饮 is not just any 茶饮).
 */
export function queryWords(text: string, cut: CutWords, { keepsSingles = false } = {}): QueryWord[] {
  const folded = fold(text);
  const pieces = splitBySynonyms(folded.map(({ char }) => char).join(''), cut);
  const words = pieces.flatMap((piece) =>
    typeof piece === 'string'
      ? plainWords(piece, cut, keepsSingles).map((form) => ({ forms: [form] }))
      : [{ forms: piece.map((form) => wholeForm(form, cut)) }],
  );
  if (words.length > 0) return distinct(words);
  const characters = runsOf(folded).flatMap((run) => run.chars);
  return distinct(characters.map((char) => ({ forms: [{ text: char, lexemes: [{ text: char, isPrefix: true }] }] })));
}

/** The words with the near forms of each beside its own, and which those were; null where no word has any. */
export function withNearForms(words: QueryWord[], cut: CutWords): { words: QueryWord[]; near: NearWord[] } | null {
  const all = words.map((word) => {
    const texts = new Set(word.forms.flatMap(({ text }) => nearForms(text)));
    return { word, by: Array.from(texts, (text) => wholeForm(text, cut)) };
  });
  const near = all.filter(({ by }) => by.length > 0);
  return near.length > 0 ? { words: all.map(({ word, by }) => ({ forms: [...word.forms, ...by] })), near } : null;
}

/** A word of a query, and the near ones that were asked for beside it. */
export type NearWord = { word: QueryWord; by: WordForm[] };

function plainWords(text: string, cut: CutWords, keepsSingles = false): WordForm[] {
  const runs = runsOf(fold(text));
  return runs.flatMap((run, index) => {
    const before = run.isAfterRun ? runs[index - 1] : undefined;
    const after = runs[index + 1]?.isAfterRun ? runs[index + 1] : undefined;
    if (run.kind === 'latin') return latinParts(run).map((part) => latinWord(part, after));
    return hanWords(run, { before, after }, (han) => (keepsSingles ? glueSingles(cut(han)) : cut(han)));
  });
}

/** A synonym of several runs is one form: 双11 asks for all that its parts ask for, 新能源车 for its last character too. */
function wholeForm(text: string, cut: CutWords): WordForm {
  return { text, lexemes: plainWords(text, cut, true).flatMap((word) => word.lexemes) };
}

type Neighbours = { before: Run | undefined; after: Run | undefined };

function hanWords(run: Run, { before, after }: Neighbours, cut: CutWords): WordForm[] {
  const pieces = joinSingles(cut(run.chars.join('')));
  return pieces.flatMap((piece, index) => {
    const chars = [...piece];
    if (chars.length > 1) return [{ text: piece, lexemes: pairsOf(chars).map((text) => ({ text, isPrefix: false })) }];
    if (FILLERS.has(piece)) return [];
    // Alone beside a number it belongs to it: the 双 of 双11.
    if (index === pieces.length - 1 && after) return [bordering(run, after)];
    if (index === 0 && before) return [bordering(before, run)];
    return [];
  });
}

/** Names are not in a dictionary, which leaves their characters one by one: such neighbours are one word. */
function joinSingles(pieces: string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const piece of pieces) {
    const isSingle = [...piece].length === 1 && !FILLERS.has(piece);
    if (isSingle && isOpen) joined.push((joined.pop() ?? '') + piece);
    else joined.push(piece);
    isOpen = isSingle;
  }
  return joined;
}

/** Each lone character with the word before it, or the one after it where it is the first. */
function glueSingles(cut: string[]): string[] {
  const isWord = (piece: string | undefined) => piece !== undefined && [...piece].length > 1;
  const glued: string[] = [];
  let lone = '';
  const pieces = joinSingles(cut);
  for (const [index, piece] of pieces.entries()) {
    const isLone = !isWord(piece) && !FILLERS.has(piece);
    if (isLone && isWord(glued.at(-1))) glued.push(`${glued.pop() ?? ''}${piece}`);
    else if (isLone && isWord(pieces[index + 1])) lone = piece;
    else {
      glued.push(lone + piece);
      lone = '';
    }
  }
  return glued;
}

function bordering(first: Run, second: Run): WordForm {
  const text = borderLexeme(first, second);
  return { text, lexemes: [{ text, isPrefix: second.kind === 'latin' }] };
}

function borderLexeme(first: Run, second: Run): string {
  return first.kind === 'han'
    ? `${first.chars.at(-1) ?? ''}${latinParts(second)[0] ?? ''}`
    : `${latinParts(first).at(-1) ?? ''}${second.chars[0] ?? ''}`;
}

/** May be the beginning of what is there (liv, 202), but for a lone sign with its word behind it (the 3 of 3月). */
function latinWord(text: string, after: Run | undefined): WordForm {
  return { text, lexemes: [{ text, isPrefix: text.length > 1 || !after }] };
}

/** Cut before and after a year, which titles glue to other numbers: 2024618 is 2024 and 618. */
function latinParts(run: Run): string[] {
  const text = run.chars.join('');
  return text
    .replace(/(?<!\p{Nd})((?:19|20)\p{Nd}{2})(?=.)/gu, '$1 ')
    .replace(/(?<=\p{Nd})((?:19|20)\p{Nd}{2})(?!\p{Nd})/gu, ' $1 ')
    .split(' ')
    .filter(Boolean)
    .map((part) => part.slice(0, MAX_LATIN));
}

function pairsOf(chars: string[]): string[] {
  return chars.slice(1).map((char, index) => `${chars[index] ?? ''}${char}`);
}

function distinct(words: QueryWord[]): QueryWord[] {
  return [...new Map(words.map((word) => [word.forms.map((form) => form.text).join('|'), word])).values()];
}

/** Raise it with any change of what indexLexemes (words.ts) gives: saved indexes of another version are made again. */
export const TOKENIZER_VERSION = 1;
