import type { Db } from './db/client.ts';

/**
 * Reads rows by key for many callers at once (a batch loader): while a read is running, the keys of new callers are
 * collected for the next read. A busy site runs few large queries instead of many small ones, and no caller gets rows
 * that were read before its call. `read` gets distinct keys.
 */
export function createBatchLoader<K, V>(read: (db: Db, keys: K[]) => Promise<Map<K, V>>) {
  // By database, so that two apps in one process (tests) never share a read.
  const states = new WeakMap<Db, { running: Promise<unknown> | null; next: Waiting<K, V> | null }>();
  return async (db: Db, keys: K[]): Promise<Map<K, V>> => {
    const state = states.get(db) ?? { running: null, next: null };
    states.set(db, state);
    if (!state.next) {
      const waiting: Waiting<K, V> = { keys: new Set(), rows: Promise.resolve(new Map()) };
      state.next = waiting;
      waiting.rows = (state.running ?? Promise.resolve()).then(() => {
        state.next = null;
        const rows = read(db, [...waiting.keys]);
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
