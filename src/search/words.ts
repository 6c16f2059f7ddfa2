import { fold, type Folded } from './fold.ts';
import { type Amount, splitByAmounts } from './amounts.ts';
import { FILLERS, glueSingles, joinSinglesOfSpeech } from './single-characters.ts';
import { subjectOfKind } from './event-kinds.ts';
import { numberedFestivals } from './festival-dates.ts';
import { FACT_NAME, fittingLexemes, pageLexemeOf } from './fact-words.ts';
import { isPhrase } from './phrases.ts';
import { isSynonymForm, nearForms, splitBySynonyms, type SynonymGroup } from './synonyms.ts';

/**
 * The tokenizer of index and queries. The index holds pairs of neighbouring characters, so that a word is found anywhere in a name; a
 * query is split into words and requires all pairs of each word.
 */

/** A run without spaces: Han characters, or Latin letters with digits (5G, 4S). */
export type Run = { kind: 'han' | 'latin'; chars: string[]; isAfterRun: boolean };

/**
 * A word of a query. A document matches when the index holds one of its forms. `typed`: the place in `forms` of the one that was typed, where others
 * mean the same. `topic`: the words of the trade that a sentence of daily words is about
 * (everyday-topics.ts), which stands as one word then.
 */
export type QueryWord = { forms: WordForm[]; typed?: number; topic?: readonly string[] };
/** A spelling of the word, folded, and the lexemes the index must hold for it. */
export type WordForm = { text: string; lexemes: Lexeme[] };
export type Lexeme = { text: string; isPrefix: boolean };

/** Splits Han text into words of a dictionary. */
export type CutWords = (text: string) => string[];

const MAX_LATIN = 40;
/** More words than a query has characters (MAX_QUERY_CHARACTERS) come of characters that fold to several, as ㏱ to 18日. The engine has places for 64. */
const MAX_WORDS = 50;

