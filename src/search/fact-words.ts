import { numberOf } from '../library/numerals.ts';

/**
 * Budget and number of people as words of the index (C-118): a plan that states 50.84 万元 and 320 人 holds `b:94` and `p:50`, a class of its
 * logarithm. A query for an amount (1000人, 预算10万) asks for the classes around it beside its spellings, so that the plan is found by what it
 * states, wherever and however it is written. No word of a text contains a colon.
 */
const MARKS = { budget: 'b:', people: 'p:' } as const;
type Kind = keyof typeof MARKS;

/** Twenty classes for each power of ten: a class is an eighth wide. */
const CLASSES = 20;
const classOf = (value: number) => Math.round(Math.log10(value) * CLASSES);
/** A quarter more or less is near: 800 to 1250 for 1000. */
const NEAR = 2;
/** 以内 and 以上 reach to a quarter and to four times the amount: who asks for 10万以内 does not mean 5,000. */
const FAR = Math.round(Math.log10(4) * CLASSES);

/** Returns the lexemes of what a plan states; 0 states nothing. */
export function factLexemes(facts: { budgetYuan: number; people: number }): string[] {
  return [
    ...(facts.budgetYuan > 0 ? [`${MARKS.budget}${classOf(facts.budgetYuan)}`] : []),
    ...(facts.people > 0 ? [`${MARKS.people}${classOf(facts.people)}`] : []),
  ];
}

/** Tells whether a form of a word is such a class, which no text contains. */
export const isFactForm = (form: string): boolean => /^[bp]:\d+$/.test(form);

export type Bound = 'near' | 'atMost' | 'atLeast';

/**
 * Returns the classes that fit an amount of money or people as a query writes it (10万元, 三百人); [] for any other text. `isNamed`: a word beside it
 * says what it is, without which 千万 is a word.
 */
export function fittingClasses(amount: string, { bound, isNamed }: { bound: Bound; isNamed: boolean }): string[] {
  const [, number = '', power = '', unit = ''] = /^(.*?)(万?)(元|人|)$/u.exec(amount) ?? [];
  const kind: Kind = unit === '人' ? 'people' : 'budget';
  const value = numberOf(number + power);
  const isAmount = unit !== '' || (power !== '' && (isNamed || /^\d/.test(number)));
  if (!isAmount || value === null || value < MIN[kind]) return [];
  const middle = classOf(value);
  const from = middle - (bound === 'atMost' ? FAR : bound === 'atLeast' ? 0 : NEAR);
  const to = middle + (bound === 'atLeast' ? FAR : bound === 'atMost' ? 0 : NEAR);
  return Array.from({ length: to - from + 1 }, (_, index) => `${MARKS[kind]}${from + index}`);
}

/** Smaller amounts are prices and teams. */
const MIN: Record<Kind, number> = { budget: 1_000, people: 10 };

/** Words that say what an amount is; beside it they ask for nothing themselves. */
export const FACT_NAME = /^(?:预算|经费|费用|人数|规模)$/u;

const BOUNDS: Record<string, Bound> = {
  以内: 'atMost',
  以下: 'atMost',
  内: 'atMost',
  不超过: 'atMost',
  以上: 'atLeast',
  左右: 'near',
  上下: 'near',
};

/** Returns the bound that a word after an amount sets; null for any other word. */
export const boundOf = (word: string): Bound | null => BOUNDS[word] ?? null;
