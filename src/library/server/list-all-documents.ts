import type { Ctx } from '../../context.ts';
import { selectAnyDocuments } from './store-operators.ts';
import type { DocumentState, FileType } from './tables.ts';

/** What operators look for; left out, anything. */
export type DocumentSearch = {
  state?: DocumentState;
  fileType?: FileType;
  /** Exact names of the library. */
  type?: string;
  industry?: string;
  /** In the title, capitals or not. */
  text?: string;
  since?: Date;
};

export type ListedDocument = Awaited<ReturnType<typeof selectAnyDocuments>>[number];

/** Documents in any state, the newest id first, from below the id `after`. */
export function listAllDocuments(
  ctx: Ctx,
  search: DocumentSearch,
  page: { limit: number; after: number | null },
): Promise<ListedDocument[]> {
  return selectAnyDocuments(ctx.db, search, page);
}
