import type { Ctx } from '../../../context.ts';
import {
  type DocumentFilter,
  type FilterCounts,
  PAGE_BANDS,
  pageBandOf,
  RECENT,
  sinceDays,
  type Sort,
} from '../../../library/document-filter.ts';
import { FILE_KINDS, fileKindOf, type FileType } from '../../../library/file-types.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { createMemo } from '../../../platform/memo.ts';
import { unavailable } from '../../../protocol/envelope.ts';
import { EngineBusy } from '../../engine/engine-pool.ts';
import { type Filter, REACH, type Result } from '../../engine/query.ts';
import { queryLiteral } from '../../literals.ts';
import type { QueryWord } from '../../words.ts';
import { selectEntries, type Found, type Wanted } from '../indexing/store-entries.ts';

export type NamedWanted = {
  filter: DocumentFilter;
  sort: Sort;
  limit: number;
  offset: number;
  /** Also how many each choice of a filter would leave. */
  isCounted: boolean;
};

/**
 * What names, keywords and organizations answer: from the engine, and from the database while that is not ready, is
 * behind, or cannot list so deep. Both hold the same tokens, so their totals and counts are the same.
 */
export async function findNamed(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Promise<Found> {
  return (await askEngine(ctx, words, wanted)) ?? askDatabase(ctx, words, wanted);
}

/** How many there are under a filter. */
export async function countNamed(ctx: Ctx, words: QueryWord[], filter: DocumentFilter = {}): Promise<number> {
  return (await findNamed(ctx, words, { filter, sort: 'relevance', limit: 0, offset: 0, isCounted: false })).total;
}

/** All documents under a filter; null where there is no engine that could go through them. */
export function findAll(ctx: Ctx, wanted: NamedWanted): Promise<Found | null> {
  return askEngine(ctx, 'everything', wanted);
}

async function askEngine(ctx: Ctx, words: QueryWord[] | 'everything', wanted: NamedWanted): Promise<Found | null> {
  const { filter, sort, limit, isCounted } = wanted;
  // Where nothing is listed, it does not matter where.
  const offset = limit === 0 ? 0 : wanted.offset;
  if (offset + limit > REACH) return null;
  const facets = isCounted ? facetOrder(ctx.clock.now()) : undefined;
  try {
    const asked = words === 'everything' ? { words: [], isEverything: true as const } : { words };
    const order = { filter: engineFilter(filter), sort, facets, limit, offset };
    const result = await ctx.searchIndex.search({ ...asked, ...order });
    return result && { ids: result.ids, total: result.total, counts: countsOf(result) };
  } catch (error) {
    // To hand a crowd over to the database would only make it the next to fall.
    if (error instanceof EngineBusy) throw unavailable();
    ctx.log.error({ error }, 'the search engine failed');
    return null;
  }
}

const facetOrder = (now: number) => ({
  since: RECENT.map(({ days }) => sinceDays(days, now).getTime()),
  pagesFrom: PAGE_BANDS.map(({ min }) => min),
});

function engineFilter({ fileKind, themeId, industryId, created, pageBand, isFree }: DocumentFilter): Filter {
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

function countsOf({ facets }: Result): FilterCounts {
  const fileKinds = new Map<number, number>();
  for (const [type, count] of facets.fileTypes) addType(fileKinds, type, count);
  return {
    fileKinds,
    themes: facets.themes,
    industries: facets.industries,
    years: facets.years,
    free: facets.free,
    recent: new Map(RECENT.map(({ id }, at) => [id, facets.since[at] ?? 0])),
    pageBands: new Map(PAGE_BANDS.map(({ id }, at) => [id, facets.pagesFrom[at] ?? 0])),
  };
}

function addType(counts: Map<number, number>, type: FileType, count: number): void {
  const { id } = fileKindOf(type);
  counts.set(id, (counts.get(id) ?? 0) + count);
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
  const { query, filter, sort, limit, offset, isCounted } = asked;
  const key = JSON.stringify([query, { ...filter, created: time }, sort, limit, offset, isCounted]);
  return answers(ctx, key, () => readWithin(ctx.db, PUBLIC_READ_MS, (db) => selectEntries(db, asked)));
}

/** In units of the recommended score, which are 60 days: all words in the name weigh as much as four years. */
const IN_NAME = 24;
const IN_KEYWORDS = 8;

function entriesWanted(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Wanted {
  const share = (weight: number) => weight / Math.max(words.length, 1);
  return {
    ...wanted,
    query: queryLiteral(words),
    now: ctx.clock.now(),
    bonuses: words.flatMap((word) => [
      { query: queryLiteral([word], [], 'A'), weight: share(IN_NAME) },
      { query: queryLiteral([word], [], 'B'), weight: share(IN_KEYWORDS) },
    ]),
  };
}
