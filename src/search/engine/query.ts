import type { FileType } from '../../library/file-types.ts';
import type { QueryWord } from '../words.ts';

export type Sort = 'relevance' | 'newest' | 'hottest' | 'pages';

/** What is left out does not narrow. */
export type Filter = {
  fileTypes?: readonly FileType[];
  themeId?: number;
  industryId?: number;
  /** Created at or after (epoch ms, to the second) … */
  since?: number;
  /** … and in that Shanghai calendar year. */
  year?: number;
  /** Both ends included. */
  pages?: { min: number; max: number };
  isFree?: boolean;
};

export type Query = {
  /** Every one of which must be found; none finds nothing. */
  words: QueryWord[];
  /** Asks for all documents, without any word. */
  isEverything?: true;
  filter: Filter;
  sort: Sort;
  /** Left out, the facets stay empty: for a common word they are half of the work. */
  facets?: FacetOrder;
  limit: number;
  /** `offset + limit` reaches no further than REACH; what lies beyond is counted and not listed. */
  offset: number;
};

export const REACH = 10_000;

/** Moments (epoch ms) and page counts from which on to count, beside what is counted by value. */
export type FacetOrder = { since: readonly number[]; pagesFrom: readonly number[] };

/** Ids (or the year, or the file type) with the number of hits. */
export type FacetCounts<T> = Map<T, number>;

/** Each counted under every filter but its own, so that it shows what another choice would give. */
export type Facets = {
  themes: FacetCounts<number>;
  fileTypes: FacetCounts<FileType>;
  industries: FacetCounts<number>;
  years: FacetCounts<number>;
  free: number;
  /** In the order asked for: created then or later. */
  since: number[];
  /** Each up to the next one, which has to be larger. */
  pagesFrom: number[];
};

export type Result = {
  /** Best first; of equals the larger id. */
  ids: number[];
  /** Exact. */
  total: number;
  facets: Facets;
};

/** What search asks of an index. Null: it is not ready, or behind; ask the database. */
export type SearchIndex = { search(query: Query): Promise<Result | null> };

export const NO_INDEX: SearchIndex = { search: () => Promise.resolve(null) };
