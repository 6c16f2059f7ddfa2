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
  filter: Filter;
  sort: Sort;
  /** False leaves the facets empty: for a common word they are a third of the work. */
  hasFacets?: boolean;
  limit: number;
  /** `offset + limit` reaches no further than REACH; what lies beyond is counted and not listed. */
  offset: number;
};

export const REACH = 10_000;

/** Ids (or the year, or the file type) with the number of hits. */
export type FacetCounts<T> = Map<T, number>;

export type Result = {
  /** Best first; of equals the larger id. */
  ids: number[];
  /** Exact. */
  total: number;
  /** Each counted under every filter but its own, so that it shows what another choice would give. */
  facets: {
    themes: FacetCounts<number>;
    fileTypes: FacetCounts<FileType>;
    industries: FacetCounts<number>;
    years: FacetCounts<number>;
  };
};

/** What search asks of an index. Null: it is not ready, or behind; ask the database. */
export type SearchIndex = { search(query: Query): Promise<Result | null> };

export const NO_INDEX: SearchIndex = { search: () => Promise.resolve(null) };
