import { unavailable } from '../../../protocol/envelope.ts';

type Waiter = { client: string; enter: () => void };

/**
 * Bounds work that takes processor time: at most `atOnce` tasks in all and `atOncePerClient` tasks of one client run at
 * a time; others wait in order of arrival, at most `maxWaiting` in all and `maxWaitingPerClient` of one client, for at
 * most `maxWaitMs`. Further work is refused (503). So one client never takes every place, and no queue grows without
 * bound. With `maxRestMs`, a client's place stays taken after its work for as long as the work took, at most
 * `maxRestMs`: with one place a client never has more than half of the processor. Work that takes longer than `maxWorkMs`
 * is answered with a refusal (503) and loses its place; it is not stopped, because it may wait for a database that hangs.
 */
export function createGate(limits: {
  atOnce: number;
  atOncePerClient: number;
  maxWaiting: number;
  maxWaitingPerClient: number;
  maxWaitMs: number;
  maxRestMs?: number;
  maxWorkMs?: number;
}) {
  const { maxRestMs = 0, maxWorkMs } = limits;
  const running = new Map<string, number>();
  let runningInAll = 0;
  let waiting: Waiter[] = [];

  const runningOf = (client: string) => running.get(client) ?? 0;
  const hasPlace = (client: string) => runningInAll < limits.atOnce && runningOf(client) < limits.atOncePerClient;

  function enter(client: string): void {
    runningInAll += 1;
    running.set(client, runningOf(client) + 1);
  }

  function leave(client: string, tookMs: number): void {
    runningInAll -= 1;
    const restMs = Math.min(tookMs, maxRestMs);
    if (restMs === 0) return freePlace(client);
    setTimeout(() => freePlace(client), restMs).unref();
    letNextIn();
  }

  function freePlace(client: string): void {
    if (runningOf(client) === 1) running.delete(client);
    else running.set(client, runningOf(client) - 1);
    letNextIn();
  }

  function letNextIn(): void {
    const next = waiting.findIndex((waiter) => hasPlace(waiter.client));
    if (next >= 0) waiting.splice(next, 1)[0]?.enter();
  }

  function waitFor(client: string): Promise<void> {
    const ofClient = waiting.filter((waiter) => waiter.client === client).length;
    if (waiting.length >= limits.maxWaiting || ofClient >= limits.maxWaitingPerClient) throw unavailable();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting = waiting.filter((each) => each !== waiter);
        reject(unavailable());
      }, limits.maxWaitMs);
      const waiter: Waiter = {
        client,
        enter: () => {
          clearTimeout(late);
          enter(client);
          resolve();
        },
      };
      waiting.push(waiter);
    });
  }

  return {
    /** Runs `work` when its turn comes. Throws `unavailable` (503) when the queue is full, the wait or the work too long. */
    async run<T>(client: string, work: () => Promise<T>): Promise<T> {
      if (hasPlace(client)) enter(client);
      else await waitFor(client);
      const started = performance.now();
      try {
        return await (maxWorkMs === undefined ? work() : within(maxWorkMs, work()));
      } finally {
        leave(client, performance.now() - started);
      }
    },
  };
}

/** Resolves as `work` does, or throws `unavailable` (503) after `ms`. The work is not stopped; the file of an answer that comes later is closed. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      work.then(discard).catch(() => undefined);
      reject(unavailable());
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function discard(answer: unknown): Promise<void> {
  if (answer instanceof Response) await answer.body?.cancel();
}
