import type { Sort } from '../../../library/limits.ts';
import type { Ctx } from '../../../context.ts';
import { addToCounts, copyOf, failsOf, noCounts } from '../../../library/document-filter.ts';
import { REACH } from '../../engine/match/query.ts';
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
  /** True allows another spelling or fewer words when nothing matches the typed query. */
  isForgiving?: boolean;
};

export type Answered = Found & {
  /** The words that were searched for in the end, to be marked in results. */
  words: QueryWord[];
  /** How many of `total` contain the words only on their pages; they come last. */
  onlyInPages: number;
  /** How many of `total` contain every word of the query (C-117); they come first. */
  fullCount: number;
  /** The documents of `ids` that contain all words in different places: name and pages, or different pages. */
  spread: ReadonlySet<number>;
  forgiven: Forgiven;
};

type Listed = Omit<Answered, 'forgiven' | 'fullCount' | 'spread'>;
/** `inside`: the documents that contain the words only on their pages, without the filter. */
type WithInside = Listed & { inside: readonly PagedDocument[] };

/** How a query without results was changed, or could be; the page shows all of it. */
export type Forgiven = {
  /** The typed query, when the answer is that of another spelling; "" otherwise. */
  correctedFrom: string;
  /** The query that was answered. */
  searchedFor: string;
  /** A spelling that would find far more; "" when there is none. */
  didYouMean: string;
  /** Words that were left out because no document contains all words. */
  dropped: string[];
  /** The query words of `dropped` or `near`. */
  droppedWords: QueryWord[];
  /** Words that no document contains, and the near words that were searched for instead. */
  near: { word: string; by: string[] }[];
};

/** With fewer results another spelling is tried; it is offered when it finds at least FAR_MORE times as many. */
const MIN_RESULTS = 5;
const FAR_MORE = 5;

/**
 * Returns one page of the results: by name, keyword, organization and industry, and when these are few, by pages too. Without results it
 * tries, in this order: documents with the words in different places, near words, another spelling, long words split into their parts,
 * and the query without its weakest words.
 */
export async function answerQuery(ctx: Ctx, question: Question): Promise<Answered> {
  const { key } = question;
  const count = (words: QueryWord[]) => countNamed(ctx, words);
  const cutQuery = question.isForgiving ? requiredWords : queryWords;
  const literal = await answerWords(ctx, question, await wordsOf(ctx, key, cutQuery));
  if (!question.isForgiving || literal.total >= MIN_RESULTS) return answered(literal, { searchedFor: key });
  // A narrow filter is no spelling error: the words are counted without the filter.
  const named = literal.words.length > 0 ? await count(literal.words) : 0;
  const total = Math.max(literal.total, named);
  if (total >= MIN_RESULTS) return answered(literal, { searchedFor: key });
  const spelling = correctQuery(key, vocabularyOf(ctx), soundsOf) ?? '';
  const mended = spelling ? requiredWords(spelling, cutWords) : [];
  const mendedTotal = mended.length > 0 ? await count(mended) : 0;
  const isFarMore = mendedTotal > 0 && mendedTotal >= total * FAR_MORE;
  const isSlip = isFarMore && total > 0 && named === 0 && (await isOnlyPart(ctx, key, literal.words));
  if (total > 0 && !isSlip) {
    return answered(literal, { searchedFor: key, didYouMean: isFarMore ? spelling : '' });
  }
  const spread = await listSpread(ctx, literal.words, count);
  const near = spread.length === 0 && !isSlip ? await answerNear(ctx, question, literal.words) : null;
  if (near) return near;
  if (mendedTotal > 0 && spread.length === 0) {
    return answered(await answerWords(ctx, question, mended), { searchedFor: spelling, correctedFrom: key });
  }
  const isCutFiner = spread.length === 0 && literal.words.length <= MAX_WORDS;
  const looser = isCutFiner ? await splitLongWords(key, literal.words, count) : '';
  const loosened = looser ? requiredWords(looser, cutWords) : [];
  if (loosened.length > 0 && (await count(loosened)) > 0) {
    return answered(await answerWords(ctx, question, loosened), { searchedFor: looser, correctedFrom: key });
  }
  const rescued =
    (await dropWeakestWords(key, literal.words, count)) ??
    (looser ? await dropWeakestWords(looser, loosened, count) : null);
  if (!rescued && spread.length === 0) return answered(literal, { searchedFor: key });
  return answerSpread(ctx, question, { words: literal.words, spread, rescued });
}

/** Tells whether no name contains the query with its generic words: then the meaningful part alone may be a misspelling (亲自活动). */
async function isOnlyPart(ctx: Ctx, key: string, words: QueryWord[]): Promise<boolean> {
  const all = queryWords(key, cutWords);
  return textOf(all) !== textOf(words) && (await countNamed(ctx, all)) === 0;
}

/** Answers with near words (synonyms.txt). Pages are not searched: a page that contains 员工 is not about 团建. */
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
  return { ...answered({ ...found, words: widened.words, onlyInPages: 0 }, forgiven), fullCount: 0 };
}

/** Returns a folded piece of a query as it was typed: 4S店 for 4s店. */
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
 * Pages two lists as one: first the documents that contain all words in different places (`spread`, unfiltered), then the results of the
 * shortened query (`rescued`) without them.
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
    ...answered(listed, {
      searchedFor: rescued && spread.length === 0 ? rescued.kept.join(' ') : question.key,
      dropped: isRescued ? rescued.dropped : [],
      droppedWords: isRescued ? rescued.droppedWords : [],
    }),
    fullCount: full.length,
    spread: new Set(first),
  };
}

/** Returns the words of the query with all single characters when anything matches them, else without single characters. */
async function wordsOf(ctx: Ctx, key: string, cutQuery: typeof queryWords): Promise<QueryWord[]> {
  const words = cutQuery(key, cutWords);
  const whole = cutQuery(key, cutWords, { keepsSingles: true });
  if (textOf(whole) === textOf(words)) return words;
  const hasMatch = (await countNamed(ctx, whole)) > 0 || (await listOnlyInPages(ctx, whole)).length > 0;
  return hasMatch ? whole : words;
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

const answered = (listed: Listed, forgiven: Partial<Forgiven>): Answered => ({
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
  // The counts may be cached for other requests, so they are copied before they change.
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

/** Tells whether the unfiltered results fill less than a page. Deciding by filtered results would make the counts of choices wrong. */
async function areFew(ctx: Ctx, { filter }: Question, words: QueryWord[], named: Found): Promise<boolean> {
  if (named.total >= SEARCH_PAGE_SIZE || !isNarrowed(filter)) return named.total < SEARCH_PAGE_SIZE;
  return (await countNamed(ctx, words)) < SEARCH_PAGE_SIZE;
}
