import { createFreshCache } from './fresh-cache.ts';
import type { Envelope } from '../../protocol/envelope.ts';

/** Maximum size of all answers together, as JSON text; the objects take about four times that in memory. */
const MAX_BYTES = 32 * 1024 * 1024;
const BYTES_PER_CHARACTER = 4;
/** Estimated bytes of an entry itself, with its key. */
const ENTRY_BYTES = 500;

type Body = Envelope<unknown>;

export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

/**
 * Caches answers of the API that do not depend on the caller, for page loaders, by the rules by which pages are cached
 * (docs/decisions/018). Bodies are frozen, because several pages read them at once.
 */
export function createSharedAnswers(options: { now?: () => number; isWatched: () => boolean; maxBytes?: number }) {
  const cache = createFreshCache<Body, never>({
    maxBytes: MAX_BYTES,
    ...options,
    sizeOf: (body, key) => ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + JSON.stringify(body).length),
  });
  return {
    /** Returns the body kept under `key`, or makes it, once for all who ask meanwhile. Rejects with what `make` throws. */
    async share(key: string, make: () => Promise<Body>): Promise<Body> {
      const kept = cache.find(key);
      if (kept) return kept;
      const made = await cache.share(key, async () => ({ scope: 'kept' as const, answer: freeze(await make()) }));
      return made.answer;
    },
    clear: cache.clear,
    size: cache.size,
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
