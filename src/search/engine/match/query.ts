import type { FileType } from '../../../library/file-types.ts';
import type { Sort } from '../../../library/limits.ts';
import type { LabelColumn, LabelFieldIds } from '../format/layout.ts';
import type { QueryWord } from '../../words.ts';
import type { DeckQuery, Gathered } from './gather.ts';

/** A field that is left out does not narrow. */
export type Filter = Partial<LabelFieldIds> & {
  fileTypes?: readonly FileType[];
  themeId?: number;
  /** Created at or after this time, in epoch ms with a resolution of a second. */
  since?: number;
  /** Created in this Shanghai calendar year. */
  year?: number;
  /** Both ends of ranges are included. */
  pages?: Range;
  isFree?: boolean;
  /** Stated budget in yuan, and stated numbers of people and days. */
  budget?: Range;
  people?: Range;
  days?: Range;
  /** Ids of documents that are no hits. */
  without?: readonly number[];
};

type Range = { min: number; max: number };

export type Query = {
  /** A document must match all words; [] matches nothing. */
  words: QueryWord[];
  /** Matches all documents, without any word. */
  isEverything?: true;
  filter: Filter;
  sort: Sort;
  /** Without it the facets stay empty: for a common word they are half of the work. */
  facets?: FacetOrder;
  limit: number;
  /** `offset + limit` is at most REACH; later hits are counted and not listed. */
  offset: number;
};

export const REACH = 10_000;

/** Lower bounds, in epoch ms, pages, yuan, people and days, for the facets that count ranges. */
export type FacetOrder = Record<'since' | RangeFacet, readonly number[]>;

/** The facets that count documents from each bound up to the next. */
export const RANGE_FACETS = ['pagesFrom', 'budgetsFrom', 'peopleFrom', 'daysFrom'] as const;
export type RangeFacet = (typeof RANGE_FACETS)[number];

/** Number of hits by id, year or file type. */
export type FacetCounts<T> = Map<T, number>;

/**
 * Each facet is counted under all filters but its own, so that it shows what another choice would give. Ranges stand in the order of FacetOrder,
 * which ascends: documents from a bound up to the next.
 */
export type Facets = Record<LabelColumn, FacetCounts<number>> &
  Record<RangeFacet, number[]> & {
    themes: FacetCounts<number>;
    fileTypes: FacetCounts<FileType>;
    years: FacetCounts<number>;
    free: number;
    /** In the order of FacetOrder: documents created then or later. */
    since: number[];
  };

export type Result = {
  /** Best first; equal hits by id, descending. */
  ids: number[];
  /** The exact number of hits. */
  total: number;
  facets: Facets;
};

/** The search index. Null means that it is not ready, or behind: the caller asks the database. */
export type SearchIndex = {
  search(query: Query): Promise<Result | null>;
  gather(query: DeckQuery): Promise<Gathered | null>;
  /** Returns the significant terms of a document (significant-terms.ts), as a view of the index: not to be kept. Empty when nothing is known of it. */
  significant(id: number): Uint16Array;
  /** Changes with every change that reaches the index; null while the caller has to ask the database. */
  version(): number | null;
};

export const NO_INDEX: SearchIndex = {
  search: () => Promise.resolve(null),
  gather: () => Promise.resolve(null),
  significant: () => new Uint16Array(0),
  version: () => null,
};
