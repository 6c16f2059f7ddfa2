import type { Sort } from '../../../library/limits.ts';
import type { Ctx } from '../../../context.ts';
import {
  bandOf,
  BUDGET_BANDS,
  DAYS_BANDS,
  type DocumentFilter,
  type FacetCounts,
  PAGE_BANDS,
  PEOPLE_BANDS,
  RECENT_PERIODS,
  daysBefore,
} from '../../../library/document-filter.ts';
import { fileKindOf, fileKindOfFilter, type FileType } from '../../../library/file-types.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { unavailable } from '../../../protocol/envelope.ts';
import { EngineBusy } from '../../engine/engine-pool.ts';
import { byLabel, FILTER_LABELS, LABEL_COLUMNS, type LabelFieldIds } from '../../engine/format/layout.ts';
import { IN_KEYWORDS, IN_NAME, TYPED_SHARE } from '../../engine/format/ranking.ts';
import { type Filter, REACH, type Result } from '../../engine/match/query.ts';
import { queryLiteral } from '../../literals.ts';
import type { QueryWord } from '../../words.ts';
import { selectEntries, type Found, type Wanted } from '../indexing/store-entries.ts';

export type NamedWanted = {
  filter: DocumentFilter;
  sort: Sort;
  limit: number;
  offset: number;
  /** True adds the counts of each filter choice. */
  isCounted: boolean;
  /** Ids of documents that are no hits. */
  without?: readonly number[];
};

/**
 * Finds documents by name, keywords, organization and industry: in the engine, or in the database while the engine is not ready, is
 * behind, or cannot list so deep. Both hold the same tokens, so their totals and counts are equal.
 */
