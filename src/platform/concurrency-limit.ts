/** Runs at most `atOnce` tasks at a time. The others wait in the order in which they were added. */
export function createConcurrencyLimit(atOnce: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    /** Returns how many tasks wait. */
    waiting: () => waiting.length,
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running < atOnce) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        // The place goes to the first waiting task, so no later one can overtake it.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
