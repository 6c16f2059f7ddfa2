import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { createCaches } from './caches.ts';
import { transact, type Ctx, type TransactionCtx } from './context.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('hands over no read connections, no address of the database and no caches inside a transaction', async () => {
  const verb = (ctx: Ctx) => Promise.resolve(ctx.caches.library.rows.size);
  const handedOver = await transact(app.ctx, (tx) => {
    // @ts-expect-error -- a verb that reads a cache or a read connection does not compile inside a transaction
    expect(() => verb(tx)).toThrow();
    return transact(tx, (nested) => Promise.resolve([tx, nested]));
  });
  const missing = ['readDb', 'databaseUrl', 'caches'];
  const own = (ctx: TransactionCtx) => Object.keys(ctx).filter((key) => missing.includes(key));
  expect([app.ctx, ...handedOver].map((ctx) => own(ctx).length)).toEqual([3, 0, 0]);
});

it('makes caches that no two apps share', async () => {
  const [one, other] = [createCaches(), createCaches()];
  const count = (caches: typeof one, documents: number) =>
    caches.library.libraryCounts(app.ctx, 'all', () => Promise.resolve({ documents, industries: 0 }));
  expect((await count(one, 1)).documents).toBe(1);
  expect((await count(one, 2)).documents).toBe(1);
  expect((await count(other, 3)).documents).toBe(3);
});
