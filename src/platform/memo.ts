import type { Clock } from './clock.ts';

/** Returns the cached answer of `key`, or that of `make`. */
type Memo<T> = (ctx: { clock: Clock }, key: string, make: () => Promise<T>) => Promise<T>;

/**
 * Caches answers of one kind for `freshMs`, at most `size` keys; the oldest are dropped first. Concurrent callers wait
 * for the same answer; a failure is not cached, and no answer for which `isKept` returns false.
 */
export function createMemo<T>(freshMs: number, size: number, isKept: (answer: T) => boolean = () => true): Memo<T> {
  const answers = new Map<string, { at: number; answer: Promise<T> }>();
  return (ctx, key, make) => {
    const now = ctx.clock.now();
    const known = answers.get(key);
    if (known && now - known.at < freshMs) return known.answer;
    // Drizzle's builders run the query each time they are awaited; only a real promise holds one answer.
    const answer = Promise.resolve(make());
    answers.delete(key);
    answers.set(key, { at: now, answer });
    const oldest = answers.keys().next();
    if (answers.size > size && !oldest.done) answers.delete(oldest.value);
    const drop = () => answers.get(key)?.answer === answer && answers.delete(key);
    answer.then((made) => isKept(made) || drop(), drop);
    return answer;
  };
}
