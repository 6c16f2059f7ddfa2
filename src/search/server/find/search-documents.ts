import type { Ctx } from '../../../context.ts';
import { type DocumentItem, RANKING_CAP } from '../../../library/contract.ts';
import { type DocumentFilter, type FacetCounts, noCounts } from '../../../library/document-filter.ts';
import { countFacets } from '../../../library/server/catalogue.ts';
import { listByIds, listRecommended, versionGroupOf } from '../../../library/server/list-documents.ts';
import { tierOf } from '../../../membership/server/rights.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { CODE } from '../../../protocol/codes.ts';
import { CodedAnswer, SUCCESS_MESSAGE } from '../../../protocol/envelope.ts';
import { offsetOf } from '../../../protocol/paging.ts';
import { readAskedFilters } from '../../asked-filters.ts';
import { cleanQuery } from '../../clean-query.ts';
import {
  type FoundItem,
  FREE_PAGES,
  FREE_RESULTS,
  type PageHit,
  type searchDocuments as contract,
} from '../../contract.ts';
import { isOnPages } from '../../decks/deck-levels.ts';
import { foldVersions } from '../../fold-versions.ts';
import { highlight } from '../../highlight.ts';
import { saysWord } from '../../phrases.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { isSynonymForm } from '../../synonyms.ts';
import { isNarrowed, SEARCH_LIMIT, documentFilterOf, sortOf, visibleCount } from '../../rules.ts';
import { isPhraseOrSentence, type QueryWord } from '../../words.ts';
import { logSearch } from '../log/search-log.ts';
import { listRelatedQueries } from '../suggest/related-queries.ts';
import { cutWords } from '../words/cut-words.ts';
import { wordAsTyped } from '../../typed-words.ts';
import { type SearchAnswer, answerQuery } from './answer-query.ts';
import { filterChoicesOf } from './choices.ts';
import { listPageHits } from './find-in-pages.ts';
import { findAll } from './find-named.ts';
import type { Question } from './list-words.ts';
import { type DeckCtx, type MatchedDeck, withDeckReads } from './match-decks.ts';
import { nearestOf } from './nearest-theme.ts';
import { listHeldWords } from './held-words.ts';
import { askedPagesOf, reasonOf } from './reason.ts';
import { FEW_RESULTS, listSimilarPlans } from './similar-plans.ts';

type Input = Parsed<typeof contract>;
type Answer = Output<typeof contract>;
/** `isIncomplete`: as of SearchAnswer. */
type Looked = { answer: Answer; isIncomplete: boolean };

/**
 * Searches by keyword (C-37), or lists the recommended ranking when the keyword is blank (C-78). Words that ask for a filter (免费的房地产方案, 开业 pdf) are
 * taken as the filter, unless that leaves nothing or the very letters are wanted.
 */
export async function searchDocuments(ctx: Ctx, input: Input): Promise<CodedAnswer<Answer>> {
  const started = performance.now();
  const key = cleanQuery(input.search_key);
  const tier = key ? await tierOf(ctx) : 0;
  const isUnlimited = tier > 0;
  const { answer, isIncomplete } = await findEitherWay(ctx, input, isUnlimited);
  // The first page of a search without filters and in the usual order, so that each search of a person is logged once.
  const isFirstLook = input.page === 1 && sortOf(input.sort) === 'relevance' && !isNarrowed(filterOf(ctx, input));
  if (key && isFirstLook && !isIncomplete) {
    logSearch(ctx, { query: key, ...outcomeOf(answer), tier, ms: performance.now() - started });
  }
  const isBeyondLimit = !isUnlimited && input.page > 1 && (answer.asked_filters?.search_key ?? key) !== '';
  const { code, message } = isBeyondLimit ? SEARCH_LIMIT : { code: CODE.ok, message: SUCCESS_MESSAGE };
  return new CodedAnswer(code, message, answer, { isCacheable: !isIncomplete });
}

async function findEitherWay(ctx: Ctx, input: Input, isUnlimited: boolean): Promise<Looked> {
  const asFilters = await findAsFilters(ctx, input, isUnlimited);
  if (asFilters && asFilters.answer.total_count > 0) return asFilters;
  const asTyped = await findOrBrowse(ctx, input, isUnlimited);
  return { ...asTyped, isIncomplete: asTyped.isIncomplete || (asFilters?.isIncomplete ?? false) };
}

