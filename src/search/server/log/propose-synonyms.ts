import { requiredWords } from '../../generic-words.ts';
import { nearForms } from '../../synonyms.ts';
import type { QueryWord } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';
import type { ChangedQuery } from './store-log.ts';

/** A line for the operator's synonyms file (synonyms.ts), and how many searches suggest it. */
export type Proposal = { line: string; times: number };

/** A line without a right side is not worth an operator's time before this many searches. */
const MIN_MISSES = 2;

/**
 * Proposes lines for SYNONYMS_FILE: `word ~ other` where people replaced one word of a query without a result by one that found something; `# word ~ ` for
 * words of queries without a result that the library lacks and nothing is known to be related to, to be completed by the operator.
 * The most frequent first. `misses`: queries without a result.
 */
export function proposeSynonyms(from: {
  changed: ChangedQuery[];
  misses: { query: string; searches: number }[];
  isKnown: (word: string) => boolean;
}): Proposal[] {
  const { changed, misses, isKnown } = from;
  const lines = new Map<string, number>();
  const add = (line: string, times: number) => lines.set(line, (lines.get(line) ?? 0) + times);
  const explained = new Set<string>();
  for (const { from: before, to, times } of changed) {
    const replaced = oneReplaced(before, to);
    if (!replaced || nearForms(replaced.word).includes(replaced.by)) continue;
    add(`${replaced.word} ~ ${replaced.by}`, times);
    explained.add(replaced.word);
  }
  const lacking = new Map<string, number>();
  for (const { query, searches } of misses) {
    for (const word of wordsOf(query)) {
      const isTold = isKnown(word) || nearForms(word).length > 0 || explained.has(word);
      if (!isTold && LETTERS.test(word)) lacking.set(word, (lacking.get(word) ?? 0) + searches);
    }
  }
  for (const [word, times] of lacking) if (times >= MIN_MISSES) add(`# ${word} ~ `, times);
  return Array.from(lines, ([line, times]) => ({ line, times })).sort((a, b) => b.times - a.times);
}

/** A form of a synonyms file has two characters at least; numbers and masked texts are no words. */
const LETTERS = /^[\p{Script=Han}\p{Script=Latin}]{2,}$/u;

/** Returns the word of the first query that stands in the second as another one, when all other words are the same. */
function oneReplaced(before: string, after: string): { word: string; by: string } | null {
  const [first, second] = [wordsOf(before), wordsOf(after)];
  const [word, ...more] = first.filter((each) => !second.includes(each));
  const [by, ...others] = second.filter((each) => !first.includes(each));
  if (!word || !by || more.length > 0 || others.length > 0) return null;
  return LETTERS.test(word) && LETTERS.test(by) ? { word, by } : null;
}

const wordsOf = (query: string): string[] =>
  requiredWords(query, cutWords).map(({ forms }: QueryWord) => forms[0]?.text ?? '');
