import type { Ctx } from '../../context.ts';
import type { Db } from '../../platform/db/client.ts';
import { deleteOldSearches, insertSearches, type Searched } from './store-log.ts';

const FLUSH_MS = 2_000;
/** More at once means that the database is not keeping up: the log must not eat the memory. */
const MOST = 2_000;
const TIDY_MS = 3_600_000;

type Waiting = { rows: Searched[]; timer: NodeJS.Timeout | null; tidiedAt: number };
const waiting = new WeakMap<Db, Waiting>();

/** Notes a search. Written within two seconds, with others; lost when the process ends before, which nobody minds. */
export function noteSearch(ctx: Ctx, searched: Omit<Searched, 'at'>): void {
  const state = waiting.get(ctx.db) ?? { rows: [], timer: null, tidiedAt: 0 };
  waiting.set(ctx.db, state);
  if (state.rows.length >= MOST) return;
  state.rows.push({ ...searched, query: masked(searched.query), at: ctx.clock.now() });
  state.timer ??= setTimeout(() => {
    flushSearches(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'searches were not noted'));
  }, FLUSH_MS).unref();
}

/** Writes what waits. */
export async function flushSearches(ctx: Ctx): Promise<void> {
  const state = waiting.get(ctx.db);
  if (!state) return;
  if (state.timer) clearTimeout(state.timer);
  state.timer = null;
  const rows = state.rows.splice(0);
  if (rows.length > 0) await insertSearches(ctx.db, rows);
  if (ctx.clock.now() - state.tidiedAt < TIDY_MS) return;
  state.tidiedAt = ctx.clock.now();
  await deleteOldSearches(ctx.db);
}

/** Telephone, order and identity numbers, mail addresses: somebody pastes everything into a search box. */
export function masked(query: string): string {
  return query
    .replace(/\S+@\S+/gu, '***')
    .replace(/\p{Nd}(?:[\p{Nd}xX -]*\p{Nd})?/gu, (number) =>
      number.replace(/[^\p{Nd}]/gu, '').length > 8 ? '***' : number,
    );
}
