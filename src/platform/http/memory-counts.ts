import type pg from 'pg';

/** Counts of a minute that cost a request no round trip. */
export type MemoryCounts = {
  /** Counts one. Resolves to 0, or to the milliseconds until the minute ends when there were `perMinute` already. */
  take(key: string, perMinute: number): Promise<number>;
};

const MINUTE_MS = 60_000;
const TELL_MS = 250;
/** The share of a limit that may be let through before all nodes know of it. */
const AHEAD = 1 / 6;
/** Visitors at once; beyond it, those whose minute is over are forgotten with each new one. */
const MAX_KEPT = 50_000;

/** `shared`: counted by all nodes up to the last telling; `own`: counted here since. */
type Count = { shared: number; own: number; told: number; endsAt: number };

/**
 * A node counts for itself and tells what it counted every quarter of a second, for all visitors in one statement, which
 * tells it what the others counted. A visitor who comes so fast that a sixth of the limit is untold waits for the
 * telling. So one node keeps the limit exactly, and n nodes exceed it by (n − 1)/6 at most.
 */
export function createMemoryCounts(pool: pg.Pool, now: () => number = Date.now): MemoryCounts {
  const counts = new Map<string, Count>();
  let timer: NodeJS.Timeout | null = null;
  let telling: Promise<void> | null = null;

  async function take(key: string, perMinute: number): Promise<number> {
    for (;;) {
      const count = countOf(key);
      if (count.shared + count.own >= perMinute) return Math.max(1, count.endsAt - now());
      if (count.own < Math.max(1, Math.floor(perMinute * AHEAD))) {
        count.own++;
        timer ??= setTimeout(() => void tell().catch(() => undefined), TELL_MS).unref();
        return 0;
      }
      await tell();
    }
  }

  function countOf(key: string): Count {
    const known = counts.get(key);
    if (known && known.endsAt > now()) return known;
    if (counts.size >= MAX_KEPT) forgetEnded();
    const made = { shared: 0, own: 0, told: 0, endsAt: now() + MINUTE_MS };
    counts.set(key, made);
    return made;
  }

  /** One at a time. Fails when the database is away: then nobody gets further ahead, and what was counted is kept. */
  function tell(): Promise<void> {
    telling ??= exchange().finally(() => (telling = null));
    return telling;
  }

  async function exchange(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    forgetEnded();
    // In one order on all nodes: two that lock the same rows must not wait for each other.
    const untold = [...counts].filter(([, count]) => count.own > 0).sort(([a], [b]) => (a < b ? -1 : 1));
    if (untold.length === 0) return;
    for (const [, count] of untold) count.told = count.own;
    const { rows } = await pool.query<{ key: string; points: number; expire: number }>({
      name: 'tell_swift_counts',
      text: TELL,
      values: [
        untold.map(([key]) => key),
        untold.map(([, count]) => count.told),
        untold.map(([, count]) => count.endsAt),
        now(),
      ],
    });
    const answers = new Map(rows.map((row) => [row.key, row]));
    for (const [key, count] of untold) {
      const answer = answers.get(key);
      if (!answer) continue;
      count.own -= count.told;
      count.shared = answer.points;
      count.endsAt = answer.expire;
    }
  }

  function forgetEnded(): void {
    for (const [key, count] of counts) if (count.endsAt <= now()) counts.delete(key);
  }

  return { take };
}

/** The table and the meaning of its columns are rate-limiter-flexible's: `expire` in epoch ms. */
const TELL = `insert into rate_limits as r (key, points, expire)
  select * from unnest($1::text[], $2::int[], $3::bigint[])
  on conflict (key) do update set
    points = case when r.expire <= $4 then excluded.points else r.points + excluded.points end,
    expire = case when r.expire <= $4 then excluded.expire else r.expire end
  returning key, points, expire`;
