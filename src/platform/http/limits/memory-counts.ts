import type pg from 'pg';

/** Counts per minute that are kept in memory, so that a request waits for no database. */
export type MemoryCounts = {
  /** Counts one request. Resolves to 0, or to the milliseconds until the minute ends when `perMinute` were counted already. */
  take(key: string, perMinute: number): Promise<number>;
};

const MINUTE_MS = 60_000;
const EXCHANGE_MS = 250;
/** The share of a limit that a node may let through before the other nodes know of it. */
const AHEAD = 1 / 6;
/** How many counts are kept before each new count first removes those whose minute has ended. */
const MAX_KEPT = 50_000;

/** `shared`: counted by all nodes up to the last exchange; `own`: counted by this node since then. */
type Count = { shared: number; own: number; sent: number; endsAt: number };

/**
 * Each node counts for itself and writes its counts of all visitors to the database every quarter of a second, in one
 * statement, which returns what the other nodes counted. A visitor who sends a sixth of the limit between two exchanges
 * waits for the next exchange. So one node keeps the limit exactly, and n nodes exceed it by (n − 1)/6 at most. `now` returns
 * milliseconds of a clock that is never set: with the clock of the day a minute would last as long as that is set back.
 */
export function createMemoryCounts(pool: pg.Pool, now: () => number = () => performance.now()): MemoryCounts {
  const counts = new Map<string, Count>();
  let timer: NodeJS.Timeout | null = null;
  let exchanging: Promise<void> | null = null;

  async function take(key: string, perMinute: number): Promise<number> {
    for (;;) {
      const count = countOf(key);
      if (count.shared + count.own >= perMinute) return Math.max(1, count.endsAt - now());
      if (count.own < Math.max(1, Math.floor(perMinute * AHEAD))) {
        count.own++;
        timer ??= setTimeout(() => void exchangeOnce().catch(() => undefined), EXCHANGE_MS).unref();
        return 0;
      }
      await exchangeOnce();
    }
  }

  function countOf(key: string): Count {
    const known = counts.get(key);
    if (known && known.endsAt > now()) return known;
    if (counts.size >= MAX_KEPT) removeEnded();
    const made = { shared: 0, own: 0, sent: 0, endsAt: now() + MINUTE_MS };
    counts.set(key, made);
    return made;
  }

  /** Exchanges counts with the database, one exchange at a time. Rejects when the database is away; the counts are kept. */
  function exchangeOnce(): Promise<void> {
    exchanging ??= exchange().finally(() => (exchanging = null));
    return exchanging;
  }

  async function exchange(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    removeEnded();
    // Sorted, so that two nodes that lock the same rows never deadlock.
    const unsent = [...counts].filter(([, count]) => count.own > 0).sort(([a], [b]) => (a < b ? -1 : 1));
    if (unsent.length === 0) return;
    for (const [, count] of unsent) count.sent = count.own;
    const rows = await addCounts(
      pool,
      unsent.map(([key, count]) => ({ key, points: count.sent, leftMs: Math.ceil(count.endsAt - now()) })),
    );
    const answers = new Map(rows.map((row) => [row.key, row]));
    for (const [key, count] of unsent) {
      const answer = answers.get(key);
      if (!answer) continue;
      count.own -= count.sent;
      count.shared = answer.points;
      count.endsAt = now() + answer.left_ms;
    }
  }

  function removeEnded(): void {
    for (const [key, count] of counts) if (count.endsAt <= now()) counts.delete(key);
  }

  return { take };
}

/** The clock of the database, because those of the nodes differ. */
const NOW = '(extract(epoch from now()) * 1000)::bigint';

/** `expire` is in epoch milliseconds. */
const ADD = `insert into rate_limits as r (key, points, expire)
  select key, points, ${NOW} + left_ms from unnest($1::text[], $2::int[], $3::bigint[]) as sent (key, points, left_ms)
  on conflict (key) do update set
    points = case when r.expire <= ${NOW} then excluded.points else r.points + excluded.points end,
    expire = case when r.expire <= ${NOW} then excluded.expire else r.expire end
  returning key, points, expire - ${NOW} as left_ms`;

/**
 * Adds to counts in the database and returns them as they are then, those of all nodes together, with the milliseconds until they start
 * at zero again. A count that has ended starts at zero and lasts `leftMs`.
 */
export async function addCounts(
  pool: pg.Pool,
  added: readonly { key: string; points: number; leftMs: number }[],
): Promise<{ key: string; points: number; left_ms: number }[]> {
  const { rows } = await pool.query<{ key: string; points: number; left_ms: number }>({
    name: 'add_rate_limit_counts',
    text: ADD,
    values: [added.map(({ key }) => key), added.map(({ points }) => points), added.map(({ leftMs }) => leftMs)],
  });
  return rows;
}

/** Deletes counts that ended an hour ago or longer. Waits for no other node. */
export async function deleteEndedCounts(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from rate_limits where key in
    (select key from rate_limits where expire < ${NOW} - 3600000 for update skip locked)`);
}