/** Answers a query with the words that ask for a filter taken as the filter; null where it has none. */
async function findAsFilters(ctx: Ctx, input: Input, isUnlimited: boolean): Promise<Looked | null> {
  const asked = input.exact === 1 ? null : readAskedFilters(cleanQuery(input.search_key));
  if (!asked) return null;
  const filtered = {
    search_key: asked.key,
    free: asked.isFree ? 1 : input.free,
    filetype: input.filetype || asked.filetype,
    sort: sortOf(input.sort) === 'relevance' ? asked.sort : sortOf(input.sort),
  };
  const { answer, isIncomplete } = await findOrBrowse(ctx, { ...input, ...filtered }, isUnlimited);
  return { answer: { ...answer, asked_filters: filtered }, isIncomplete };
}

async function findOrBrowse(ctx: Ctx, input: Input, isUnlimited: boolean): Promise<Looked> {
  const key = cleanQuery(input.search_key);
  if (!key) return { answer: await browse(ctx, input), isIncomplete: false };
  const find = () => findByKey(ctx, input, key, isUnlimited);
  // The whole answer to a visitor is shared already.
  return ctx.session
    ? ctx.request.share(`search ${JSON.stringify([isUnlimited, input])}`, find, (looked) => !looked.isIncomplete)
    : find();
}

/** Answers a query: the same for everybody whose results are limited, or unlimited. */
async function findByKey(ctx: Ctx, input: Input, key: string, isUnlimited: boolean): Promise<Looked> {
  // Totals are counted for everybody; the tier limits the shown results, for any page and page size.
  const offset = offsetOf(input);
  const limit = isUnlimited ? input.pageSize : input.page === 1 ? Math.min(input.pageSize, FREE_RESULTS) : 0;
  const filter = filterOf(ctx, input);
  const question = {
    key,
    isForgiving: input.exact !== 1,
    filter,
    sort: sortOf(input.sort),
    limit,
    offset,
    isCounted: true,
  };
  const memoKey = memoKeyOf(ctx, question);
  const find = () => answerQuery(ctx, question);
  const found = await (memoKey ? ctx.caches.search.found(ctx, memoKey, find) : find());
  // A line of a page that the preview does not show would tell its text, search by search.
  const lastPage = isUnlimited ? null : FREE_PAGES;
  const findPages = () => hitsOf(ctx, found, lastPage);
  const [items, hits] = await Promise.all([
    // Asked of the database each time: what was hidden before the request is never shown.
    listByIds(ctx, found.ids),
    // An incomplete answer is not cached, and its page lines must not be either: the complete answer has the same key.
    memoKey && !found.isIncomplete
      ? ctx.caches.search.foundPages(ctx, `${memoKey} ${lastPage}`, findPages)
      : findPages(),
  ]);
  const typed = found.words.map((word) => wordAsTyped(word, key));
  const names = vocabularyOf(ctx);
  // A word that synonyms or names of the library know is a word of the trade.
  const isOfTrade = (text: string) => isSynonymForm(text) || names.byText.has(text);
  const reading = withDeckReads(ctx);
  const answer: Answer = {
    item_list: folded(ctx, items, (item) => String(found.decks.get(item.id)?.missing ?? '')).map(
      ({ item, versions }) => ({
        ...toFoundItem(item, found, hits.get(item.id) ?? [], { typed, isOfTrade }),
        versions,
      }),
    ),
    near: found.forgiven.near,
    full_count: found.fullCount,
    is_more: found.isCapped ? 1 : 0,
    about_count: found.about,
    ...(found.total === 0 && !isNarrowed(filter) ? await nearestOf(ctx, key) : {}),
    similar_list: isCompleted(input, filter, found) ? await orNone(ctx, listSimilarPlans(ctx, found)) : [],
    only_in_pages: found.onlyInPages,
    mention_count: found.mentions,
    exact_key: found.exactKey,
    corrected_from: found.forgiven.correctedFrom,
    searched_for: found.forgiven.searchedFor,
    did_you_mean: found.forgiven.didYouMean,
    dropped: found.forgiven.dropped,
    refused: found.refused,
    related: found.total === 0 ? await waysOn(reading, key, found.words) : [],
    ...(await filterChoicesOf(ctx, found.counts, filter)),
    total_count: found.total,
    limited: isUnlimited ? 0 : 1,
    visible_count: visibleCount(found.total, isUnlimited),
    ...pagedOf(input, found.total),
  };
  return { answer, isIncomplete: found.isIncomplete || reading.deckReads.haveFailed };
}

/** What completes an answer is left out when it cannot be read, as under overload: the answer is useful without it. */
const orNone = <T>(ctx: Ctx, list: Promise<T[]>): Promise<T[]> =>
  list.catch((error: unknown) => {
    ctx.log.warn({ error }, 'an answer of the search was not completed');
    return [];
  });

