import type { Ctx } from '../../context.ts';
import { dayText, updateText } from '../../library/rules.ts';
import { listByIds } from '../../library/server/list-documents.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { notFound } from '../../protocol/envelope.ts';
import { offsetOf } from '../../protocol/paging.ts';
import type * as contract from '../contract.ts';
import type { CollectionItem } from '../contract.ts';
import {
  countCollections,
  selectCollection,
  selectCollectionFiles,
  selectCollections,
  selectListedIds,
  type CollectionFacts,
} from './store.ts';

/** Returns a page of the collections in the order of the operator (C-92). */
export async function listCollections(
  ctx: Ctx,
  wanted: Parsed<typeof contract.listCollections>,
): Promise<Output<typeof contract.listCollections>> {
  const { rows, total } = await readWithin(ctx, PUBLIC_READ_MS, async (db) => ({
    rows: await selectCollections(db, { limit: wanted.pageSize, offset: offsetOf(wanted) }),
    total: await countCollections(db),
  }));
  return { items: await toItems(ctx, rows), page: wanted.page, page_size: wanted.pageSize, total };
}

/** Returns a collection. Throws notFound for an id that is unknown or not listed (C-92). */
export async function getCollection(ctx: Ctx, { id }: { id: number }): Promise<CollectionItem> {
  const [item] = await toItems(ctx, [await findFacts(ctx, id)]);
  if (!item) throw notFound();
  return item;
}

/** Returns a page of the published documents of a collection in their order. Throws notFound like getCollection. */
export async function listCollectionFiles(
  ctx: Ctx,
  { id, page, pageSize }: Parsed<typeof contract.listCollectionFiles>,
): Promise<Output<typeof contract.listCollectionFiles>> {
  const { fileCount } = await findFacts(ctx, id);
  const ids = await readWithin(ctx, PUBLIC_READ_MS, (db) =>
    selectCollectionFiles(db, { collectionId: id, limit: pageSize, offset: offsetOf({ page, pageSize }) }),
  );
  return { items: await listByIds(ctx, ids), page, page_size: pageSize, total: fileCount };
}

/** Returns the ids of all listed collections, for the sitemap. */
export function listCollectionIds(ctx: Ctx): Promise<number[]> {
  return selectListedIds(ctx.db);
}

async function findFacts(ctx: Ctx, id: number): Promise<CollectionFacts> {
  const row = await readWithin(ctx, PUBLIC_READ_MS, (db) => selectCollection(db, id));
  if (!row) throw notFound();
  return row;
}

/** Converts rows into items of the contract, with the covers of documents that are published at this moment. */
async function toItems(ctx: Ctx, rows: readonly CollectionFacts[]): Promise<CollectionItem[]> {
  const documents = await listByIds(ctx, [...new Set(rows.flatMap(({ coverIds }) => coverIds))]);
  const byId = new Map(documents.map((document) => [document.id, document]));
  return rows.map((row) => {
    const covers = row.coverIds.flatMap((id) => {
      const document = byId.get(id);
      if (!document) return [];
      const { share_url, cover_srcset, cover_color } = document;
      return [{ share_url, cover_srcset, cover_color }];
    });
    return {
      id: row.id,
      name: row.name,
      banner: covers[0]?.share_url ?? '',
      covers,
      file_count: row.fileCount,
      tag: row.tags.join(','),
      update_text: updateText(row.updatedAt, ctx.clock.now()),
      description: row.description,
      createTimeText: dayText(row.createdAt),
    };
  });
}
