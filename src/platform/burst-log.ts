/**
 * Returns a function that logs repeated events at a bounded rate: the first event of a kind is written at once, the
 * events of the next minute are written as one line with their number. `write` gets how many events its line stands
 * for.
 */
export function createBurstLog(intervalMs = 60_000): (write: (times: number) => void) => void {
  let isResting = false;
  let missed = 0;
  let writeLast: (times: number) => void = () => {};
  const rest = () => {
    isResting = true;
    setTimeout(wake, intervalMs).unref();
  };
  const wake = () => {
    isResting = false;
    if (missed === 0) return;
    const times = missed;
    missed = 0;
    rest();
    writeLast(times);
  };
  return (write) => {
    writeLast = write;
    if (isResting) {
      missed += 1;
      return;
    }
    rest();
    write(1);
  };
}