const MAX_RELATED = 6;

/** Returns searches to go on with where nothing is found: words of the query that find something by themselves, then what others searched for. */
async function waysOn(ctx: DeckCtx, key: string, words: QueryWord[]): Promise<string[]> {
  const [held, related] = await Promise.all([orNone(ctx, listHeldWords(ctx, words)), listRelatedQueries(ctx, key)]);
  const typed = held.map((word) => wordAsTyped(word, key));
  return [...new Set([...typed, ...related])].filter((text) => text !== key).slice(0, MAX_RELATED);
}

/**
 * Tells whether similar plans complete the results: below a short list that is shown whole, and kept short neither by a filter nor by the very letters of the query. What stands on the pages of several
 * plans alone does not tell what a query is about; on those of one, it may be its slogan.
 */
function isCompleted(
  { exact }: Input,
  filter: DocumentFilter,
  { ids, total, fullCount, onlyInPages }: SearchAnswer,
): boolean {
  const isShort = total > 0 && total < FEW_RESULTS && ids.length === total;
  const isNamed = fullCount < 2 || onlyInPages < fullCount;
  return isShort && isNamed && exact !== 1 && !isNarrowed(filter);
}

/**
 * Returns the key under which equal questions share what they found: the same version of the index and of the vocabulary answers alike.
 * Null while the index does not answer.
 */
function memoKeyOf(ctx: Ctx, question: Question): string | null {
  const version = ctx.searchIndex.version();
  if (version === null) return null;
  const { created } = question.filter;
  // The start of the recent days moves with the clock; rounded to the minute, it makes one key.
  const since = created && 'since' in created ? Math.floor(created.since.getTime() / 60_000) : 0;
  const filter = since > 0 ? { ...question.filter, created: since } : question.filter;
  return JSON.stringify([version, ctx.caches.search.vocabulary.madeAt, { ...question, filter }]);
}

/** Returns what the log says of a search. A corrected query has found nothing. */
function outcomeOf({ full_count = 0, total_count, corrected_from }: Answer) {
  if (corrected_from) return { found: 0, forgiven: 'corrected' as const };
  return { found: full_count, forgiven: full_count === 0 && total_count > 0 ? ('dropped' as const) : ('' as const) };
}

const FULL = { match: 'full', missing: [] } satisfies Pick<FoundItem, 'match' | 'missing'>;

/** Folds the versions of a plan on one page. `lackOf`: the words that a document lacks; versions that lack others stay apart. */
function folded(ctx: Ctx, items: DocumentItem[], lackOf: (item: DocumentItem) => string) {
  const groupOf = (item: DocumentItem) => {
    const group = versionGroupOf(ctx, item.id);
    return group === null ? null : `${group} ${lackOf(item)}`;
  };
  return foldVersions(items, groupOf).map(({ item, others }) => ({
    item,
    versions: others.map(({ fid, time_text, page_count, file_type_text }) => ({
      fid,
      time_text,
      page_count,
      file_type_text,
    })),
  }));
}

/** Converts an item to a search result. `typed`: the words as they were typed; `isOfTrade` as in lackedBy. A hit on the cover page is left out when the name contains a hit already. */
function toFoundItem(
  item: DocumentItem,
  found: SearchAnswer,
  hits: PageHit[],
  { typed, isOfTrade }: { typed: string[]; isOfTrade: (text: string) => boolean },
): Omit<FoundItem, 'versions'> {
  const { words, forgiven, decks } = found;
  const name = highlight(item.name, words, forgiven.searchedFor);
  const deck = decks.get(item.id);
  const missing = deck ? lackedBy(deck, words, isOfTrade) : [];
  return {
    ...item,
    name,
    page_hits: hits.filter(({ page }) => page > 1 || !name.includes('<em>')),
    reason: reasonOf(item, { words, typed }, deck?.levels, cutWords),
    asked_pages: askedPagesOf(item, words),
    ...(deck && deck.missing.length > 0
      ? { match: 'partial', missing: missing.flatMap((at) => typed[at] ?? []) }
      : FULL),
  };
}

/**
 * Returns the positions of the words that a deck lacks, without phrases, and without the words of a phrase that the deck answers: 没人要的猫狗
 * asks for 领养, not for 没人. A word of the trade is asked for all the same: 开业 in 奶茶店开业, which a deck about 茶饮 answers.
 */
