import type { Ctx } from '../../../context.ts';
import type { DocumentItem } from '../../../library/contract.ts';
import type { DocumentFilter } from '../../../library/document-filter.ts';
import { listByIds, versionGroupOf } from '../../../library/server/list-documents.ts';
import { foldVersions } from '../../fold-versions.ts';
import { isSameIndustry, type Subject } from '../../decks/deck-subject.ts';
import type { SearchAnswer } from './answer-query.ts';
import { findAll } from './find-named.ts';
import { findRefused, idsOf } from './refused.ts';

/** A list of fewer results is completed to this number. */
export const FEW_RESULTS = 8;
/** Themes of the best decks that are asked for; each costs a question to the engine. */
const MAX_THEMES = 4;
/** The best deck tells twice as much of what is meant as each of the others. */
const TOP_WEIGHT = 2;

type Similar = Pick<SearchAnswer, 'ids' | 'total' | 'fullCount' | 'models' | 'refused'>;

/**
 * Lists plans that complete a short list: of the industry of the best result, those that share most themes with the best three first. Where these are of several
 * industries, or none holds all words, only those that share a theme with the best. Of the decks that judges were shown in this way they named 65 in a hundred as
 * related; of those that share a theme alone, 7 (docs/decisions/028-whole-decks.md). What the query refuses is left out here as well. Empty while the engine does not answer.
 */
export async function listSimilarPlans(ctx: Ctx, found: Similar): Promise<DocumentItem[]> {
  const { ids: listed, models, total, fullCount, refused } = found;
  const subjects = models.map(({ industryId, themeIds }) => [industryId, themeIds]);
  const key = JSON.stringify([ctx.searchIndex.version(), listed, total, fullCount > 0, subjects, refused]);
  const ids = await ctx.caches.search.similar(ctx, key, () => findSimilar(ctx, found));
  const items = await listByIds(ctx, [...listed, ...ids]);
  const groupOf = ({ id }: DocumentItem) => versionGroupOf(ctx, id)?.toString() ?? null;
  // A version of a plan that is listed already is nothing new.
  const isListed = ({ id }: DocumentItem) => listed.includes(id);
  return foldVersions(items, groupOf)
    .filter(({ item, others }) => ![item, ...others].some(isListed))
    .map(({ item }) => item)
    .slice(0, FEW_RESULTS - total);
}

/** Returns the ids of similar plans, the best first: twice as many as are missing, as some may be versions of others. */
async function findSimilar(ctx: Ctx, { ids, total, fullCount, models, refused }: Similar): Promise<number[]> {
  const [top] = models;
  if (!top || top.industryId === 0 || total >= FEW_RESULTS) return [];
  const areAlike = models.every((model) => isSameIndustry(top, model));
  const wanted = 2 * FEW_RESULTS;
  const listed = new Set(ids);
  const without = idsOf(await findRefused(ctx, refused));
  const scores = new Map<number, number>();
  const add = async (filter: DocumentFilter, weight: number) => {
    const found = await findAll(ctx, {
      filter: { ...filter, industryId: top.industryId },
      sort: 'relevance',
      limit: wanted + listed.size,
      offset: 0,
      isCounted: false,
      without,
    });
    for (const id of found?.ids ?? []) if (!listed.has(id)) scores.set(id, (scores.get(id) ?? 0) + weight);
  };
  for (const [themeId, weight] of themesOf(areAlike ? models : [top])) await add({ themeId }, weight);
  if (areAlike && fullCount > 0) await add({}, 0);
  return [...scores]
    .sort(([, one], [, other]) => other - one)
    .slice(0, wanted)
    .map(([id]) => id);
}

/** Returns the themes of the best decks with their weights, the heaviest first. */
function themesOf(models: readonly Subject[]): [themeId: number, weight: number][] {
  const weights = new Map<number, number>();
  for (const [at, { themeIds }] of models.entries())
    for (const theme of themeIds) weights.set(theme, (weights.get(theme) ?? 0) + (at === 0 ? TOP_WEIGHT : 1));
  return [...weights].sort(([, one], [, other]) => other - one).slice(0, MAX_THEMES);
}
