import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';
import { hideDocument } from '../../../library/server/documents.ts';
import { documents } from '../../../library/server/tables.ts';
import { rowsOf } from '../../../platform/db/client.ts';
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

it('leaves every page findable when it ends in the middle, and rewrites the entries of all', async () => {
  const { db } = app.ctx;
  const { id } = await addPublished(app, { name: '冬至方案', texts: ['封面', '汤圆铺子', '尾页'] });
  await indexDocuments(app.ctx, [id]);
  const counted = async (tokens: string) => {
    const rows = sql`select count(*)::int as pages, (count(*) filter (where tokens @@ ${tokens}::tsquery))::int as held from page_entries`;
    return (await rowsOf<{ pages: number; held: number }>(db, rows))[0];
  };
  const before = await counted("'汤圆'");
  expect(before?.held).toBe(1);
  await db.execute(
    sql`create function interrupt_entries() returns trigger language plpgsql as $$ begin raise 'killed'; end $$`,
  );
  await db.execute(
    sql`create trigger interrupt before insert on page_entries for each statement execute function interrupt_entries()`,
  );
  await expect(rebuildSearch(app.ctx, () => undefined)).rejects.toThrow();
  await db.execute(sql`drop trigger interrupt on page_entries`);
  expect(await counted("'汤圆'")).toEqual(before);
  await db.execute(sql`update page_entries set tokens = ''`);
  await rebuildSearch(app.ctx, () => undefined);
  expect(await counted("'汤圆'")).toEqual(before);
  await hideDocument(app.ctx, id, 'operator');
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
