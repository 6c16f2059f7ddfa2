import type { Ctx } from '../../../context.ts';
import { addToCounts, copyOf, failsOf, noCounts, type Sort } from '../../../library/document-filter.ts';
import { REACH } from '../../engine/query.ts';
import { fold } from '../../fold.ts';
import { requiredWords } from '../../generic-words.ts';
import { placesOf } from '../../highlight.ts';
import { SEARCH_PAGE_SIZE } from '../../limits.ts';
import { isNarrowed } from '../../rules.ts';
import { correctQuery } from '../../spelling.ts';
import { type QueryWord, queryWords, withNearForms } from '../../words.ts';
import type { Found } from '../indexing/store-entries.ts';
import type { PagedDocument } from '../indexing/store-pages.ts';
import { cutWords, soundsOf } from '../words/cut-words.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { listNamed, listOnlyInPages, listSpread } from './find-in-pages.ts';
import { countNamed, findNamed, type NamedWanted } from './find-named.ts';
import { asTyped, dropWeakestWords, splitLongWords, MAX_WORDS, type Rescued } from './rescue-query.ts';

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
  /** How many of `total` hold every word that was asked for (C-117); they come first. */
  fullCount: number;
  /** Those of `ids` that hold all words, but not together: some in the name, others on pages, or on different pages. */
  spread: ReadonlySet<number>;
  forgiven: Forgiven;
};

type Listed = Omit<Answered, 'forgiven' | 'fullCount' | 'spread'>;
/** With all that are found only inside, whatever the filter. */
type WithInside = Listed & { inside: readonly PagedDocument[] };

/** What was done about a query that finds nothing, or could be: all of it is said to whoever asked. */
export type Forgiven = {
  /** What was typed, where the answer is that of another spelling; "" otherwise. */
  correctedFrom: string;
  /** What the answer is for. */
  searchedFor: string;
  /** A spelling that would find far more; "" when there is none. */
  didYouMean: string;
  /** Words left out, because too few documents have all of them. */
  dropped: string[];
  /** What the words of `dropped`, or of `near`, ask for. */
  droppedWords: QueryWord[];
  /** Words that nothing has, and the near ones that were asked for in their place. */
  near: { word: string; by: string[] }[];
};

/** Below it another spelling is looked for, and offered when it finds at least so many times more. */
const FEW = 5;
const FAR_MORE = 5;

/**
 * One page of what answers the question: by name, keyword and organization, and where these are few, by the pages too.
 * Where nothing answers it, documents that hold its words in different places do, then the near words of its own, a known
 * spelling of it, its long words cut into their parts, or what is left of it without its weakest words.
 */
export async function answerQuery(ctx: Ctx, question: Question): Promise<Answered> {
  const { key } = question;
  const count = (words: QueryWord[]) => countNamed(ctx, words);
  const cutQuery = question.isForgiving ? requiredWords : queryWords;
  const literal = await answerWords(ctx, question, await wordsOf(ctx, key, cutQuery));
  if (!question.isForgiving || literal.total >= FEW) return said(literal, { searchedFor: key });
  // A filter that leaves little over is no slip: only the words are judged here.
  const named = literal.words.length > 0 ? await count(literal.words) : 0;
  const total = Math.max(literal.total, named);
  if (total >= FEW) return said(literal, { searchedFor: key });
  const spelling = correctQuery(key, vocabularyOf(ctx), soundsOf) ?? '';
  const mended = spelling ? requiredWords(spelling, cutWords) : [];
  const mendedTotal = mended.length > 0 ? await count(mended) : 0;
  const isFarMore = mendedTotal > 0 && mendedTotal >= total * FAR_MORE;
  const isSlip = isFarMore && total > 0 && named === 0 && (await isOnlyPart(ctx, key, literal.words));
  if (total > 0 && !isSlip) {
    return said(literal, { searchedFor: key, didYouMean: isFarMore ? spelling : '' });
  }
  const spread = await listSpread(ctx, literal.words, count);
  const near = spread.length === 0 && !isSlip ? await answerNear(ctx, question, literal.words) : null;
  if (near) return near;
  if (mendedTotal > 0 && spread.length === 0) {
    return said(await answerWords(ctx, question, mended), { searchedFor: spelling, correctedFrom: key });
  }
  const isCutFiner = spread.length === 0 && literal.words.length <= MAX_WORDS;
  const looser = isCutFiner ? await splitLongWords(key, literal.words, count) : '';
  const loosened = looser ? requiredWords(looser, cutWords) : [];
  if (loosened.length > 0 && (await count(loosened)) > 0) {
    return said(await answerWords(ctx, question, loosened), { searchedFor: looser, correctedFrom: key });
  }
  const rescued =
    (await dropWeakestWords(key, literal.words, count)) ??
    (looser ? await dropWeakestWords(looser, loosened, count) : null);
  if (!rescued && spread.length === 0) return said(literal, { searchedFor: key });
  return answerSpread(ctx, question, { words: literal.words, spread, rescued });
}

/** True where only pages say the words that carry meaning, and nothing at all says them with the generic ones: 亲自活动. */
async function isOnlyPart(ctx: Ctx, key: string, words: QueryWord[]): Promise<boolean> {
  const all = queryWords(key, cutWords);
  return textOf(all) !== textOf(words) && (await countNamed(ctx, all)) === 0;
}

