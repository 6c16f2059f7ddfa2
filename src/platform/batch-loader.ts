type BatchLoader<K, V> = (keys: K[], read: (keys: K[]) => Promise<Map<K, V>>) => Promise<Map<K, V>>;

/**
 * Reads rows by key for many callers at once (a batch loader): while a read is running, the keys of new callers are
 * collected for the next read. A busy site runs few large queries instead of many small ones, and no caller gets rows
 * that were read before its call. `read` gets distinct keys and is the same function for every caller.
 */
export function createBatchLoader<K, V>(): BatchLoader<K, V> {
  const state: { running: Promise<unknown> | null; next: Waiting<K, V> | null } = { running: null, next: null };
  return async (keys, read) => {
    if (!state.next) {
      const waiting: Waiting<K, V> = { keys: new Set(), rows: Promise.resolve(new Map()) };
      state.next = waiting;
      waiting.rows = (state.running ?? Promise.resolve()).then(() => {
        state.next = null;
        const rows = read([...waiting.keys]);
        state.running = rows.catch(() => undefined);
        return rows;
      });
    }
    const waiting = state.next;
    for (const key of keys) waiting.keys.add(key);
    return waiting.rows;
  };
}

type Waiting<K, V> = { keys: Set<K>; rows: Promise<Map<K, V>> };
