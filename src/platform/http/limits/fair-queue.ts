/** Starts a request. It calls `done` when the request is answered. */
export type Begin = (done: () => void) => void;

/**
 * The kinds of requests, in the order in which waiting ones are started: the calls of known members, other calls, pages. A
 * page takes the processor for as long as ten calls.
 */
export type Lane = 'members' | 'calls' | 'pages';

/**
 * Maximum time in milliseconds for starting requests in one turn of the event loop, before the loop polls its sockets
 * again.
 */
const SLICE_MS = 1;
/**
 * Time charged for a request that is not answered when `begin` returns: its work goes on in the same turn, unmeasured.
 */
const UNFINISHED_MS = 0.5;
/** Maximum number of unanswered requests of one client. */
const MAX_IN_WORK = 12;
/** After this time a request counts as waiting for something else than the processor: a slow client, the database. */
const MAX_WORK_MS = 250;
const MAX_WAITING = 20_000;
const MAX_WAITING_PER_CLIENT = 2_000;

/**
 * Starts requests in fair order. While the requests of one turn of the event loop take less than `sliceMs`, and a
 * client has fewer than `maxInWork` unanswered requests, each request starts as it arrives. The others wait and start
 * one client after the other, so that two hundred connections of one client delay another client by a slice and not by
 * two hundred answers. The lanes start in their order, and of the later ones at least one request in each turn: a
 * thousand clients that ask for pages, or call without a known session, delay a member's call by one turn. Nothing is delayed while the processor is idle.
 */
export function createFairQueue({
  sliceMs = SLICE_MS,
  maxInWork = MAX_IN_WORK,
  maxWorkMs = MAX_WORK_MS,
  maxWaiting = MAX_WAITING,
  maxWaitingPerClient = MAX_WAITING_PER_CLIENT,
} = {}) {
  /** The waiting requests of each lane by client, in the order in which the clients get their next turn. */
  const lanes: Record<Lane, Map<string, Begin[]>> = {
    members: new Map(),
    calls: new Map(),
    pages: new Map(),
  };
  const inWork = new Map<string, number>();
  let waiting = 0;
  let usedMs = 0;
  let isScheduled = false;

  const hasPlace = (client: string) => (inWork.get(client) ?? 0) < maxInWork;

  function run(client: string, begin: Begin): void {
    const started = performance.now();
    inWork.set(client, (inWork.get(client) ?? 0) + 1);
    const place = { isFree: false };
    const done = () => {
      clearTimeout(late);
      if (place.isFree) return;
      place.isFree = true;
      free(client);
    };
    const late = setTimeout(done, maxWorkMs).unref();
    try {
      begin(done);
    } finally {
      usedMs += performance.now() - started + (place.isFree ? 0 : UNFINISHED_MS);
      schedule();
    }
  }

  function free(client: string): void {
    const left = (inWork.get(client) ?? 1) - 1;
    if (left > 0) inWork.set(client, left);
    else inWork.delete(client);
    if (Object.values(lanes).some((queues) => queues.has(client))) schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    isScheduled = false;
    usedMs = 0;
    startWaiting(lanes.members, 0);
    startWaiting(lanes.calls, 1);
    startWaiting(lanes.pages, 1);
  }

  /** Starts requests until the slice of this turn is used up, and at least `atLeast` requests. */
  function startWaiting(queues: Map<string, Begin[]>, atLeast: number): void {
    let started = 0;
    for (const [client, queue] of queues) {
      if (usedMs >= sliceMs && started >= atLeast) break;
      // A client without a free place keeps its turn; the end of one of its requests schedules the next pass.
      if (!hasPlace(client)) continue;
      // Removed and inserted behind the others; the loop meets the client again after them.
      queues.delete(client);
      const begin = queue.shift();
      if (queue.length > 0) queues.set(client, queue);
      if (!begin) continue;
      waiting -= 1;
      started += 1;
      run(client, begin);
    }
  }

  return {
    /** Calls `begin` now or in a later turn. Returns false, and never calls it, when too many requests wait. */
    take(client: string, lane: Lane, begin: Begin): boolean {
      const queues = lanes[lane];
      const queue = queues.get(client);
      if (!queue && usedMs < sliceMs && hasPlace(client)) {
        run(client, begin);
        return true;
      }
      if (waiting >= maxWaiting || (queue && queue.length >= maxWaitingPerClient)) return false;
      if (queue) queue.push(begin);
      else queues.set(client, [begin]);
      waiting += 1;
      schedule();
      return true;
    },
  };
}
