import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { createEngineFeed } from './engine-feed.ts';
import { selectHorizon } from './store-feed.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('asks for a rebuild when another server took over that lacks the last transactions, and goes on from there', async () => {
  const horizon = BigInt(await selectHorizon(app.ctx.db));
  const feed = createEngineFeed(app.ctx.db, String(horizon + 1_000n));
  const index = { apply: () => {}, holds: () => false };
  expect(await feed.read(index)).toEqual({ isAll: true });
  expect(BigInt(feed.horizon())).toBeLessThan(horizon + 1_000n);
  expect(await feed.read(index)).toEqual({ isAll: false });
});
