import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Settings of a connection that may be idle: Node ends the connection when ten keep-alive probes, one a second, have no answer. A firewall
 * or a NAT that forgets an idle connection tells neither end.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Answers to statements that need no time arrive within this time. */
export const PROMPT_ANSWER_MS = 5_000;

/** Errors with which connections broke. Their codes do not tell: a file on a network disk fails with ETIMEDOUT as well. */
const breaks = new WeakSet();

/** True of the error with which a connection that `limitAnswers` watches has ended. */
export function isConnectionBreak(error: Error): boolean {
  return breaks.has(error);
}

/** Connections whose statements may take as long as they need. */
const unlimited = new WeakSet<pg.Client>();

/** Runs statements that may take as long as they need, although the connection is watched. */
export async function withoutAnswerLimit<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  unlimited.add(client);
  try {
    return await work();
  } finally {
    unlimited.delete(client);
  }
}

/**
 * Breaks the connection when statements wait and none is answered for `maxMs`; all of them fail then. Nothing else ends that wait when packets
 * of the connection vanish: statement_timeout runs at the server, and there are no keep-alive probes while TCP repeats a statement that was
 * sent. The setting query_timeout of pg would fail the one statement and keep the connection, where a ROLLBACK waits as long again.
 */
export function limitAnswers(client: pg.Client, maxMs: number): void {
  client.on('error', (error) => breaks.add(error));
  // Safe: the method is called as it was, in the form that returns a promise or the one that takes a callback.
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  let waiting = 0;
  let timer: NodeJS.Timeout | null = null;
  const restart = () => {
    if (timer) clearTimeout(timer);
    timer = waiting > 0 && !unlimited.has(client) ? setTimeout(giveUp, maxMs) : null;
  };
  const giveUp = () => {
    const due = timer;
    // This process may have been busy or asleep: answers that have arrived are read before an immediate runs.
    setImmediate(() => {
      if (timer === due)
        client.connection.stream.destroy(new Error(`Connection terminated: no answer for ${maxMs / 1_000} s`));
    });
  };
  const onAnswered = () => {
    waiting -= 1;
    restart();
  };
  const limited = (...args: unknown[]): unknown => {
    waiting += 1;
    if (waiting === 1) restart();
    const callback = args.at(-1);
    if (typeof callback !== 'function') return Promise.resolve(query(...args)).finally(onAnswered);
    return query(...args.slice(0, -1), (...answer: unknown[]) => {
      onAnswered();
      callback(...answer);
    });
  };
  client.query = limited as typeof client.query;
}

/** How often the server is asked; longer than it has for an answer. */
const PROBE_MS = 6_000;

/** Breaks a connection that `limitAnswers` watches within 11 s after it fell silent, although nothing else asks the server anything. */
export function probe(client: pg.Client): void {
  const timer = setInterval(() => void client.query('select').catch(() => undefined), PROBE_MS).unref();
  client.once('end', () => clearInterval(timer));
}

/** How long the server may take to close a connection that ends. */
const GOODBYE_MS = 1_000;

/** Ends a connection, without the server when that says nothing. */
export async function endConnection(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
  client.connection.stream.destroy();
}
