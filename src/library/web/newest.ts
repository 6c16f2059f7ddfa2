import type { DocumentItem } from '../contract.ts';

/** At most this many documents of a list carry 新: in a library filled on one day every document is new. */
const MAX_MARKED = 3;

/** Returns the ids of the newest documents of a list, among those that are new (C-86). */
export function newestOf(files: readonly Pick<DocumentItem, 'id' | 'is_new' | 'create_time'>[]): ReadonlySet<number> {
  const newest = files
    .filter((file) => file.is_new === 1)
    .toSorted((one, two) => two.create_time - one.create_time)
    .slice(0, MAX_MARKED);
  return new Set(newest.map((file) => file.id));
}
