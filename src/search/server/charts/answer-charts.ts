import type { Ctx } from '../../../context.ts';
import { listLabels } from '../../../library/server/labels.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { requiredWords } from '../../generic-words.ts';
import { CHART_PAGE_SIZE } from '../../limits.ts';
import { queryLiteral } from '../../literals.ts';
import { isSafeCorrection } from '../../spelling/corrections.ts';
import { correctQuery } from '../../spelling/correct-query.ts';
import { type QueryWord, queryWords } from '../../words.ts';
import { wordAsTyped } from '../../typed-words.ts';
import { cutWords, soundsOf } from '../words/cut-words.ts';
import { chartWordsOf, vocabularyOf } from '../words/vocabulary.ts';
import { chartForms, chartWeightOf } from './chart-words.ts';
import { type AskedWord, type PlaceLiterals, selectChartsByWords, SHORT_QUERY } from './store-charts-by-words.ts';
import { type ChartsWanted, type FoundCharts, selectAllCharts } from './store-charts.ts';

/** A search of charts. `isForgiving`: another spelling may be answered, and charts that hold only some of the words follow. */
type ChartQuestion = ChartsWanted & { key: string; isForgiving: boolean };

export type AnsweredCharts = FoundCharts & {
  /** The words that were searched for in the end, to be marked in names. */
  words: QueryWord[];
  /** The typed query when the answer is that of another spelling; "" otherwise. */
  correctedFrom: string;
  searchedFor: string;
  /** A spelling that would find far more; "" when there is none. */
  didYouMean: string;
  /** Words that no chart holds, as typed. */
  dropped: string[];
};

/** Words of this weight are more than said by the way. */
const SAID = 0.3;
/** With fewer charts another spelling is tried; it is offered when it finds at least FAR_MORE times as many. */
const FEW = 5;
const FAR_MORE = 5;

/**
 * Returns one page of the charts that answer a query: those that hold every word, then, when these fill no page, those that hold some. A query
 * that no chart holds whole is tried in another spelling, made of words of charts and of documents. Without a keyword all charts.
 */
export function answerCharts(ctx: Ctx, question: ChartQuestion): Promise<AnsweredCharts> {
  const { vocabulary } = ctx.caches.search;
  const key = JSON.stringify([vocabulary.madeAt, question]);
  return ctx.caches.search.charts(ctx, key, () => answer(ctx, question));
}

async function answer(ctx: Ctx, question: ChartQuestion): Promise<AnsweredCharts> {
  const { key, isForgiving } = question;
  const nothing = { words: [], correctedFrom: '', searchedFor: key, didYouMean: '', dropped: [] };
  if (!key) return { ...(await readWithin(ctx, PUBLIC_READ_MS, (db) => selectAllCharts(db, question))), ...nothing };
  const words = wordsOf(key, isForgiving);
  const found = await find(ctx, words, question);
  const plain = { ...found, ...nothing, words };
  if (!isForgiving) return plain;
  const spelling = found.fullAnywhere < FEW ? await spellingOf(ctx, question, found.fullAnywhere) : null;
  if (spelling?.isAnswered) {
    const mended = wordsOf(spelling.text, true);
    const searchedFor = { correctedFrom: key, searchedFor: spelling.text };
    return { ...(await find(ctx, mended, question)), ...nothing, ...searchedFor, words: mended };
  }
  const typed = (at: number) => {
    const word = words[at];
    return word ? [wordAsTyped(word, key)] : [];
  };
  return { ...plain, didYouMean: spelling?.text ?? '', dropped: found.unknown.flatMap(typed) };
}

const wordsOf = (key: string, isForgiving: boolean) => (isForgiving ? requiredWords : queryWords)(key, cutWords);

/** Finds charts that hold all words, and, when these fill no page, charts that hold some. */
async function find(ctx: Ctx, words: QueryWord[], question: ChartQuestion): Promise<FoundCharts> {
  if (words.length === 0) return NO_CHARTS;
  const asked = askedWords(words, await ctx.caches.search.labels(ctx, 'industry', () => listLabels(ctx, 'industry')));
  const ask = (isPartial: boolean) =>
    readWithin(ctx, PUBLIC_READ_MS, (db) => selectChartsByWords(db, asked, { ...question, isPartial }));
  const full = await ask(false);
  const isEnough = full.fullAnywhere >= CHART_PAGE_SIZE || words.length === 1 || !question.isForgiving;
  return isEnough ? full : ask(true);
}

const NO_CHARTS: FoundCharts = {
  charts: [],
  total: 0,
  fullCount: 0,
  fullAnywhere: 0,
  unknown: [],
  counts: { types: new Map(), industries: new Map() },
};

/** Of a few words each that no chart holds decides, unless it is only said by the way. */
function askedWords(words: QueryWord[], industries: readonly { id: number; name: string }[]): AskedWord[] {
  const all = words.map((word) => askedWord(word, industries));
  if (words.length > SHORT_QUERY) return all;
  return all.map((word) => ({ ...word, unknown: word.unknown >= SAID ? word.held : word.unknown }));
}

function askedWord(word: QueryWord, industries: readonly { id: number; name: string }[]): AskedWord {
  const related = chartForms(word);
  const industry = industries.find(({ name }) => word.forms.some(({ text }) => text === name));
  return {
    ...literalsOf(word),
    anywhere: queryLiteral([word]),
    industryId: industry?.id ?? null,
    related: related.length > 0 ? literalsOf({ forms: related }) : null,
    ...chartWeightOf(word),
  };
}

const literalsOf = (word: QueryWord): PlaceLiterals => ({
  name: queryLiteral([word], [], 'A'),
  data: queryLiteral([word], [], 'B'),
  document: queryLiteral([word], [], 'C'),
  labels: queryLiteral([word], [], 'ABC'),
});

/**
 * Returns the other spelling of a query that finds far more charts; null when there is none. `isAnswered`: the query as typed finds nothing and
 * nothing but a slip of typing is mended, so that the other spelling is answered without asking.
 */
async function spellingOf(ctx: Ctx, question: ChartQuestion, fullAnywhere: number) {
  const { key } = question;
  const spellings = [chartWordsOf(ctx), vocabularyOf(ctx)].map((names) => correctQuery(key, { names }, soundsOf));
  for (const text of new Set(spellings)) {
    const words = text ? wordsOf(text, true) : [];
    if (!text || words.length === 0) continue;
    const nowhere = { typeId: 0, industryId: 0, since: null, before: null };
    const counted = { ...question, filter: nowhere, limit: 0, offset: 0, isPartial: false };
    const { fullAnywhere: total } = await readWithin(ctx, PUBLIC_READ_MS, (db) =>
      selectChartsByWords(db, askedWords(words, []), counted),
    );
    if (total === 0 || total < fullAnywhere * FAR_MORE) continue;
    return { text, isAnswered: fullAnywhere === 0 && isSafeCorrection(key, text, soundsOf) };
  }
  return null;
}
