import { z } from 'zod';
import { documentItem, named } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { filterId, pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { SEARCH_PAGE_SIZE } from './limits.ts';

export { FREE_RESULTS, HOT_WORDS, MAX_QUERY_CHARACTERS, SEARCH_PAGE_SIZE } from './limits.ts';

/** A page that says it, and the line: escaped, with hits in `<em>` (C-10). */
const pageHit = z.object({ page: z.number().int().positive(), snippet: z.string() });
export type PageHit = z.infer<typeof pageHit>;

/** A document as search shows it: with up to three of its pages where all words of the query stand together. */
export const foundItem = documentItem.extend({
  page_hits: z.array(pageHit),
  /** `full`: the document holds every word of the query that carries meaning, in one of its forms; else `partial` (C-117). */
  match: z.enum(['full', 'partial']).default('full'),
  /** Of a partial match: the words of the query that stand nowhere in the document, as they were typed. */
  missing: z.array(z.string()).default([]),
});
export type FoundItem = z.infer<typeof foundItem>;

const count = z.number().int();
const namedCount = named.extend({ count });

export type NearestTheme = z.infer<typeof namedCount>;

/** How many each choice of a filter would leave, under all other filters. One that would leave none is left out. */
const facets = z.object({
  /** By the ids of `filetype`. */
  file_types: z.array(namedCount),
  /** Most first; the chosen one in any case, so that it has a name. */
  industries: z.array(namedCount),
  /** Latest first; `year` goes into `pubdate`. */
  years: z.array(z.object({ year: z.number().int(), count })),
  /** By `pubdate` 1, 2, 3. */
  recent: z.array(z.object({ id: z.number().int(), count })),
  /** By the ids of `pages`. */
  pages: z.array(z.object({ id: z.number().int(), count })),
  free: count,
});

/** 0 any; 1, 2, 3 = last 3, 7, 30 days; a four-digit year = that year; anything else counts as 0 (C-25). */
const publishedWithin = filterId;

/**
 * Search, or the recommended ranking when the key is blank (C-78). For visitors and user_type 1 a keyword query shows
 * ten results in all: page 1 carries them, every later page answers code 32 with an empty list and the real total.
 * `searchLimit` and `device` are accepted and ignored (C-25).
 */
export const searchDocuments = endpoint({
  method: 'POST',
  path: '/api/doc/search',
  summary: '按关键词与筛选条件搜索、排序，附各筛选项的数量；关键词为空时返回推荐排行。',
  auth: 'none',
  limit: { perIp: 30, perUser: 60, isInMemory: true },
  input: z.object({
    search_key: z
      .unknown()
      .optional()
      .transform((key) => (typeof key === 'string' || typeof key === 'number' ? String(key) : '')),
    page: pageNumber,
    pageSize: pageSize(SEARCH_PAGE_SIZE),
    /** Theme; `theme_id` means the same (C-14). */
    themeid: filterId,
    theme_id: filterId,
    /** 0 all, 1 PPT, 2 PDF (C-09 c). */
    filetype: filterId,
    pubdate: publishedWithin,
    /** Industry of the client (`industry_id` means the same). */
    industryid: filterId,
    industry_id: filterId,
    /** 1 to 4: up to 20 pages, 21–50, 51–100, more. */
    pages: filterId,
    /** 1: only what costs nothing. */
    free: filterId,
    /** `newest`, `hottest` or `pages` (most first); anything else is by relevance, without a keyword the ranking. */
    sort: z.unknown().optional(),
    /** 1: exactly what was typed, no other spelling and no word left out. */
    exact: filterId,
  }),
  output: z.object({
    item_list: z.array(foundItem),
    /** All themes with the number of matches in each. */
    themes: z.array(z.object({ id: z.number().int(), name: z.string(), count: z.number().int() })),
    facets,
    /** Real number of matches, whatever may be seen of them. */
    total_count: z.number().int(),
    /** 1 when this caller sees only the first ten. */
    limited: z.union([z.literal(0), z.literal(1)]),
    /** How many of the matches this caller can page through. */
    visible_count: z.number().int(),
    /** How many of total_count say it only inside their pages; they come last. */
    only_in_pages: z.number().int(),
    /** What was typed, when nothing answers it and the list is that of `searched_for`; "" otherwise. */
    corrected_from: z.string().default(''),
    /** What the list answers: what was typed, its spelling as the library knows it, or the words that were kept. */
    searched_for: z.string().default(''),
    /** A spelling that would find far more than the few that are listed; "" when there is none. */
    did_you_mean: z.string().default(''),
    /** Words of the query that the partial matches were found without. */
    dropped: z.array(z.string()).default([]),
    /** Words that nothing has, each with the near ones (情人节: 七夕, 520) that the list answers in their place. */
    near: z.array(z.object({ word: z.string(), by: z.array(z.string()) })).default([]),
    /** How many of total_count are full matches; they come first. */
    full_count: z.number().int().default(0),
    /** When nothing was found and the query names an occasion or a kind of event: the theme it belongs to, with its documents. */
    nearest_theme: namedCount.nullable().default(null),
    /** The first few of that theme. */
    nearest_list: z.array(documentItem).default([]),
    /** When nothing was found: queries of others with a word of this one that do find something, at most six. */
    related: z.array(z.string()).default([]),
    ...pagedFields,
  }),
  // The membership decides how many results of a keyword are shown; the ranking without one is the same for everybody.
  isShared: ({ search_key }, { isVisitor }) => isVisitor || search_key.trim() === '',
});

/** As-you-type completions: words the library knows, by their characters, sounds or first letters. Empty for a blank prefix. */
export const suggestWords = endpoint({
  method: 'POST',
  path: '/api/search/suggest',
  summary: '按汉字、拼音或首字母前缀给出搜索建议，附方案数。',
  auth: 'none',
  limit: { perIp: 600, perUser: 600, isInMemory: true },
  input: z.object({
    prefix: z
      .unknown()
      .optional()
      .transform((prefix) => (typeof prefix === 'string' ? prefix : '')),
  }),
  output: z.object({
    /** At most eight, best first. `text` is the whole query to search for; `count`: documents with the completed word. */
    items: z.array(z.object({ text: z.string(), count: z.number().int() })),
  }),
});
