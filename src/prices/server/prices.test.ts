import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { expectOk } from '../../protocol/call.ts';
import { listPrices } from '../contract.ts';
import { monthsOf, yuan } from './prices.ts';
import { priceItems } from './tables.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('answers the three lists without a login, by GET and by POST', async () => {
  const lists = expectOk(await app.call(listPrices, {}));
  expect(lists.items.map((item) => [item.tier, item.months, item.price, item.org_price])).toEqual([
    [1, 12, 198, 399],
    [2, 12, 298, 599],
  ]);
  expect(lists.vip.map((item) => [item.kind, item.tier, item.months, item.days, item.price])).toEqual([
    ['vip', 2, 3, 90, 98],
    ['vip', 2, 12, 365, 298],
    ['vip', 2, 1200, 36_500, 998],
  ]);
  expect(lists.miao.map((item) => [item.kind, item.tier, item.coins, item.price, item.orginal_price])).toEqual([
    ['coin', 0, 100, 10, 10],
    ['coin', 0, 330, 30, 33],
    ['coin', 0, 600, 50, 60],
    ['coin', 0, 1300, 100, 130],
  ]);
  const posted = await app.fetch('/api/payItem/getList', { method: 'POST' });
  expect(await posted.json()).toMatchObject({ code: 0, message: 'success', data: lists });
});

it('tells how many sessions an account may keep open', async () => {
  expect(expectOk(await app.call(listPrices, {})).session_limits).toEqual({ standard: 5, lifetime: 20 });
});

it('leaves out what is not on sale', async () => {
  await app.ctx.db.update(priceItems).set({ isOnSale: false }).where(eq(priceItems.coins, 330));
  const lists = expectOk(await app.call(listPrices, {}));
  expect(lists.miao.map((item) => item.coins)).toEqual([100, 600, 1300]);
});

it.each([
  [19_800, 198],
  [19_850, 198.5],
  [19_899, 198.99],
  [1, 0.01],
])('%i fen are %s yuan', (fen, price) => {
  expect(yuan(fen)).toBe(price);
});

it.each([
  [30, 1],
  [31, 1],
  [90, 3],
  [180, 6],
  [365, 12],
  [730, 24],
])('%i days are %i months', (days, months) => {
  expect(monthsOf(days)).toBe(months);
});
