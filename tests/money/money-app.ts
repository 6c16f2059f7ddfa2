import { sql } from 'drizzle-orm';
import { createUser } from '../../src/accounts/server/users.ts';
import type { Ctx } from '../../src/context.ts';
import { Refusal } from '../../src/protocol/envelope.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { addReadableDeck } from '../readable-deck.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import type { TestDatabase } from '../test-database.ts';

/** An app whose verbs are called directly, as users without a login, at a time that only the test moves. */
export type MoneyApp = {
  app: TestApp;
  /** Epoch milliseconds: what the verbs take for now. */
  time: { now: number };
  /** The context of a request of that user. */
  as(userId: number): Ctx;
  addUser(): Promise<number>;
  close(): Promise<void>;
};

export async function openMoneyApp(database?: TestDatabase): Promise<MoneyApp> {
  const app = await openTestApp(database ? { database } : {});
  const time = { now: Date.now() };
  const ctx: Ctx = { ...app.ctx, clock: { now: () => time.now } };
  return {
    app: { ...app, ctx },
    time,
    as: (userId) => ({ ...ctx, session: { id: 1, userId, sid: '' } }),
    async addUser() {
      const id = await createUser(ctx, { username: null, password: null, phone: null, nickname: '小策' });
      if (id === null) throw new Error('the user was not created');
      return id;
    },
    close: () => app.close(),
  };
}

/** Published documents of one stored PDF of 12 pages, one for each price. Returns their ids. */
export async function addPriced(app: TestApp, prices: number[]): Promise<number[]> {
  const { fileId } = await addReadableDeck(app, { pageCount: 12 });
  const rows = await rowsOf<{ id: number }>(
    app.ctx.db,
    sql`insert into documents (file_id, name, price_coins, state)
      select ${fileId}, '方案', price, 'published' from unnest(${sql.param(prices)}::integer[]) with ordinality as wanted (price, place)
      order by place returning id`,
  );
  return rows.map(({ id }) => id);
}

/** The answer of a call: its fields, or the code of its refusal with the facts for the dialog. */
export type Answer = Record<string, unknown>;

/** Returns the given fields of an answer or of a refusal, with the code. An unexpected error is thrown. */
export async function answerOf(call: Promise<object>, fields: readonly string[]): Promise<Answer> {
  const [code, data] = await call.then(
    (output): [number, object] => [0, output],
    (error: unknown): [number, object] => {
      if (!(error instanceof Refusal)) throw error;
      return [error.code, typeof error.data === 'object' && error.data !== null ? error.data : {}];
    },
  );
  const entries = Object.entries(data).filter(([name]) => fields.includes(name));
  return { code, ...Object.fromEntries(entries) };
}

/** Runs `work` for each item, `limit` at a time, and returns the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