/** The answer of near words (synonyms.txt), from names, keywords and organizations alone: a page that says 员工 is not near 团建. */
async function answerNear(ctx: Ctx, question: Question, words: QueryWord[]): Promise<Answered | null> {
  const widened = withNearForms(words, cutWords);
  if (!widened || (await countNamed(ctx, widened.words)) === 0) return null;
  const found = await findNamed(ctx, widened.words, question);
  const near = await Promise.all(
    widened.near.map(async ({ word, by }) => {
      const totals = await Promise.all(by.map((form) => countNamed(ctx, [{ forms: [form] }])));
      const found = by.filter((_, at) => (totals[at] ?? 0) > 0).map(({ text }) => text);
      return { asked: word, word: typedAs(question.key, asTyped(word, folded(question.key))), by: found };
    }),
  );
  const used = near.filter(({ by }) => by.length > 0);
  const forgiven = {
    near: used.map(({ word, by }) => ({ word, by })),
    droppedWords: used.map(({ asked }) => asked),
    searchedFor: question.key,
  };
  return { ...said({ ...found, words: widened.words, onlyInPages: 0 }, forgiven), fullCount: 0 };
}

/** A folded piece of a query as it was typed: 4S店 for 4s店. */
function typedAs(key: string, piece: string): string {
  const all = fold(key);
  const at = placesOf(piece, all)[0];
  if (at === undefined) return piece;
  return key.slice(all[at]?.start, all[at + [...piece].length - 1]?.end);
}

const folded = (text: string) =>
  fold(text)
    .map(({ char }) => char)
    .join('');

/**
 * First the documents that hold all words, but not together (`spread`, of all filters), then what is left of the query answers
 * without them: two lists, paged as one.
 */
async function answerSpread(
  ctx: Ctx,
  question: Question,
  { words, spread, rescued }: { words: QueryWord[]; spread: PagedDocument[]; rescued: Rescued | null },
): Promise<Answered> {
  const { filter, offset, limit, sort } = question;
  const full = sorted(
    spread.filter((document) => failsOf(filter, document) === 0),
    sort,
  );
  const first = full.slice(offset, offset + limit).map(({ id }) => id);
  const rest = rescued
    ? await answerWords(ctx, { ...question, offset: 0, limit: Math.min(offset + limit, REACH) }, rescued.words)
    : nothing(words);
  const again = new Set([
    ...(rescued ? await listNamed(ctx, spread, rescued.words) : []),
    ...rest.inside.map(({ id }) => id),
  ]);
  const others = rest.ids.filter((id) => !spread.some((document) => document.id === id));
  const from = Math.max(0, offset - full.length);
  const counts = copyOf(rest.counts);
  const isNew = ({ id }: PagedDocument) => !again.has(id);
  addToCounts(counts, filter, spread.filter(isNew), ctx.clock.now());
  const listed = {
    ids: [...first, ...others.slice(from, from + limit - first.length)],
    total: rest.total + full.filter(isNew).length,
    counts,
    words: rescued && spread.length === 0 ? rescued.words : words,
    onlyInPages: rest.onlyInPages,
  };
  const isRescued = rescued !== null && listed.total > full.length;
  return {
    ...said(listed, {
      searchedFor: rescued && spread.length === 0 ? rescued.kept.join(' ') : question.key,
      dropped: isRescued ? rescued.dropped : [],
      droppedWords: isRescued ? rescued.droppedWords : [],
    }),
    fullCount: full.length,
    spread: new Set(first),
  };
}

/** What was typed with every character of it, where anything says so; else what is left without lone characters. */
async function wordsOf(ctx: Ctx, key: string, cutQuery: typeof queryWords): Promise<QueryWord[]> {
  const words = cutQuery(key, cutWords);
  const whole = cutQuery(key, cutWords, { keepsSingles: true });
  if (textOf(whole) === textOf(words)) return words;
  const isSaid = (await countNamed(ctx, whole)) > 0 || (await listOnlyInPages(ctx, whole)).length > 0;
  return isSaid ? whole : words;
}

const textOf = (words: QueryWord[]) => words.map(({ forms }) => forms[0]?.text).join(' ');

const nothing = (words: QueryWord[]): WithInside => ({
  ids: [],
  total: 0,
  counts: noCounts(),
  words,
  onlyInPages: 0,
  inside: [],
});

const said = (listed: Listed, forgiven: Partial<Forgiven>): Answered => ({
  ...listed,
  fullCount: listed.total,
  spread: new Set(),
  forgiven: {
    correctedFrom: '',
    searchedFor: '',
    didYouMean: '',
    dropped: [],
    droppedWords: [],
    near: [],
    ...forgiven,
  },
});

async function answerWords(ctx: Ctx, question: Question, words: QueryWord[]): Promise<WithInside> {
  if (words.length === 0) return nothing(words);
  const { filter, sort, limit, offset } = question;
  const named = await findNamed(ctx, words, question);
  if (!(await areFew(ctx, question, words, named))) return { ...named, words, onlyInPages: 0, inside: [] };
  const all = await listOnlyInPages(ctx, words);
  const inside = sorted(
    all.filter((document) => failsOf(filter, document) === 0),
    sort,
  );
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
    inside: all,
  };
}

const sorted = (documents: PagedDocument[], sort: Sort): PagedDocument[] =>
  sort === 'relevance' ? documents : documents.toSorted((a, b) => KEY[sort](b) - KEY[sort](a) || b.id - a.id);

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
