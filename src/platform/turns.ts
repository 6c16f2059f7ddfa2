/** Lets at most `atOnce` pieces of work run at a time; the others wait in the order they came. */
export function createTurns(atOnce: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    /** How many wait for a turn. */
    waiting: () => waiting.length,
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running < atOnce) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        // The turn is handed on, not given up: nobody slips in between.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
