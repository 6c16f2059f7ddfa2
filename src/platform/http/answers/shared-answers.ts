import { createFreshCache } from './fresh-cache.ts';

/** Maximum size of all answers together, as JSON text; the objects take about four times that in memory. */
const MAX_BYTES = 32 * 1024 * 1024;
const BYTES_PER_CHARACTER = 4;
/** Estimated bytes of an entry itself, with its key. */
const ENTRY_BYTES = 500;

/**
 * Returns what `make` resolves to. For a page loader the result is frozen and shared with other pages by the rules of
 * docs/decisions/018, so `make` must not read the session, and `key` must name everything else that the result depends on. For a
 * call over HTTP, a job or a command nothing is shared: `make` is called. A result for which `isCacheable` returns false goes to all
 * who wait for it, and to nobody later.
 */
export type Share = <T extends object>(
  key: string,
  make: () => Promise<T>,
  isCacheable?: (made: T) => boolean,
) => Promise<T>;

export const shareNothing: Share = (_key, make) => make();

export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

/**
 * Caches for page loaders what does not depend on the caller: answers of the API, and the facts from which verbs make a member's
 * answer. The rules are those by which pages are cached (docs/decisions/018). Values are frozen, because several pages read them at once.
 */
export function createSharedAnswers(options: { now?: () => number; isWatched: () => boolean; maxBytes?: number }) {
  const cache = createFreshCache<object, never>({
    maxBytes: MAX_BYTES,
    ...options,
    sizeOf: (value, key) => ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + JSON.stringify(value).length),
  });
  /** Returns the value kept under `key`, or makes it, once for all who ask meanwhile, and keeps it if `isCacheable` allows. Rejects with what `make` throws. */
  const share: Share = async <T extends object>(
    key: string,
    make: () => Promise<T>,
    isCacheable: (made: T) => boolean = () => true,
  ) => {
    const kept = cache.find(key);
    // Safe: every key begins with the name of its one kind of value.
    if (kept) return kept as T;
    const made = await cache.share(key, async () => {
      const answer = freeze(await make());
      return { scope: isCacheable(answer) ? 'kept' : 'shared', answer };
    });
    // Safe: every key begins with the name of its one kind of value.
    return made.answer as T;
  };
  return {
    share,
    clear: cache.clear,
    size: cache.size,
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
