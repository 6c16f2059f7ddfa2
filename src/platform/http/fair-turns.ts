export type FairTurns = ReturnType<typeof createFairTurns>;

/** How long requests may be begun in one turn of the event loop before the loop looks at its sockets again. */
const SLICE_MS = 2;
/** Charged for a request that goes on after `begin` has returned: that work is done in the same turn, unmeasured. */
const UNFINISHED_MS = 0.5;
const MAX_WAITING = 20_000;
const MAX_WAITING_PER_CLIENT = 2_000;

/**
 * Begins requests in fair order. While the requests of one turn of the event loop take less than `sliceMs`, each is begun
 * as it arrives. The others wait for the next turn and are then begun one client after the other, so that two hundred
 * connections of one client delay another client by a slice, not by two hundred answers. Nothing is slowed down while the
 * processor has time.
 */
export function createFairTurns({
  sliceMs = SLICE_MS,
  maxWaiting = MAX_WAITING,
  maxWaitingPerClient = MAX_WAITING_PER_CLIENT,
} = {}) {
  /** In the order in which the clients get their next turn. */
  const queues = new Map<string, (() => boolean)[]>();
  let waiting = 0;
  let usedMs = 0;
  let isScheduled = false;

  function run(begin: () => boolean): void {
    const started = performance.now();
    const isFinished = begin();
    usedMs += performance.now() - started + (isFinished ? 0 : UNFINISHED_MS);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    isScheduled = false;
    const isIdle = usedMs === 0 && waiting === 0;
    usedMs = 0;
    // Scheduled first, so that requests that wait are begun even when one of them throws.
    if (!isIdle) schedule();
    for (const [client, queue] of queues) {
      if (usedMs >= sliceMs) break;
      // Taken out and put back behind the others; the loop meets the client again after them.
      queues.delete(client);
      const begin = queue.shift();
      if (queue.length > 0) queues.set(client, queue);
      if (!begin) continue;
      waiting -= 1;
      run(begin);
    }
  }

  return {
    /**
     * Calls `begin` now or in a later turn; it returns whether the request is answered already. Returns false, and never
     * calls `begin`, when too many requests wait.
     */
    take(client: string, begin: () => boolean): boolean {
      if (waiting === 0 && usedMs < sliceMs) {
        run(begin);
        schedule();
        return true;
      }
      const queue = queues.get(client);
      if (waiting >= maxWaiting || (queue && queue.length >= maxWaitingPerClient)) return false;
      if (queue) queue.push(begin);
      else queues.set(client, [begin]);
      waiting += 1;
      schedule();
      return true;
    },
  };
}
