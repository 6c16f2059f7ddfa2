import type { Ctx } from '../../context.ts';
import { fileKindOfFilter } from '../../library/file-types.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { createMemo } from '../../platform/memo.ts';
import { unavailable } from '../../protocol/envelope.ts';
import { EngineBusy } from '../engine/engine-pool.ts';
import { REACH, type Filter } from '../engine/query.ts';
import { queryLiteral, typeMark, yearMark } from '../literals.ts';
import { createdWithin } from '../rules.ts';
import type { QueryWord } from '../words.ts';
import { findEntries, type Found, type Wanted } from './store.ts';

/** The filters as they come, and the part of the hits that is wanted. `themeId` 0: of all themes. */
export type NamedWanted = {
  filetype: number;
  pubdate: number;
  themeId: number;
  limit: number;
  offset: number;
};

/**
 * What names, keywords and organizations answer: from the engine, and from the database while that is not ready, is
 * behind, or cannot list so deep. Both hold the same tokens, so their totals are the same.
 */
export async function findNamed(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Promise<Found> {
  return (await askEngine(ctx, words, wanted)) ?? askDatabase(ctx, words, wanted);
}

async function askEngine(ctx: Ctx, words: QueryWord[], wanted: NamedWanted): Promise<Found | null> {
  const { limit } = wanted;
  // Where nothing is listed, it does not matter where.
  const offset = limit === 0 ? 0 : wanted.offset;
  if (offset + limit > REACH) return null;
  try {
    const filter = engineFilter(ctx, wanted);
    const result = await ctx.searchIndex.search({ words, filter, sort: 'relevance', limit, offset });
    return result && { ids: result.ids, total: result.total, themeCounts: result.facets.themes };
  } catch (error) {
    // To hand a crowd over to the database would only make it the next to fall.
    if (error instanceof EngineBusy) throw unavailable();
    ctx.log.error({ error }, 'the search engine failed');
    return null;
  }
}

function engineFilter(ctx: Ctx, wanted: NamedWanted): Filter {
  const kind = fileKindOfFilter(wanted.filetype);
  const within = createdWithin(wanted.pubdate, ctx.clock.now());
  return {
    ...(kind && { fileTypes: kind.types }),
    ...(wanted.themeId !== 0 && { themeId: wanted.themeId }),
    ...(within && ('since' in within ? { since: within.since.getTime() } : { year: within.year })),
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
  const key = JSON.stringify([asked.query, wanted.pubdate, asked.themeId, asked.limit, asked.offset]);
  return answers(ctx, key, () => readWithin(ctx.db, PUBLIC_READ_MS, (db) => findEntries(db, asked)));
}

/** In units of the recommended score, which are 60 days: all words in the name weigh as much as four years. */
const IN_NAME = 24;
const IN_KEYWORDS = 8;

/** The filters but for the theme: as marks beside the words, and as a day. */
export function marksOf(ctx: Ctx, wanted: { filetype: number; pubdate: number }) {
  const kind = fileKindOfFilter(wanted.filetype);
  const within = createdWithin(wanted.pubdate, ctx.clock.now());
  const marks = [
    ...(kind ? [typeMark(kind.kind)] : []),
    ...(within && 'year' in within ? [yearMark(within.year)] : []),
  ];
  return { marks, since: within && 'since' in within ? within.since : null };
}

function entriesWanted(ctx: Ctx, words: QueryWord[], { themeId, limit, offset, ...filters }: NamedWanted): Wanted {
  const { marks, since } = marksOf(ctx, filters);
  const share = (weight: number) => weight / Math.max(words.length, 1);
  return {
    query: queryLiteral(words, marks),
    since,
    themeId,
    limit,
    offset,
    bonuses: words.flatMap((word) => [
      { query: queryLiteral([word], [], 'A'), weight: share(IN_NAME) },
      { query: queryLiteral([word], [], 'B'), weight: share(IN_KEYWORDS) },
    ]),
  };
}
