import type { Clock } from './clock.ts';
import type { Db } from './db/client.ts';

/**
 * Caches answers of one kind for `freshMs`, at most `size` keys for each database; the oldest are dropped first.
 * Concurrent callers wait for the same answer; a failure is not cached.
 */
export function createMemo<T>(freshMs: number, size: number) {
  // By database, so that two apps in one process (tests) never share an answer.
  const kept = new WeakMap<Db, Map<string, { at: number; answer: Promise<T> }>>();
  return (ctx: { db: Db; clock: Clock }, key: string, make: () => Promise<T>): Promise<T> => {
    const answers = kept.get(ctx.db) ?? new Map<string, { at: number; answer: Promise<T> }>();
    kept.set(ctx.db, answers);
    const now = ctx.clock.now();
    const known = answers.get(key);
    if (known && now - known.at < freshMs) return known.answer;
    // Drizzle's builders run the query each time they are awaited; only a real promise holds one answer.
    const answer = Promise.resolve(make());
    answers.delete(key);
    answers.set(key, { at: now, answer });
    const oldest = answers.keys().next();
    if (answers.size > size && !oldest.done) answers.delete(oldest.value);
    answer.catch(() => answers.get(key)?.answer === answer && answers.delete(key));
    return answer;
  };
}
