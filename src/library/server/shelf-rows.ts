import type { Db } from '../../platform/db/client.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { createBatchLoader } from '../../platform/batch-loader.ts';
import type { ItemRow } from './document-item.ts';
import { selectByIds, selectVersions } from './store.ts';

/** About 20 MB. */
const KEPT = 10_000;

type Kept = { version: string; row: ItemRow };
const kept = new WeakMap<Db, Map<number, Kept>>();

/**
 * The published documents among `ids` as lists show them. Every call asks the database which of them stand on the shelf
 * and in which version; only what has changed since it was last shown is read anew, so nothing is ever shown that was
 * taken off or renamed before the call.
 */
export const findShelfRows = createBatchLoader((db: Db, ids: number[]) =>
  readWithin(db, PUBLIC_READ_MS, async (reader) => {
    const rows = kept.get(db) ?? new Map<number, Kept>();
    kept.set(db, rows);
    const versions = await selectVersions(reader, ids);
    const changed = [...versions].filter(([id, version]) => rows.get(id)?.version !== version).map(([id]) => id);
    // A row may be newer than its version, never older: then the next call reads it once more.
    for (const row of changed.length > 0 ? await selectByIds(reader, changed) : []) {
      rows.delete(row.id);
      rows.set(row.id, { version: versions.get(row.id) ?? '', row });
    }
    const found = new Map<number, ItemRow>();
    for (const [id, version] of versions) {
      const known = rows.get(id);
      // Gone from the shelf between the two reads: its old row must not stand in for it.
      if (known?.version === version) found.set(id, known.row);
    }
    for (const id of rows.keys()) {
      if (rows.size <= KEPT) break;
      rows.delete(id);
    }
    return found;
  }),
);
