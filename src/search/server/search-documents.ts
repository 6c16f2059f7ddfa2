import type { Ctx } from '../../context.ts';
import { fileKindOfFilter } from '../../library/file-types.ts';
import { startOfYear } from '../../library/rules.ts';
import { countByTheme } from '../../library/server/count-by-theme.ts';
import { listByIds, listRecommended } from '../../library/server/list-documents.ts';
import { listThemes } from '../../library/server/list-themes.ts';
import { tierOf } from '../../membership/server/tier-of.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { createMemo } from '../../platform/memo.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer } from '../../protocol/envelope.ts';
import { offsetOf } from '../../protocol/paging.ts';
import type { DocumentItem } from '../../library/contract.ts';
import { FREE_RESULTS, type FoundItem, type PageHit, type searchDocuments as contract } from '../contract.ts';
import { highlight } from '../highlight.ts';
import { queryLiteral, typeMark, yearMark } from '../literals.ts';
import { cleanQuery, createdWithin, SEARCH_LIMIT, visibleCount } from '../rules.ts';
import type { QueryWord } from '../words.ts';
import { answerQuery } from './answer-query.ts';
import { listPageHits } from './find-in-pages.ts';
import { findEntries, type Found, type Wanted } from './store.ts';

type Input = Parsed<typeof contract>;
type Answer = Output<typeof contract>;

/** Search by keyword (C-37), or the recommended ranking when the key is blank (C-78). */
export function searchDocuments(ctx: Ctx, input: Input): Promise<Answer | CodedAnswer<Answer>> {
  const key = cleanQuery(input.search_key);
  return key ? searchByKey(ctx, input, key) : browse(ctx, input);
}

async function searchByKey(ctx: Ctx, input: Input, key: string): Promise<Answer | CodedAnswer<Answer>> {
  const isUnlimited = (await tierOf(ctx)) > 0;
  // Counted for everybody; shown only as far as the tier reaches, whatever page and page size are asked for.
  const offset = offsetOf(input);
  const limit = isUnlimited ? input.pageSize : input.page === 1 ? Math.min(input.pageSize, FREE_RESULTS) : 0;
  const found = await answerQuery(ctx, {
    key,
    themeId: input.themeid || input.theme_id,
    limit,
    offset,
    filter: filterOf(ctx, input),
    find: (words, range) => find(ctx, input.pubdate, { ...wantedOf(ctx, input, words), ...range }),
  });
  const [items, hits] = await Promise.all([listByIds(ctx, found.ids), listPageHits(ctx, found.ids, found.words)]);
  const answer: Answer = {
    item_list: items.map((item) => toFoundItem(item, found.words, hits.get(item.id) ?? [])),
    only_in_pages: found.onlyInPages,
    themes: await countedThemes(ctx, found.themeCounts),
    total_count: found.total,
    limited: isUnlimited ? 0 : 1,
    visible_count: visibleCount(found.total, isUnlimited),
    ...pagedOf(input, found.total),
  };
  const isBeyondLimit = !isUnlimited && input.page > 1;
  return isBeyondLimit ? new CodedAnswer(SEARCH_LIMIT.code, SEARCH_LIMIT.message, answer) : answer;
}

/** A cover that repeats what its name says already is no news. */
function toFoundItem(item: DocumentItem, words: QueryWord[], hits: PageHit[]): FoundItem {
  const name = highlight(item.name, words);
  return { ...item, name, page_hits: hits.filter(({ page }) => page > 1 || !name.includes('<em>')) };
}

/** The ranking without a keyword: never limited by tier, 750 at most. */
async function browse(ctx: Ctx, input: Input): Promise<Answer> {
  const within = createdWithin(input.pubdate, ctx.clock.now());
  const kind = fileKindOfFilter(input.filetype);
  const filter = {
    fileTypes: kind?.types ?? null,
    since: within && ('since' in within ? within.since : startOfYear(within.year)),
    until: within && 'year' in within ? startOfYear(within.year + 1) : null,
  };
  const themeId = input.themeid || input.theme_id;
  const { page, pageSize } = input;
  const { items, total } = await listRecommended(ctx, { ...filter, themeId, page, pageSize });
  const themeCounts = await countByTheme(ctx, `${kind?.id ?? 0}|${within ? input.pubdate : 0}`, filter);
  return {
    item_list: items.map((item) => ({ ...item, name: highlight(item.name, []), page_hits: [] })),
    only_in_pages: 0,
    themes: await countedThemes(ctx, themeCounts),
    total_count: total,
    limited: 0,
    visible_count: total,
    ...pagedOf(input, total),
  };
}

/** In units of the recommended score, which are 60 days: all words in the name weigh as much as two years. */
const IN_NAME = 12;
const IN_KEYWORDS = 4;

/** The filters but for the theme: as marks beside the words, and as a day. */
function filterOf(ctx: Ctx, input: Input): { marks: string[]; since: Date | null } {
  const kind = fileKindOfFilter(input.filetype);
  const within = createdWithin(input.pubdate, ctx.clock.now());
  const marks = [
    ...(kind ? [typeMark(kind.kind)] : []),
    ...(within && 'year' in within ? [yearMark(within.year)] : []),
  ];
  return { marks, since: within && 'since' in within ? within.since : null };
}

function wantedOf(ctx: Ctx, input: Input, words: QueryWord[]): Omit<Wanted, 'limit' | 'offset' | 'themeId'> {
  const { marks, since } = filterOf(ctx, input);
  const share = (weight: number) => weight / Math.max(words.length, 1);
  return {
    query: queryLiteral(words, marks),
    since,
    bonuses: words.flatMap((word) => [
      { query: queryLiteral([word], [], 'A'), weight: share(IN_NAME) },
      { query: queryLiteral([word], [], 'B'), weight: share(IN_KEYWORDS) },
    ]),
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
function find(ctx: Ctx, pubdate: number, wanted: Wanted): Promise<Found> {
  const key = JSON.stringify([wanted.query, pubdate, wanted.themeId, wanted.limit, wanted.offset]);
  return answers(ctx, key, () => readWithin(ctx.db, PUBLIC_READ_MS, (db) => findEntries(db, wanted)));
}

async function countedThemes(ctx: Ctx, counts: Map<number, number>) {
  const themes = await listThemes(ctx);
  return themes.map((theme) => ({ ...theme, count: counts.get(theme.id) ?? 0 }));
}

const pagedOf = (input: { page: number; pageSize: number }, total: number) => ({
  page: input.page,
  page_size: input.pageSize,
  total,
});
