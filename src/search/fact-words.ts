import { type KeyPage, type PageKind, pageKindOf } from '../library/key-pages.ts';
import type { FactKind } from '../library/limits.ts';
import { FACT_LIMITS } from '../library/plan-facts.ts';
import type { Amount } from './amounts.ts';
import type { Lexeme } from './words.ts';

/**
 * Budget, number of people and of days as words of the index (C-118). A plan that states 50.84 万元 holds `:b5` (six digits), `:b55`, `:b550` and
 * `:b5508400`: the number of further digits, then the first, the first two and all digits. A query for an amount (1000人, 预算10万以内) asks for
 * the words that cover its range exactly, beside the ways to write it, so that the plan is found by what it states, wherever that stands. No
 * word of a text begins with a colon, and no prefix that somebody types. A plan with a floor plan holds `:kfloor_plan`: the kinds of its pages (library/key-pages.ts).
 */
const MARKS: Record<FactKind, string> = { budget: ':b', people: ':p', days: ':d' };

/** Longest beginning of a number that is a word of the index. Finer ranges are looked up as prefixes of the whole number: a word for each longer beginning would add a third to the words of a short name. */
const MAX_DIGITS_OF_A_WORD = 2;

/** Returns the lexemes of what a plan states; 0 states nothing. */
export function factLexemes(facts: Facts): string[] {
  const kinds = facts.keyPages.map(({ kind }) => pageLexeme(kind));
  return [...STATED.flatMap(({ kind, of }) => lexemesOf(kind, of(facts))), ...kinds];
}
type Stated = { budgetYuan: number; people: number; days: number };
type Facts = Stated & { keyPages: readonly KeyPage[] };
const STATED: readonly { kind: FactKind; of: (facts: Stated) => number }[] = [
  { kind: 'budget', of: ({ budgetYuan }) => budgetYuan },
  { kind: 'people', of: ({ people }) => people },
  { kind: 'days', of: ({ days }) => days },
];

const PAGE_MARK = ':k';
const pageLexeme = (kind: PageKind) => `${PAGE_MARK}${kind}`;

/** Returns the lexeme of the kind of page that one of the forms of a word means; null for most words. */
export function pageLexemeOf(forms: readonly string[]): string | null {
  const kind = forms.map(pageKindOf).find((each) => each !== undefined);
  return kind ? pageLexeme(kind) : null;
}

/** Returns the first page of the kind that the forms of a word ask for. */
export const keyPageFor = <Page extends { kind: string }>(pages: readonly Page[], forms: readonly string[]) =>
  pages.find(({ kind }) => forms.includes(`${PAGE_MARK}${kind}`));

function lexemesOf(kind: FactKind, value: number): string[] {
  if (value <= 0) return [];
  const digits = String(value);
  const beginnings = [0, 1, MAX_DIGITS_OF_A_WORD, digits.length].map((length) => digits.slice(0, length));
  return [...new Set(beginnings)].map((beginning) => lexemeOf(kind, digits.length, beginning));
}

const lexemeOf = (kind: FactKind, length: number, beginning: string) => `${MARKS[kind]}${length - 1}${beginning}`;

/** Tells whether a form of a word is such a lexeme, which no text contains. */
export const isFactForm = (form: string): boolean => /^:(?:[bpd]\d+|k[a-z_]+)$/.test(form);

/** Tells whether a plan that states these facts holds one of the forms of a query. */
export function statesOneOf(facts: Stated, forms: readonly string[]): boolean {
  // lexemesOf returns the lexeme of the whole number last; the other lexemes of the number begin it.
  const whole = STATED.map(({ kind, of }) => lexemesOf(kind, of(facts)).at(-1));
  return forms.some((form) => isFactForm(form) && whole.some((lexeme) => lexeme?.startsWith(form)));
}

/** A fifth less and a quarter more are near: 800 to 1250 for 1000, and 3 alone for 3. */
const NEAR = { from: 0.8, to: 1.25 };
/**
 * Returns the lexemes of which a plan holds one when it states an amount that fits; [] for an amount of anything else. `named`: the word beside it
 * that says what it is, "" for none: without one, and without a limit, 千万 is a word.
 */
export function fittingLexemes({ typed, from, to, unit, bound, isLimited }: Amount, named: string): Lexeme[] {
  const isPeople = unit === '人' || (unit === '' && PEOPLE_NAME.test(named));
  const isDays = unit === '天';
  const kind: FactKind = isPeople ? 'people' : isDays ? 'days' : 'budget';
  const isAmount =
    unit === '元' || isPeople || isDays || (unit === '万' && (named !== '' || isLimited || !/^[千百]*万$/.test(typed)));
  const { min, max } = FACT_LIMITS[kind];
  if (!isAmount || to < min) return [];
  const isRange = from !== to;
  const lowest = bound === 'atMost' ? min : bound === 'atLeast' || isRange ? from : from * NEAR.from;
  const highest = bound === 'atLeast' ? max : bound === 'atMost' || isRange ? to : to * NEAR.to;
  return cover(kind, Math.max(min, Math.ceil(lowest)), Math.min(max, Math.floor(highest)));
}

/** Returns the fewest lexemes that all numbers of a range hold and no other number does. */
function cover(kind: FactKind, from: number, to: number): Lexeme[] {
  const lengths = Array.from({ length: String(to).length }, (_, index) => index + 1);
  return lengths.flatMap((length) => coverFrom(kind, { from, to, length }, ''));
}

type Range = { from: number; to: number; length: number };

function coverFrom(kind: FactKind, range: Range, beginning: string): Lexeme[] {
  const { from, to, length } = range;
  const first = Number((beginning || '1').padEnd(length, '0'));
  const last = Number(beginning.padEnd(length, '9'));
  if (last < from || first > to) return [];
  if (from <= first && last <= to) {
    const isWord = beginning.length <= MAX_DIGITS_OF_A_WORD || beginning.length === length;
    return [{ text: lexemeOf(kind, length, beginning), isPrefix: !isWord }];
  }
  return [...'0123456789']
    .filter((digit) => beginning !== '' || digit !== '0')
    .flatMap((digit) => coverFrom(kind, range, beginning + digit));
}

/** Words that say what an amount is; beside it they ask for nothing themselves. */
export const FACT_NAME = /^(?:预算|经费|费用|人数|规模)$/u;
const PEOPLE_NAME = /^(?:人数|规模)$/u;