function lackedBy(
  { missing, levels }: MatchedDeck,
  words: QueryWord[],
  isOfTrade: (text: string) => boolean,
): number[] {
  const textAt = (at: number) => words[at]?.forms[0]?.text ?? '';
  const answeredPhrases = words.flatMap((word, at) =>
    isPhraseOrSentence(word) && (levels[at] ?? 0) > 0 ? [textAt(at)] : [],
  );
  // A single character is a word (鞋), though the thesaurus keeps it among phrases.
  const isPhraseOrSentenceAt = (at: number) =>
    [...textAt(at)].length > 1 && words.slice(at, at + 1).some(isPhraseOrSentence);
  const isPhraseOrSentenceInAnswered = (at: number) =>
    !isOfTrade(textAt(at)) && answeredPhrases.some((phrase) => saysWord(phrase, textAt(at)));
  const plain = missing.filter((at) => !isPhraseOrSentenceAt(at));
  const lacked = plain.filter((at) => !isPhraseOrSentenceInAnswered(at));
  // Where nothing else is missed, the words of an answered phrase are.
  return lacked.length > 0 ? lacked : plain;
}

/** Returns the pages that contain all words that a deck holds; when no page contains all, one page for each word that names lack. */
async function hitsOf(
  ctx: Ctx,
  { ids, words, decks }: SearchAnswer,
  lastPage: number | null,
): Promise<ReadonlyMap<number, PageHit[]>> {
  const together = await listPageHits(ctx, ids, words, lastPage);
  const apart = ids.filter((id) => decks.has(id) && !together.has(id));
  const wanted = words.map((_, at) => apart.filter((id) => isOnPages(decks.get(id)?.levels[at] ?? 0)));
  const lists = await Promise.all(words.map((word, at) => listPageHits(ctx, wanted[at] ?? [], [word], lastPage)));
  const separate = apart.map((id): [number, PageHit[]] => {
    const pages = lists.flatMap((hits) => (hits.get(id) ?? []).filter(({ page }) => page > 1).slice(0, 1));
    return [id, [...new Map(pages.map((hit) => [hit.page, hit])).values()].slice(0, MAX_HITS)];
  });
  return new Map([...together, ...separate]);
}

const MAX_HITS = 3;

/** Lists the ranking without a keyword: the same for every tier, 750 documents at most. */
async function browse(ctx: Ctx, input: Input): Promise<Answer> {
  const { items, total, counts } = (await rankedByEngine(ctx, input)) ?? (await rankedByDatabase(ctx, input));
  return {
    item_list: folded(ctx, items, () => '').map(({ item, versions }) => ({
      ...item,
      name: highlight(item.name, []),
      page_hits: [],
      reason: '',
      asked_pages: [],
      ...FULL,
      versions,
    })),
    only_in_pages: 0,
    mention_count: 0,
    full_count: total,
    ...(await filterChoicesOf(ctx, counts, filterOf(ctx, input))),
    total_count: total,
    limited: 0,
    visible_count: total,
    ...pagedOf(input, total),
  };
}

type Ranked = { items: DocumentItem[]; total: number; counts: FacetCounts };

async function rankedByEngine(ctx: Ctx, input: Input): Promise<Ranked | null> {
  const offset = Math.min(offsetOf(input), RANKING_CAP);
  const limit = Math.min(input.pageSize, RANKING_CAP - offset);
  const wanted = { filter: filterOf(ctx, input), sort: sortOf(input.sort), limit, offset, isCounted: true };
  const found = await findAll(ctx, wanted);
  if (!found) return null;
  const { ids, counts } = found;
  return { items: await listByIds(ctx, ids), total: Math.min(found.total, RANKING_CAP), counts };
}

async function rankedByDatabase(ctx: Ctx, input: Input): Promise<Ranked> {
  const filter = filterOf(ctx, input);
  const { page, pageSize } = input;
  const listed = await listRecommended(ctx, { ...filter, sort: sortOf(input.sort), page, pageSize });
  // The list is useful without its counts.
  const counts = await countFacets(ctx, filter).catch((error: unknown) => {
    ctx.log.warn({ error }, 'filter choices were not counted');
    return noCounts();
  });
  // Read by their ids, so that their versions are known.
  const ids = listed.items.map(({ id }) => id);
  return { items: await listByIds(ctx, ids), total: listed.total, counts };
}

const filterOf = (ctx: Ctx, input: Input) =>
  documentFilterOf(
    { ...input, themeid: input.themeid || input.theme_id, industryid: input.industryid || input.industry_id },
    ctx.clock.now(),
  );

const pagedOf = (input: { page: number; pageSize: number }, total: number) => ({
  page: input.page,
  page_size: input.pageSize,
  total,
});