function runsOf(folded: Folded): Run[] {
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
 * Returns the lexemes the index holds of a text: pairs of Han characters; the last character of each run, so that a single character
 * matches as a prefix; Latin words and numbers with their parts; the pair across the boundary of Han and Latin (双11, 95后); and 618 of 6.18.
 */
export function indexLexemes(text: string): Set<string> {
  const lexemes = new Set(numberedFestivals(text));
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
 * Returns the words of a query; a document must match all of them. A single character between words is dropped, unless it touches a
 * number or is the whole query. `keepsSingles` joins it to its neighbour instead (代茶饮 differs from 茶饮).
 */
export function queryWords(text: string, cut: CutWords, { keepsSingles = false } = {}): QueryWord[] {
  const folded = fold(text);
  const pieces = splitBySynonyms(folded.map(({ char }) => char).join(''), cut);
  const parts = pieces.flatMap((piece): (string | SynonymGroup | Amount)[] =>
    typeof piece === 'string' ? splitByAmounts(piece) : [piece],
  );
  const words = withFacts(
    parts.flatMap((part): MaybeAmount[] => {
      if (typeof part === 'string')
        return plainWords(part, cut, keepsSingles).map((form) => ({ word: { forms: [form] } }));
      if ('spellings' in part) return [{ word: { forms: formsOf(part.spellings, cut) }, amount: part }];
      const typed = part.forms.length > 1 ? { typed: part.forms.indexOf(part.typed) } : {};
      return [{ word: { forms: formsOf(part.forms, cut), ...typed } }];
    }),
  );
  // A single letter or digit that touches nothing says nothing beside other words.
  const meant = words.filter(({ forms }) => forms.some(({ text }) => text.length > 1));
  if (meant.length > 0) return distinct(meant).slice(0, MAX_WORDS);
  if (words.length > 0) return distinct(words).slice(0, MAX_WORDS);
  const characters = runsOf(folded).flatMap((run) => run.chars);
  return distinct(
    characters.map((char) => ({ forms: [{ text: char, lexemes: [{ text: char, isPrefix: true }] }] })),
  ).slice(0, MAX_WORDS);
}

const formsOf = (texts: readonly string[], cut: CutWords): WordForm[] =>
  withPageKind(texts.map((text) => wholeForm(text, cut)));

/**
 * Adds to a word for a kind of page (动线设计) the lexeme of plans with such a page, whatever words the page uses. Its characters stand together: 传播媒介 and 内容排期
 * in the table of a team are no 媒介排期.
 */
function withPageKind(forms: WordForm[]): WordForm[] {
  const lexeme = pageLexemeOf(forms.map(({ text }) => text));
  return lexeme === null
    ? forms
    : [...forms.map(together), { text: lexeme, lexemes: [{ text: lexeme, isPrefix: false }] }];
}

const together = (form: WordForm): WordForm =>
  /^\p{Script=Han}{2,}$/u.test(form.text)
    ? { ...form, lexemes: pairsOf([...form.text]).map((text) => ({ text, isPrefix: false })) }
    : form;

type MaybeAmount = { word: QueryWord; amount?: Amount };

/**
 * Adds to amounts of money and people the lexemes of plans that state such an amount (fact-words.ts). A word beside them that names what they
 * are (预算10万) is a part of them.
 */
function withFacts(words: MaybeAmount[]): QueryWord[] {
  const nameAt = (at: number) => words[at]?.word.forms[0]?.text.match(FACT_NAME)?.[0] ?? '';
  const fitting = words.map(({ amount }, at) =>
    amount ? fittingLexemes(amount, nameAt(at - 1) || nameAt(at + 1)) : [],
  );
  const isFact = (at: number) => (fitting[at]?.length ?? 0) > 0;
  return words.flatMap(({ word }, at) => {
    const facts = (fitting[at] ?? []).map((lexeme): WordForm => ({ text: lexeme.text, lexemes: [lexeme] }));
    const isSaid = nameAt(at) !== '' && (isFact(at + 1) || isFact(at - 1));
    return isSaid ? [] : [{ ...word, forms: [...word.forms, ...facts] }];
  });
}

/**
 * Returns the words that are related to a word: those of the thesaurus (`word ~ related` in synonyms.txt); where it knows none, what a kind of event or place
 * is about (咖啡 of 咖啡节) or what a compound is (婚礼 of 集体婚礼). They are weaker than the word, never equal to it.
 */
export function relatedWords(word: QueryWord, cut: CutWords): WordForm[] {
  const near = word.topic ?? word.forms.flatMap(({ text }) => nearForms(text));
  const [form, ...others] = word.forms;
  const part = near.length === 0 && form && others.length === 0 ? partOf(form.text, cut) : null;
  return Array.from(new Set(part === null ? near : [part]), (text) => wholeForm(text, cut));
}

function partOf(text: string, cut: CutWords): string | null {
  const subject = subjectOfKind(text);
  return subject !== null && cut(subject).length === 1 ? subject : headOf(text);
}

/** Returns the word of the thesaurus that ends a compound of four characters and more, which says what it is: 婚礼 of 集体婚礼. */
function headOf(text: string): string | null {
  if (!/^\p{Script=Han}{4,}$/u.test(text)) return null;
  const chars = [...text];
  return (
    chars
      .slice(2, -1)
      .map((_, at) => chars.slice(at + 2).join(''))
      .find((end) => isSynonymForm(end)) ?? null
  );
}

function plainWords(text: string, cut: CutWords, keepsSingles: boolean): WordForm[] {
  const runs = runsOf(fold(text));
  return runs.flatMap((run, index) => {
    const before = run.isAfterRun ? runs[index - 1] : undefined;
    const after = runs[index + 1]?.isAfterRun ? runs[index + 1] : undefined;
    if (run.kind === 'latin') return latinParts(run).map((part) => latinWord(part, before, after));
    return hanWords(run, { before, after }, (han) => (keepsSingles ? glueSingles(cut(han)) : cut(han)));
  });
}

/**
 * Returns a synonym as one form that needs all of its lexemes: 双11 needs 双 and 11. A single last character counts as well, such as
 * 车 in 新能源车.
 */
function wholeForm(text: string, cut: CutWords): WordForm {
  const lexemes = plainWords(text, cut, true).flatMap((word) => word.lexemes);
  if (lexemes.length > 0) return { text, lexemes };
  if ([...text].length === 1) return { text, lexemes: [{ text, isPrefix: true }] };
  // The dictionary splits the form into characters without a meaning of their own (年中).
  return { text, lexemes: pairsOf([...text]).map((pair) => ({ text: pair, isPrefix: false })) };
}

/** Returns a text as one word, whatever words of the dictionary or the thesaurus it is made of. */
export const wholeWord = (text: string, cut: CutWords): QueryWord => ({ forms: [wholeForm(text, cut)] });

/** Returns a sentence as one word that stands for the words of its topic. */
export const sentenceWord = (text: string, topic: readonly string[], cut: CutWords): QueryWord => ({
  ...wholeWord(text, cut),
  topic,
});

/** Tells whether it is no word, but what a phrase or a whole sentence says. A word of the thesaurus is one, though a phrase reads like it (快闪…店). */
export const isPhraseOrSentence = ({ forms, topic }: QueryWord): boolean => {
  const text = forms[0]?.text ?? '';
  return topic !== undefined || (isPhrase(text) && !isSynonymForm(text));
};

type Neighbours = { before: Run | undefined; after: Run | undefined };

function hanWords(run: Run, { before, after }: Neighbours, cut: CutWords): WordForm[] {
  const pieces = joinSinglesOfSpeech(cut(run.chars.join('')));
  return pieces.flatMap((piece, index) => {
    const chars = [...piece];
    if (chars.length > 1) return [{ text: piece, lexemes: pairsOf(chars).map((text) => ({ text, isPrefix: false })) }];
    if (FILLERS.has(piece)) return [];
    // A single character beside a number belongs to the number: the 双 of 双11.
    if (index === pieces.length - 1 && after) return [bordering(run, after)];
    if (index === 0 && before) return [bordering(before, run)];
    return [];
  });
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

/**
 * Tells whether a token may match as a prefix (liv, 202); a single digit or letter beside a word may not, and is sought with the character
 * that it touches (the 3 of 3月, 方案1).
 */
function latinWord(text: string, before: Run | undefined, after: Run | undefined): WordForm {
  if (text.length === 1 && before && !after) {
    const touching = `${before.chars.at(-1) ?? ''}${text}`;
    return { text: touching, lexemes: [{ text: touching, isPrefix: true }] };
  }
  return { text, lexemes: [{ text, isPrefix: text.length > 1 || !after }] };
}

/** Splits around a year that titles join to other numbers: 2024618 is 2024 and 618. */
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

/** Increase this number with every change of the lexemes of indexLexemes: indexes saved by another version are rebuilt. */
export const TOKENIZER_VERSION = 4;
