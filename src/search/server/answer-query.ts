import type { Ctx } from '../../context.ts';
import { addToCounts, copyOf, failsOf, noCounts } from '../../library/shelf-filter.ts';
import { SEARCH_PAGE_SIZE } from '../limits.ts';
import { isNarrowed } from '../rules.ts';
import { mendQuery } from '../spelling.ts';
import { queryWords, type QueryWord } from '../words.ts';
import { cutWords } from './cut-words.ts';
import { listOnlyInPages } from './find-in-pages.ts';
import { countNamed, findNamed, type NamedWanted } from './find-named.ts';
import { loosenQuery } from './loosen-query.ts';
import type { PagedDocument } from './page-store.ts';
import { dropWeakest, MOST_WORDS } from './rescue-query.ts';
import { soundsOf } from './sounds.ts';
import type { Found } from './store.ts';
import { vocabularyOf } from './vocabulary.ts';

export type Question = NamedWanted & {
  key: string;
  /** Where nothing answers what was typed, another spelling or fewer words may; never when told to take it literally. */
  isForgiving?: boolean;
};

export type Answered = Found & {
  /** What was looked for in the end: to be marked in what is shown. */
  words: QueryWord[];
  /** How many of `total` say it only inside; they come last. */
  onlyInPages: number;
  forgiven: Forgiven;
};

/** What was done about a query that finds nothing, or could be: all of it is said to whoever asked. */
export type Forgiven = {
  /** What was typed, where the answer is that of another spelling; "" otherwise. */
  correctedFrom: string;
  /** What the answer is for. */
  searchedFor: string;
  /** A spelling that would find far more; "" when there is none. */
  didYouMean: string;
  /** Words left out, because nothing has all of them. */
  dropped: string[];
};

/** Below it another spelling is looked for, and offered when it finds at least so many times more. */
const FEW = 5;
const FAR_MORE = 5;

/**
 * One page of what answers the question: by name, keyword and organization, and where these are few, by the pages too.
 * Where nothing answers it, a known spelling of it is asked for instead, or its long words are cut into their parts, or it
 * is asked for without its weakest words.
 */
export async function answerQuery(ctx: Ctx, question: Question): Promise<Answered> {
  const { key } = question;
  const count = (words: QueryWord[]) => countNamed(ctx, words);
  const literal = await answerWords(ctx, question, await wordsOf(ctx, key));
  if (!question.isForgiving || literal.total >= FEW) return said(literal, { searchedFor: key });
  // A filter that leaves little over is no slip: only the words are judged here.
  const total = Math.max(literal.total, literal.words.length > 0 ? await count(literal.words) : 0);
  if (total >= FEW) return said(literal, { searchedFor: key });
  const spelling = mendQuery(key, vocabularyOf(ctx), soundsOf) ?? '';
  const mended = spelling ? queryWords(spelling, cutWords) : [];
  const mendedTotal = mended.length > 0 ? await count(mended) : 0;
  if (total > 0) {
    return said(literal, { searchedFor: key, didYouMean: mendedTotal >= total * FAR_MORE ? spelling : '' });
  }
  if (mendedTotal > 0) {
    return said(await answerWords(ctx, question, mended), { searchedFor: spelling, correctedFrom: key });
  }
  const looser = literal.words.length <= MOST_WORDS ? await loosenQuery(key, literal.words, count) : '';
  const loosened = looser ? queryWords(looser, cutWords) : [];
  if (loosened.length > 0 && (await count(loosened)) > 0) {
    return said(await answerWords(ctx, question, loosened), { searchedFor: looser, correctedFrom: key });
  }
  const rescued =
    (await dropWeakest(key, literal.words, count)) ?? (looser ? await dropWeakest(looser, loosened, count) : null);
  if (!rescued) return said(literal, { searchedFor: key });
  const { words, kept, dropped } = rescued;
  return said(await answerWords(ctx, question, words), { searchedFor: kept.join(' '), dropped });
}

/** What was typed with every character of it, where anything says so; else what is left without lone characters. */
async function wordsOf(ctx: Ctx, key: string): Promise<QueryWord[]> {
  const words = queryWords(key, cutWords);
  const whole = queryWords(key, cutWords, { keepsSingles: true });
  if (textOf(whole) === textOf(words)) return words;
  const isSaid = (await countNamed(ctx, whole)) > 0 || (await listOnlyInPages(ctx, whole)).length > 0;
  return isSaid ? whole : words;
}

const textOf = (words: QueryWord[]) => words.map(({ forms }) => forms[0]?.text).join(' ');

const said = (answered: Omit<Answered, 'forgiven'>, forgiven: Partial<Forgiven>): Answered => ({
  ...answered,
  forgiven: { correctedFrom: '', searchedFor: '', didYouMean: '', dropped: [], ...forgiven },
});

async function answerWords(ctx: Ctx, question: Question, words: QueryWord[]): Promise<Omit<Answered, 'forgiven'>> {
  if (words.length === 0) return { ids: [], total: 0, counts: noCounts(), words, onlyInPages: 0 };
  const { filter, sort, limit, offset } = question;
  const named = await findNamed(ctx, words, question);
  if (!(await areFew(ctx, question, words, named))) return { ...named, words, onlyInPages: 0 };
  const all = await listOnlyInPages(ctx, words);
  const inside = all.filter((document) => failsOf(filter, document) === 0);
  if (sort !== 'relevance') inside.sort((a, b) => KEY[sort](b) - KEY[sort](a) || b.id - a.id);
  // An answer may be remembered for others: what is added is added to a copy.
  const counts = copyOf(named.counts);
  addToCounts(counts, filter, all, ctx.clock.now());
  const first = Math.max(0, offset - named.total);
  const more = inside.slice(first, first + Math.max(0, limit - named.ids.length)).map(({ id }) => id);
  return {
    ids: [...named.ids, ...more],
    total: named.total + inside.length,
    counts,
    words,
    onlyInPages: inside.length,
  };
}

const KEY = {
  newest: ({ createdAt }: PagedDocument) => Math.floor(createdAt.getTime() / 1_000),
  hottest: ({ popularity }: PagedDocument) => popularity,
  pages: ({ pageCount }: PagedDocument) => pageCount,
};

/** Less than a page without any filter: or else the count beside a choice would not be what the choice then finds. */
async function areFew(ctx: Ctx, { filter }: Question, words: QueryWord[], named: Found): Promise<boolean> {
  if (named.total >= SEARCH_PAGE_SIZE || !isNarrowed(filter)) return named.total < SEARCH_PAGE_SIZE;
  return (await countNamed(ctx, words)) < SEARCH_PAGE_SIZE;
}