export async function findNamed(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Promise<Found> {
  return (await askEngine(ctx, words, wanted)) ?? askDatabase(ctx, words, wanted);
}

/** Counts the documents that match the words, whatever the filter. `without`: ids of documents that are no hits. */
export async function countNamed(ctx: Ctx, words: QueryWord[], without?: readonly number[]): Promise<number> {
  const wanted = { filter: {}, sort: 'relevance' as const, limit: 0, offset: 0, isCounted: false };
  return (await findNamed(ctx, words, { ...wanted, ...(without && { without }) })).total;
}

/** Finds all documents under a filter; null while the engine cannot answer. */
export function findAll(ctx: Ctx, wanted: NamedWanted): Promise<Found | null> {
  return askEngine(ctx, 'everything', wanted);
}

async function askEngine(ctx: Ctx, words: QueryWord[] | 'everything', wanted: NamedWanted): Promise<Found | null> {
  const { filter, sort, limit, isCounted, without } = wanted;
  // Without a list the offset is irrelevant.
  const offset = limit === 0 ? 0 : wanted.offset;
  if (offset + limit > REACH) return null;
  const facets = isCounted ? facetOrder(ctx.clock.now()) : undefined;
  try {
    const asked = words === 'everything' ? { words: [], isEverything: true as const } : { words };
    const order = { filter: { ...engineFilter(filter), ...(without && { without }) }, sort, facets, limit, offset };
    const result = await ctx.searchIndex.search({ ...asked, ...order });
    return result && { ids: result.ids, total: result.total, counts: facetCountsOf(result) };
  } catch (error) {
    // Passing the overload on would bring the database down as well.
    if (error instanceof EngineBusy) throw unavailable();
    ctx.log.error({ error }, 'the search engine failed');
    return null;
  }
}

/** In epoch ms. The engine knows seconds; equal questions of a second then share an answer. */
const toWholeSecond = (at: Date) => Math.floor(at.getTime() / 1_000) * 1_000;

const facetOrder = (now: number) => ({
  since: RECENT_PERIODS.map(({ days }) => toWholeSecond(daysBefore(days, now))),
  pagesFrom: PAGE_BANDS.map(({ min }) => min),
  budgetsFrom: BUDGET_BANDS.map(({ min }) => min),
  peopleFrom: PEOPLE_BANDS.map(({ min }) => min),
  daysFrom: DAYS_BANDS.map(({ min }) => min),
});

function engineFilter(filter: DocumentFilter): Filter {
  const { fileKind, themeId, created, isFree } = filter;
  const kind = fileKindOfFilter(fileKind ?? 0);
  const pages = bandOf(PAGE_BANDS, filter.pageBand);
  const budget = bandOf(BUDGET_BANDS, filter.budgetBand);
  const people = bandOf(PEOPLE_BANDS, filter.peopleBand);
  const days = bandOf(DAYS_BANDS, filter.daysBand);
  return {
    ...(kind && { fileTypes: kind.types }),
    ...(themeId && { themeId }),
    ...labelsOf(filter),
    ...(created && ('since' in created ? { since: toWholeSecond(created.since) } : { year: created.year })),
    ...(pages && { pages: { min: pages.min, max: pages.max } }),
    ...(isFree && { isFree }),
    ...(budget && { budget: { min: budget.min, max: budget.max } }),
    ...(people && { people: { min: people.min, max: people.max } }),
    ...(days && { days: { min: days.min, max: days.max } }),
  };
}

/** Returns the ids of the labels that the filter names, by label; labels that it leaves open are missing. */
function labelsOf(filter: DocumentFilter): Partial<LabelFieldIds> {
  const fields = LABEL_COLUMNS.map((label) => FILTER_LABELS[label].field).filter((field) => filter[field]);
  return Object.fromEntries(fields.map((field) => [field, filter[field]]));
}

function facetCountsOf({ facets }: Result): FacetCounts {
  const fileKinds = new Map<number, number>();
  for (const [type, count] of facets.fileTypes) addType(fileKinds, type, count);
  return {
    fileKinds,
    themes: facets.themes,
    ...byLabel((label) => facets[label]),
    years: facets.years,
    free: new Map([[1, facets.free]]),
    recent: new Map(RECENT_PERIODS.map(({ id }, at) => [id, facets.since[at] ?? 0])),
    pageBands: bandCounts(PAGE_BANDS, facets.pagesFrom),
    budgetBands: bandCounts(BUDGET_BANDS, facets.budgetsFrom),
    peopleBands: bandCounts(PEOPLE_BANDS, facets.peopleFrom),
    daysBands: bandCounts(DAYS_BANDS, facets.daysFrom),
  };
}

const bandCounts = (bands: readonly { id: number }[], counts: number[]) =>
  new Map(bands.map(({ id }, at) => [id, counts[at] ?? 0]));

function addType(counts: Map<number, number>, type: FileType, count: number): void {
  const { id } = fileKindOf(type);
  counts.set(id, (counts.get(id) ?? 0) + count);
}

/**
 * Searches the database. The hot words of the home page cost most and are searched for most, so equal searches share an answer for a
 * second, which is also how soon a change has to be visible. The documents themselves are read for every request: a hidden document is
 * never shown.
 */
function askDatabase(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Promise<Found> {
  const asked = entriesWanted(ctx, words, wanted);
  const { created } = asked.filter;
  // `since` moves with the clock; rounded to the minute, it makes one cache key.
  const time = created && ('since' in created ? `s${Math.floor(created.since.getTime() / 60_000)}` : created.year);
  const { query, filter, sort, limit, offset, isCounted, without } = asked;
  const key = JSON.stringify([query, { ...filter, created: time }, sort, limit, offset, isCounted, without]);
  return ctx.caches.search.answers(ctx, key, () => readWithin(ctx, PUBLIC_READ_MS, (db) => selectEntries(db, asked)));
}

function entriesWanted(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Wanted {
  const share = (part: number) => part / Math.max(words.length, 1);
  return {
    ...wanted,
    query: queryLiteral(words),
    now: ctx.clock.now(),
    bonuses: words.flatMap((word) => {
      const typed = word.typed === undefined ? undefined : word.forms[word.typed];
      return [...bonusesOf(word, share(1)), ...(typed ? bonusesOf({ forms: [typed] }, share(TYPED_SHARE)) : [])];
    }),
  };
}

const bonusesOf = (word: QueryWord, share: number) => [
  { query: queryLiteral([word], [], 'A'), weight: share * IN_NAME },
  { query: queryLiteral([word], [], 'B'), weight: share * IN_KEYWORDS },
];
