import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';
import { documents } from '../../../library/server/tables.ts';
import { indexDocuments } from './index-documents.ts';
import { rebuildSearch, waitUntilNodesBuilt } from './rebuild-search.ts';
import { upsertNode, deleteNode } from './store-nodes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const DOCUMENTS = 1_500;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ hasEngine: true });
  const { id } = await addPublished(app, { name: '中秋灯会方案' });
  await app.ctx.db.execute(sql`insert into documents (file_id, name, state)
    select d.file_id, '中秋灯会方案' || n, 'published' from documents d, generate_series(2, ${DOCUMENTS}::int) as n where d.id = ${id}`);
  // A node that is behind asks the database, as on a busy machine: it has to answer in full as well.
  const rows = await app.ctx.db.select({ id: documents.id }).from(documents);
  await indexDocuments(
    app.ctx,
    rows.map((row) => row.id),
  );
  await app.refreshSearch();
});
afterAll(() => app.close());

const total = async () => expectOk(await app.call(searchDocuments, { search_key: '灯会' })).total_count;

it('has every node rebuild while searches are answered in full, and waits for them', async () => {
  let isOver = false;
  const totals: number[] = [];
  const asking = (async () => {
    while (!isOver) totals.push(await total());
  })();
  const { documents: rewritten, mark } = await rebuildSearch(app.ctx, () => undefined);
  expect(rewritten).toBe(DOCUMENTS);
  const states: number[] = [];
  const state = await waitUntilNodesBuilt(app.ctx, mark, 60_000, ({ built }) => states.push(built));
  isOver = true;
  await asking;
  expect(state).toEqual({ nodes: 1, built: 1 });
  // It was waited for, not merely found done.
  expect(states[0]).toBe(0);
  expect(totals.length).toBeGreaterThan(3);
  expect(new Set(totals)).toEqual(new Set([DOCUMENTS]));
});

it('prints their progress when it may not wait, and does not wait for nodes that are gone', async () => {
  await upsertNode(app.ctx.db, 'elsewhere', null);
  const { mark } = await rebuildSearch(app.ctx, () => undefined);
  expect(await waitUntilNodesBuilt(app.ctx, mark, 0)).toMatchObject({ nodes: 2 });
  await app.ctx.db.execute(sql`update search_nodes set seen_at = now() - interval '1 minute' where node = 'elsewhere'`);
  expect(await waitUntilNodesBuilt(app.ctx, mark, 60_000)).toEqual({ nodes: 1, built: 1 });
  await deleteNode(app.ctx.db, 'elsewhere');
});

it('takes a request for another build while one is under way', async () => {
  const first = await rebuildSearch(app.ctx, () => undefined);
  await app.refreshSearch();
  const second = await rebuildSearch(app.ctx, () => undefined);
  expect(BigInt(second.mark)).toBeGreaterThan(BigInt(first.mark));
  expect(await waitUntilNodesBuilt(app.ctx, second.mark, 60_000)).toEqual({ nodes: 1, built: 1 });
  expect(await total()).toBe(DOCUMENTS);
});
