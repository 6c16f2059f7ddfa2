/**
 * Folds the versions of one plan on a page of results into one result: the newest in front, at the place of the
 * best, with the others below it. `groupOf` returns what all versions of a plan share, null for a plan with one version alone.
 */
export function foldVersions<Item extends { create_time: number; id: number }>(
  items: readonly Item[],
  groupOf: (item: Item) => string | null,
): { item: Item; others: Item[] }[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = groupOf(item) ?? `alone ${item.id}`;
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()].flatMap((versions) => {
    const [item, ...others] = versions.toSorted((a, b) => b.create_time - a.create_time || b.id - a.id);
    return item ? [{ item, others }] : [];
  });
}
