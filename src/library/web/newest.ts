import type { DocumentItem } from '../contract.ts';

/** So many of a list carry 新: on a library filled in one day every document is new, and the tag would say nothing. */
const MARKED = 3;

/** The ids of the newest documents of a list, among those that are new at all (C-86). */
export function newestOf(files: readonly Pick<DocumentItem, 'id' | 'is_new' | 'create_time'>[]): ReadonlySet<number> {
  const newest = files
    .filter((file) => file.is_new === 1)
    .toSorted((one, two) => two.create_time - one.create_time)
    .slice(0, MARKED);
  return new Set(newest.map((file) => file.id));
}
