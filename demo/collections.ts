import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findCollectionList, setCollectionList } from '../src/collections/server/collection-list.ts';
import type { Ctx } from '../src/context.ts';
import { findByStorageKey } from '../src/library/server/catalogue.ts';
import { PACK, sha256Of } from './load-pack.ts';

/** The shape of collections.json, which the deck factory writes (tools/deck-factory/collections.ts). `tag` has commas between words. */
const packed = z.array(
  z.object({ name: z.string(), tag: z.string(), description: z.string(), files: z.array(z.string()) }),
);

/** Makes the collections of the pack in a database that shows no collection. Decks that are not published are left out. */
export async function seedDemoCollections(ctx: Ctx, folder = PACK): Promise<void> {
  if ((await findCollectionList(ctx)).list.length > 0) return;
  const text = await readFile(join(folder, 'collections.json'), 'utf8').catch(() => '[]');
  const collections = await Promise.all(
    packed.parse(JSON.parse(text)).map(async ({ name, tag, description, files }) => ({
      id: null,
      name,
      description,
      tags: tag.split(',').filter(Boolean),
      documents: await documentsOf(ctx, folder, files),
    })),
  );
  await setCollectionList(ctx, collections);
}

async function documentsOf(ctx: Ctx, folder: string, files: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const file of files) {
    const id = await findByStorageKey(ctx, `originals/${await sha256Of(join(folder, file))}`);
    if (id !== null) ids.push(id);
  }
  return ids;
}
