import type { Ctx } from '../../context.ts';
import { SEARCH_PAGE_SIZE } from '../limits.ts';
import { queryWords, type QueryWord } from '../words.ts';
import { cutWords } from './cut-words.ts';
import { listOnlyInPages } from './find-in-pages.ts';
import type { Found } from './store.ts';

/** A question, and who answers it from names, keywords and organizations (`themeId` 0: of all themes). */
export type Question = {
  key: string;
  themeId: number;
  limit: number;
  offset: number;
  /** The other filters, as pages are asked for them. */
  filter: { marks: string[]; since: Date | null };
  find(words: QueryWord[], range: { themeId: number; limit: number; offset: number }): Promise<Found>;
};

export type Answered = Found & {
  /** What was looked for in the end: to be marked in what is shown. */
  words: QueryWord[];
  /** How many of `total` say it only inside; they come last. */
  onlyInPages: number;
};

const NOTHING: Found = { ids: [], total: 0, themeCounts: new Map() };

/** One page of what answers the question: by name, keyword and organization, and where these are few, by the pages too. */
export function answerQuery(ctx: Ctx, question: Question): Promise<Answered> {
  return answerWords(ctx, question, queryWords(question.key, cutWords));
}

async function answerWords(ctx: Ctx, question: Question, words: QueryWord[]): Promise<Answered> {
  if (words.length === 0) return { ...NOTHING, words, onlyInPages: 0 };
  const { themeId, limit, offset } = question;
  const named = await question.find(words, { themeId, limit, offset });
  if (!(await areFew(question, words, named))) return { ...named, words, onlyInPages: 0 };
  const all = await listOnlyInPages(ctx, words, question.filter);
  const inside = all.filter(({ themeIds }) => themeId === 0 || themeIds.includes(themeId));
  const themeCounts = new Map(named.themeCounts);
  for (const id of all.flatMap(({ themeIds }) => themeIds)) themeCounts.set(id, (themeCounts.get(id) ?? 0) + 1);
  const first = Math.max(0, offset - named.total);
  const more = inside.slice(first, first + Math.max(0, limit - named.ids.length)).map(({ id }) => id);
  return {
    ids: [...named.ids, ...more],
    total: named.total + inside.length,
    themeCounts,
    words,
    onlyInPages: inside.length,
  };
}

/** Less than a page, whatever theme was chosen: or else the counts beside the themes would change with the choice. */
async function areFew(question: Question, words: QueryWord[], named: Found): Promise<boolean> {
  if (named.total >= SEARCH_PAGE_SIZE || question.themeId === 0) return named.total < SEARCH_PAGE_SIZE;
  return (await question.find(words, { themeId: 0, limit: 0, offset: 0 })).total < SEARCH_PAGE_SIZE;
}
