import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { emptySegment, openIndex } from '../../engine/open-index.ts';
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
  const index = { apply: () => {}, canTakeFacts: () => false };
  expect(await feed.read(index)).toEqual({ isAll: true });
  expect(BigInt(feed.horizon())).toBeLessThan(horizon + 1_000n);
  expect(await feed.read(index)).toEqual({ isAll: false });
});

it('puts a label that the index has not met, also where a trigger notes the change as one of facts alone', async () => {
  const { db } = app.ctx;
  const index = openIndex(emptySegment());
  const feed = createEngineFeed(db, await selectHorizon(db));
  const { id } = await addPublished(app, { industry: '汽车' });
  await feed.read(index);
  const [added] = await rowsOf<{ id: number }>(
    db,
    sql`insert into industries (name, position) values ('造船', 99) returning id`,
  );
  const industryId = added?.id ?? 0;
  await db.execute(sql`alter table documents disable trigger user`);
  await db.execute(sql`update documents set industry_id = ${industryId} where id = ${id}`);
  await db.execute(sql`alter table documents enable trigger user`);
  await db.execute(
    sql`update search_changes set changed_in = '1', facts_changed_in = pg_current_xact_id() where document_id = ${id}`,
  );
  await feed.read(index);
  const found = index.search({
    words: [],
    isEverything: true,
    filter: { industryId },
    sort: 'newest',
    limit: 9,
    offset: 0,
  });
  expect(found.ids).toEqual([id]);
});
