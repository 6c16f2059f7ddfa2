import { createBatchLoader } from '../../platform/batch-loader.ts';
import { createMemo } from '../../platform/memo.ts';
import type { FacetCounts } from '../document-filter.ts';
import type { LibraryCount } from './catalogue.ts';
import type { StateCounts } from './store.ts';
import type { ItemRow } from './document-item.ts';
import type { OriginalState } from './originals.ts';

/** Creates the caches of the library, in the memory of this process. */
export const createLibraryCaches = () => ({
  libraryCounts: createMemo<LibraryCount>(5_000, 1),
  /** Counts for /metrics read whole tables. */
  stateCounts: createMemo<StateCounts>(60_000, 1),
  facetCounts: createMemo<FacetCounts>(60_000, 300),
  /** How long a verified original counts as intact for further ranges of it, as long as its file is not touched. */
  verifiedOriginals: createMemo<OriginalState>(600_000, 10_000),
  /** Rows of published documents by id, with the version in which they were read. */
  rows: new Map<number, { version: string; row: ItemRow }>(),
  loadRows: createBatchLoader<number, ItemRow>(),
});
