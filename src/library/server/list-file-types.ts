import type { Ctx } from '../../context.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { notFound } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import { FILE_KINDS, fileKindOfFilter } from '../file-types.ts';
import { countFacets } from './catalogue.ts';
import { listRecommended } from './list-documents.ts';

/** Returns the file types with the number of their published documents, which is at most a minute old (C-27). */
export async function listFileTypes(ctx: Ctx): Promise<Output<typeof contract.listFileTypes>> {
  const { fileKinds } = await countFacets(ctx, {});
  const data = FILE_KINDS.map(({ id, name, description }) => ({
    id,
    name,
    description,
    count: fileKinds.get(id) ?? 0,
  }));
  return { data };
}

/** Returns a page of the published documents of a file type, the newest first, at most 750 in all (C-80). Throws notFound (4). */
export async function listFilesOfType(
  ctx: Ctx,
  { id, page, pageSize }: Parsed<typeof contract.listFilesOfType>,
): Promise<Output<typeof contract.listFilesOfType>> {
  const kind = fileKindOfFilter(id);
  if (!kind) throw notFound();
  const { items, total } = await listRecommended(ctx, { page, pageSize, fileKind: kind.id, sort: 'newest' });
  return { files: items, count: total, page, page_size: pageSize, total };
}
