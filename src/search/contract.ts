import { z } from 'zod';
import { documentItem, named } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { filterId, pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { SEARCH_PAGE_SIZE } from './limits.ts';

export { FREE_RESULTS, HOT_WORDS, MAX_QUERY_CHARACTERS, SEARCH_PAGE_SIZE } from './limits.ts';

/** A page that contains the words, and the matching line: escaped, with hits in `<em>` (C-10). */
const pageHit = z.object({ page: z.number().int().positive(), snippet: z.string() });
export type PageHit = z.infer<typeof pageHit>;

/** A search result: a document with up to three of its pages that contain all words of the query. */
export const foundItem = documentItem.extend({
  page_hits: z.array(pageHit),
  /** `full`: the document contains every meaningful word of the query, in one of its forms; otherwise `partial` (C-117). */
  match: z.enum(['full', 'partial']).default('full'),
  /** Words of the query that a partial match does not contain, as they were typed. */
  missing: z.array(z.string()).default([]),
});
export type FoundItem = z.infer<typeof foundItem>;

const count = z.number().int();
const namedCount = named.extend({ count });

export type NearestTheme = z.infer<typeof namedCount>;

/** How many documents each choice of a filter would leave under all other filters. Choices that would leave none are omitted. */
const facets = z.object({
  /** By the ids of `filetype`. */
  file_types: z.array(namedCount),
  /** Sorted by count; the chosen industry is always included, so that its name is known. */
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
    /** 1: only free documents. */
    free: filterId,
    /** `newest`, `hottest` or `pages` (most first); anything else is by relevance, without a keyword the ranking. */
    sort: z.unknown().optional(),
    /** 1: search for exactly the typed words, without another spelling and without leaving words out. */
    exact: filterId,
  }),
  output: z.object({
    item_list: z.array(foundItem),
    /** All themes with the number of matches in each. */
    themes: z.array(z.object({ id: z.number().int(), name: z.string(), count: z.number().int() })),
    facets,
    /** Real number of matches, including those this caller may not see. */
    total_count: z.number().int(),
    /** 1 when this caller sees only the first ten. */
    limited: z.union([z.literal(0), z.literal(1)]),
    /** How many of the matches this caller can page through. */
    visible_count: z.number().int(),
    /** How many of total_count contain the words only on their pages; they come last. */
    only_in_pages: z.number().int(),
    /** The typed query, when nothing matches it and the list answers `searched_for`; "" otherwise. */
    corrected_from: z.string().default(''),
    /** The query that the list answers: the typed query, its corrected spelling, or the words that were kept. */
    searched_for: z.string().default(''),
    /** A spelling that would find far more documents than the few that are listed; "" when there is none. */
    did_you_mean: z.string().default(''),
    /** Words of the query that were left out to find the partial matches. */
    dropped: z.array(z.string()).default([]),
    /** Words that no document contains, each with the near words (情人节: 七夕, 520) that the list answers instead. */
    near: z.array(z.object({ word: z.string(), by: z.array(z.string()) })).default([]),
    /** How many of total_count are full matches; they come first. */
    full_count: z.number().int().default(0),
    /** The theme of the query, when nothing was found and the query names an occasion or a kind of event; else null. */
    nearest_theme: namedCount.nullable().default(null),
    /** The first documents of `nearest_theme`. */
    nearest_list: z.array(documentItem).default([]),
    /** When nothing was found: at most six queries of other people that share a word with this query and have results. */
    related: z.array(z.string()).default([]),
    ...pagedFields,
  }),
  // Membership decides how many results of a keyword are shown; the ranking without a keyword is the same for everybody.
  isShared: ({ search_key }, { isVisitor }) => isVisitor || search_key.trim() === '',
});

/** As-you-type completions: words of the library, by characters, pinyin or first letters. Empty for a blank prefix. */
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
