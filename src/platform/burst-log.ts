const INTERVAL_MS = 60_000;

/**
 * Returns a function that logs repeated events at a bounded rate: the first event of a kind is written at once, the
 * events of the next minute are written as one line with their number. `write` gets how many events its line stands
 * for.
 */
export function createBurstLog(): (write: (times: number) => void) => void {
  let isPaused = false;
  let missed = 0;
  let writeLast: (times: number) => void = () => {};
  const startPause = () => {
    isPaused = true;
    setTimeout(endPause, INTERVAL_MS).unref();
  };
  const endPause = () => {
    isPaused = false;
    if (missed === 0) return;
    const times = missed;
    missed = 0;
    startPause();
    writeLast(times);
  };
  return (write) => {
    writeLast = write;
    if (isPaused) {
      missed += 1;
      return;
    }
    startPause();
    write(1);
  };
}
