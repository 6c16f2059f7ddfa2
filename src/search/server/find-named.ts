import type { Ctx } from '../../context.ts';
import { FILE_KINDS, fileKindOf, type FileType } from '../../library/file-types.ts';
import {
  noCounts,
  PAGE_BANDS,
  pageBandOf,
  RECENT,
  sinceDays,
  type ShelfCounts,
  type ShelfFilter,
  type Sort,
} from '../../library/shelf-filter.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { createMemo } from '../../platform/memo.ts';
import { unavailable } from '../../protocol/envelope.ts';
import { EngineBusy } from '../engine/engine-pool.ts';
import { REACH, type Filter, type Result } from '../engine/query.ts';
import { queryLiteral } from '../literals.ts';
import type { QueryWord } from '../words.ts';
import { findEntries, type Found, type Wanted } from './store.ts';

export type NamedWanted = {
  filter: ShelfFilter;
  sort: Sort;
  limit: number;
  offset: number;
  /** Also the choices the engine does not count by the way: recent days, page bands, free. */
  isFullyCounted: boolean;
};

/**
 * What names, keywords and organizations answer: from the engine, and from the database while that is not ready, is
 * behind, or cannot list so deep. Both hold the same tokens, so their totals and counts are the same.
 */
export async function findNamed(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Promise<Found> {
  return (await askEngine(ctx, words, wanted)) ?? askDatabase(ctx, words, wanted);
}

/** How many there are under a filter. */
export async function countNamed(ctx: Ctx, words: QueryWord[], filter: ShelfFilter = {}): Promise<number> {
  return (await findNamed(ctx, words, { filter, sort: 'relevance', limit: 0, offset: 0, isFullyCounted: false })).total;
}

async function askEngine(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Promise<Found | null> {
  const { filter, sort, limit } = wanted;
  // Where nothing is listed, it does not matter where.
  const offset = limit === 0 ? 0 : wanted.offset;
  if (offset + limit > REACH) return null;
  const ask = (narrowed: ShelfFilter, page = { limit: 0, offset: 0 }) =>
    ctx.searchIndex.search({ words, filter: engineFilter(narrowed), sort, ...page });
  try {
    const [result, more] = await Promise.all([
      ask(filter, { limit, offset }),
      wanted.isFullyCounted ? countFurther(filter, ctx.clock.now(), ask) : noFurther(filter, ask),
    ]);
    return result && more && { ids: result.ids, total: result.total, counts: { ...countsOf(result), ...more } };
  } catch (error) {
    // To hand a crowd over to the database would only make it the next to fall.
    if (error instanceof EngineBusy) throw unavailable();
    ctx.log.error({ error }, 'the search engine failed');
    return null;
  }
}

function engineFilter({ fileKind, themeId, industryId, created, pageBand, isFree }: ShelfFilter): Filter {
  const kind = FILE_KINDS.find(({ id }) => id === fileKind);
  const pages = pageBandOf(pageBand);
  return {
    ...(kind && { fileTypes: kind.types }),
    ...(themeId && { themeId }),
    ...(industryId && { industryId }),
    ...(created && ('since' in created ? { since: created.since.getTime() } : { year: created.year })),
    ...(pages && { pages: { min: pages.min, max: pages.max } }),
    ...(isFree && { isFree }),
  };
}

function countsOf({ facets }: Result): ShelfCounts {
  const fileKinds = new Map<number, number>();
  for (const [type, count] of facets.fileTypes) addType(fileKinds, type, count);
  return { ...noCounts(), fileKinds, themes: facets.themes, industries: facets.industries, years: facets.years };
}

function addType(counts: Map<number, number>, type: FileType, count: number): void {
  const { id } = fileKindOf(type);
  counts.set(id, (counts.get(id) ?? 0) + count);
}

type Ask = (filter: ShelfFilter) => Promise<Result | null>;
type Further = Partial<ShelfCounts>;

/** The engine counts years under the last days, which are another choice of the same kind: then they are asked for apart. */
async function noFurther(filter: ShelfFilter, ask: Ask): Promise<Further | null> {
  if (!filter.created || 'year' in filter.created) return {};
  const result = await ask({ ...filter, created: null });
  return result && { years: result.facets.years };
}

/** One small question for each choice; null when the engine stopped answering meanwhile. */
async function countFurther(filter: ShelfFilter, now: number, ask: Ask): Promise<Further | null> {
  const count = async (change: ShelfFilter) => (await ask({ ...filter, ...change }))?.total;
  const [years, free, recent, pageBands] = await Promise.all([
    noFurther(filter, ask),
    count({ isFree: true }),
    Promise.all(RECENT.map(({ days }) => count({ created: { since: sinceDays(days, now) } }))),
    Promise.all(PAGE_BANDS.map(({ id }) => count({ pageBand: id }))),
  ]);
  const totals = [...recent, ...pageBands].filter((total) => total !== undefined);
  if (!years || free === undefined || totals.length < RECENT.length + PAGE_BANDS.length) return null;
  return {
    ...years,
    free,
    recent: new Map(RECENT.map(({ id }, index) => [id, recent[index] ?? 0])),
    pageBands: new Map(PAGE_BANDS.map(({ id }, index) => [id, pageBands[index] ?? 0])),
  };
}

const FRESH_MS = 1_000;
const ANSWERS = 300;
const answers = createMemo<Found>(FRESH_MS, ANSWERS);

/**
 * The hot words of the home page are asked by everybody at once, and cost most. So an answer serves all who ask the
 * same within a second, which is also how soon a change has to be visible; the documents themselves are always looked
 * up anew, so that none off the shelf is ever shown.
 */
function askDatabase(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Promise<Found> {
  const asked = entriesWanted(ctx, words, wanted);
  const { created } = asked.filter;
  // `since` moves with the clock: to the minute it is the same question.
  const time = created && ('since' in created ? `s${Math.floor(created.since.getTime() / 60_000)}` : created.year);
  const key = JSON.stringify([asked.query, { ...asked.filter, created: time }, asked.sort, asked.limit, asked.offset]);
  return answers(ctx, key, () => readWithin(ctx.db, PUBLIC_READ_MS, (db) => findEntries(db, asked)));
}

/** In units of the recommended score, which are 60 days: all words in the name weigh as much as four years. */
const IN_NAME = 24;
const IN_KEYWORDS = 8;

function entriesWanted(ctx: Ctx, words: QueryWord[], { filter, sort, limit, offset }: NamedWanted): Wanted {
  const share = (weight: number) => weight / Math.max(words.length, 1);
  return {
    query: queryLiteral(words),
    filter,
    sort,
    limit,
    offset,
    now: ctx.clock.now(),
    bonuses: words.flatMap((word) => [
      { query: queryLiteral([word], [], 'A'), weight: share(IN_NAME) },
      { query: queryLiteral([word], [], 'B'), weight: share(IN_KEYWORDS) },
    ]),
  };
}
