import { createRandom } from '../../demo/random.ts';
import { fold } from '../../src/search/fold.ts';
import { cutWords } from '../../src/search/server/words/cut-words.ts';
import { joinWrappedLines } from '../../src/search/snippet.ts';
import type { Library, Measured } from './ask-library.ts';
import { figuresOf, meanOf } from './figures.ts';

/** A deck as the automatic queries see it. `labels`: industry, city and other keywords. `pages`: the text of each page. */
export type DeckTexts = { file: string; name: string; labels: string[]; pages: string[] };

/**
 * "A label or word of the name, and a word that stands on the pages of that deck alone": only one deck holds both. Lines
 * that a slide wrapped are one text, as they are for search.
 */
type PairQuery = { query: string; file: string };

/** The number of pair queries. */
export const PAIRS = 250;
const SEED = 20_261_123;
const MIN_WORD = 2;

/** Returns `count` queries of a label or name word and a word that only the pages of one deck hold; the same for the same decks. */
function pairQueries(decks: DeckTexts[], count: number): PairQuery[] {
  const random = createRandom(SEED);
  const texts = decks.map(({ name, labels, pages }) =>
    foldedText([name, ...labels, ...pages.map(joinWrappedLines)].join('\n')),
  );
  const candidates = decks.map((deck, at) => {
    const named = foldedText([deck.name, ...deck.labels].join('\n'));
    const others = texts.filter((_, other) => other !== at);
    const words = new Set(deck.pages.flatMap(wordsOf));
    const own = [...words].filter((word) => !named.includes(word) && !others.some((text) => text.includes(word)));
    return { deck, own, heads: [...new Set([...deck.labels, ...wordsOf(deck.name)])] };
  });
  const able = candidates.filter(({ own, heads }) => own.length > 0 && heads.length > 0);
  const found = new Map<string, string>();
  for (let turn = 0; found.size < count && turn < count * 4; turn++) {
    const { deck, own, heads } = able[turn % able.length] ?? { deck: null, own: [], heads: [] };
    if (deck) found.set(`${random.pick(heads)} ${random.pick(own)}`, deck.file);
  }
  return Array.from(found, ([query, file]) => ({ query, file }));
}

/** Words that planners type behind a subject; they make no deck more relevant. */
const TAILS = ['活动方案', '活动策划方案模板'] as const;

/** Returns the queries of one subject that have no tail yet, of the sets that have always been asked with one. */
function headsOf(measured: Measured[]): Measured[] {
  const isHead = ({ query, grades, ...rest }: Measured) =>
    rest.set !== 'trade' &&
    grades.size > 0 &&
    HEAD_CLASSES.has(rest.class) &&
    /^\p{Script=Han}{2,6}$/u.test(query) &&
    !GENERIC.test(query);
  return measured.filter(isHead).filter((_, at) => at % HEADS_STEP === 0);
}

/** Every second head is asked: enough to tell, and a test should be quick. */
const HEADS_STEP = 2;
const HEAD_CLASSES: ReadonlySet<string> = new Set(['industry', 'theme', 'hot word', 'brand', 'everyday', 'short']);
const GENERIC = /活动|方案|策划|模板|案例/u;

/** Returns the words of a text, line by line: what a wrapped line broke off is no word. */
const wordsOf = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) =>
      (foldedText(line).match(/\p{Script=Han}+|\p{Script=Latin}{3,}/gu) ?? [])
        .flatMap((run) => (/^\p{Script=Han}/u.test(run) ? cutWords(run) : [run]))
        .filter((word) => [...word].length >= MIN_WORD),
    );

const foldedText = (text: string) =>
  text
    .split('\n')
    .map((line) =>
      fold(line)
        .map(({ char, kind }) => (kind === 'gap' ? ' ' : char))
        .join(''),
    )
    .join('\n');

/** How the automatic queries were answered. */
export type AutomaticFigures = {
  pairs: number;
  /** The pair queries whose deck does not come first. */
  misses: (PairQuery & { found: string[] })[];
  heads: number;
  /** Mean nDCG@10 of the heads alone, and with each of TAILS behind them. */
  ndcg: number[];
};

/** Asks the pair queries of the decks, and with each tail the heads among the queries that were measured. */
export async function measureAutomatic(
  library: Library,
  measured: Measured[],
  count: number,
): Promise<AutomaticFigures> {
  const pairs = pairQueries(library.decks, count);
  const answers = await library.ask(pairs.map(({ query }) => query));
  const misses = pairs
    .map((pair, at) => ({ ...pair, found: answers[at] ?? [] }))
    .filter(({ file, found }) => found[0] !== file);
  const heads = headsOf(measured);
  const ndcg = [meanOf(heads.map(({ figures }) => figures)).ndcg];
  for (const tail of TAILS) {
    const found = await library.ask(heads.map(({ query }) => query + tail));
    ndcg.push(meanOf(heads.map((head, at) => figuresOf(head, found[at] ?? []))).ndcg);
  }
  return { pairs: pairs.length, misses, heads: heads.length, ndcg };
}

/** Returns the suggested words that find nothing. */
export async function emptySuggestions(library: Library, words: string[]): Promise<string[]> {
  const answers = await library.ask(words);
  return words.filter((_, at) => answers[at]?.length === 0);
}
