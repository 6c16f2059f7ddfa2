import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { documentNames } from '../../../../demo/names.ts';
import { createRandom } from '../../../../demo/random.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import type { DocumentFilter } from '../../../library/document-filter.ts';
import { editDocument, hideDocument, restoreDocument } from '../../../library/server/documents.ts';
import { rowsOf } from '../../../platform/db/client.ts';
import { createLog } from '../../../platform/log.ts';
import type { Filter, Query } from '../../engine/match/query.ts';
import { queryLiteral } from '../../literals.ts';
import { queryWords } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';
import { openSearchEngine, type SearchEngine } from './open-search-engine.ts';
import { rebuildSearch } from './rebuild-search.ts';
import { selectEntries } from './store-entries.ts';
import { upsertRebuildMark } from './store-feed.ts';
import { selectRebuildMark } from './store-nodes.ts';

// Each build starts a thread, which loads all its modules: slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const NAMES = 3_000;
let app: TestApp;
let folder: string;
const opened: SearchEngine[] = [];
let nodes: SearchEngine[];

/** One node, with a folder of its own. */
function openNode(name: string, url = app.databaseUrl): SearchEngine {
  const { ctx } = app;
  const node = openSearchEngine({
    db: ctx.db,
    url,
    path: join(folder, name),
    threads: 1,
    log: ctx.log,
  });
  opened.push(node);
  return node;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ceku-engine-'));
  app = await openTestApp();
  const files: number[] = [];
  for (const fileType of ['pptx', 'ppt', 'pdf'] as const)
    files.push((await addPublished(app, { name: '第一份', fileType })).id);
  const next = documentNames(7);
  const random = createRandom(7);
  const rows = Array.from({ length: NAMES }, () => {
    const { name, keyword, createdAt } = next();
    const at = new Date(createdAt * 1_000).toISOString();
    return {
      like: random.pick(files),
      name,
      keyword: keyword.join(','),
      at,
      themes: [1 + random.int(8)],
      score: random.int(9_000),
    };
  });
  await app.ctx.db
    .execute(sql`insert into documents (file_id, name, keyword, state, created_at, theme_ids, recommend_score)
    select d.file_id, r.name, r.keyword, 'published', r.at, r.themes, r.score
    from json_to_recordset(${JSON.stringify(rows)}::json) as r ("like" bigint, name text, keyword text, at timestamptz, themes int[], score float8)
      join documents d on d.id = r."like"`);
  await rebuildSearch(app.ctx, () => undefined);
  nodes = [openNode('a'), openNode('b')];
  await Promise.all(nodes.map((node) => node.whenReady()));
});
afterAll(async () => {
  await Promise.all(opened.map((node) => node.close()));
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

function ask(text: string, filter: Filter = {}, limit = 15): Query {
  const facets = { since: [], pagesFrom: [], budgetsFrom: [], peopleFrom: [], daysFrom: [] };
  return { words: queryWords(text, cutWords), filter, sort: 'relevance', facets, limit, offset: 0 };
}
const search = async (node: SearchEngine, query: Query) => {
  const result = await node.search(query);
  if (!result) throw new Error('the engine was not ready');
  return result;
};
const totals = (text: string) => Promise.all(nodes.map(async (node) => (await search(node, ask(text))).total));

/** The same question to PostgreSQL. */
function askDatabase(text: string, filter: Filter) {
  const words = queryWords(text, cutWords);
  const { since, year, themeId = 0 } = filter;
  const created = since === undefined ? (year === undefined ? null : { year }) : { since: new Date(since) };
  const wanted: DocumentFilter = { fileKind: filter.fileTypes ? 1 : 0, created, themeId };
  const bonuses = words.flatMap((word) => [{ query: queryLiteral([word], [], 'A'), weight: 12 / words.length }]);
  const page = { sort: 'relevance', limit: NAMES + 10, offset: 0, now: Date.now() } as const;
  return selectEntries(app.ctx.db, { ...page, filter: wanted, bonuses, query: queryLiteral(words) });
}

it('agrees with PostgreSQL on 200 queries: totals, themes, and the very documents', async () => {
  const random = createRandom(31);
  const names = await rowsOf<{ name: string }>(app.ctx.db, sql`select name from documents order by id limit 400`);
  for (let round = 0; round < 200; round++) {
    const { name } = random.pick(names);
    const start = random.int(Math.max(1, name.length - 3));
    const text = round % 5 === 0 ? name : name.slice(start, start + 1 + random.int(7));
    const filter = random.pick<Filter>([
      {},
      { fileTypes: ['pptx', 'ppt'] },
      { themeId: 1 + random.int(8) },
      { year: 2021 + random.int(6) },
      { since: Date.parse('2024-06-01T00:00:00+08:00'), themeId: 2 },
    ]);
    if (queryWords(text, cutWords).length === 0) continue;
    const node = nodes[round % 2] ?? fail();
    // Once in three seconds at least: a busy machine may delay the look of the node, and without it the node answers nothing.
    await node.refresh();
    const { ids, total, facets } = await search(node, ask(text, filter, NAMES + 10));
    const expected = await askDatabase(text, filter);
    const sorted = (list: number[]) => list.toSorted((a, b) => a - b);
    expect({ text, filter, total, ids: sorted(ids) }).toEqual({
      text,
      filter,
      total: expected.total,
      ids: sorted(expected.ids),
    });
    expect([facets.themes, facets.industries]).toEqual([expected.counts.themes, expected.counts.industries]);
  }
});

// The promise is a second; the test asks only that it comes, because a busy machine is no fault of the engine's.
it('shows a publish, a rename, a hide and a new score on every node by itself', async () => {
  const shows = (text: string, expected: number) =>
    expect.poll(() => totals(text), { interval: 20 }).toEqual([expected, expected]);
  const { id } = await addPublished(app, { name: '独角兽大会' });
  await shows('独角兽', 1);
  await editDocument(app.ctx, id, { name: '麒麟大会' });
  await shows('麒麟', 1);
  expect(await totals('独角兽')).toEqual([0, 0]);
  await hideDocument(app.ctx, id, 'illegal');
  await shows('麒麟', 0);
  await restoreDocument(app.ctx, id);
  await shows('麒麟', 1);
  await app.ctx.db.execute(
    sql`update files set page_count = 77 where id = (select file_id from documents where id = ${id})`,
  );
  await expect
    .poll(async () => (await search(nodes[1] ?? fail(), ask('麒麟', { pages: { min: 77, max: 77 } }))).total)
    .toBe(1);
  const last = (await search(nodes[0] ?? fail(), ask('策划', {}, NAMES))).ids.at(-1) ?? 0;
  await app.ctx.db.execute(sql`update documents set recommend_score = 99999 where id = ${last}`);
  await expect.poll(async () => (await search(nodes[0] ?? fail(), ask('策划'))).ids[0]).toBe(last);
  await app.ctx.db.execute(sql`delete from documents where id = ${id}`);
  await shows('麒麟', 0);
});

it('reads the texts of a document only when they changed', async () => {
  const { db } = app.ctx;
  const { id } = await addPublished(app, { name: '貔虎大会' });
  const other = await addPublished(app, { name: '貔虎大会二' });
  // Texts are known once no transaction from before them is open in any database of the server: then the horizon is past them.
  const past = sql`select changed_in < pg_snapshot_xmin(pg_current_snapshot()) as "isPast" from search_changes where document_id = ${other.id}`;
  await expect.poll(async () => (await rowsOf(db, past))[0], { timeout: 60_000 }).toEqual({ isPast: true });
  await Promise.all(nodes.map((node) => node.refresh()));
  // A name that no trigger notes stands for the texts: it is found as soon as somebody reads them again.
  await db.execute(sql`alter table documents disable trigger user`);
  await db.execute(sql`update documents set name = '玄武大会' where id = ${id}`);
  await db.execute(sql`alter table documents enable trigger user`);
  const firstOf = async () => {
    await Promise.all(nodes.map((node) => node.refresh()));
    return Promise.all(nodes.map(async (node) => (await search(node, ask('貔虎'))).ids[0]));
  };
  for (const best of [id, other.id, id]) {
    await db.execute(
      sql`update documents set recommend_score = case when id = ${best} then 90000 else 1 end where id in (${id}, ${other.id})`,
    );
    expect(await firstOf()).toEqual([best, best]);
  }
  await db.execute(sql`update files set page_count = 78 where id = (select file_id from documents where id = ${id})`);
  await Promise.all(nodes.map((node) => node.refresh()));
  expect((await search(nodes[0] ?? fail(), ask('貔虎', { pages: { min: 78, max: 78 } }))).ids).toEqual([id]);
  expect(await totals('玄武')).toEqual([0, 0]);
  // A text and facts in one transaction, and facts once more after it.
  await db.execute(sql`update documents set keyword = '四灵', recommend_score = 2 where id = ${id}`);
  await db.execute(sql`update documents set recommend_score = 3 where id = ${id}`);
  await Promise.all(nodes.map((node) => node.refresh()));
  expect(await totals('玄武')).toEqual([1, 1]);
  expect(await totals('四灵')).toEqual([1, 1]);
  await hideDocument(app.ctx, id, 'operator');
  await hideDocument(app.ctx, other.id, 'operator');
  await Promise.all(nodes.map((node) => node.refresh()));
  expect(await totals('四灵')).toEqual([0, 0]);
});

it('misses nothing that commits late, and shows nothing that has not', async () => {
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
  const { id } = await addPublished(app, { name: '貔貅大会' });
  const slow = app.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`update documents set name = '饕餮大会' where id = ${id}`);
    wrote();
    await mayCommit;
  });
  await written;
  // A later transaction that commits first.
  const later = await addPublished(app, { name: '鲲鹏大会' });
  await Promise.all(nodes.map((node) => node.refresh()));
  expect(await totals('鲲鹏')).toEqual([1, 1]);
  expect(await totals('饕餮')).toEqual([0, 0]);
  commit();
  await slow;
  await Promise.all(nodes.map((node) => node.refresh()));
  expect(await totals('饕餮')).toEqual([1, 1]);
  await Promise.all([hideDocument(app.ctx, id, 'operator'), hideDocument(app.ctx, later.id, 'operator')]);
});

it.each([
  {
    what: 'a hide after a download',
    late: sql`state = 'hidden', hidden_reason = 'copyright'`,
    early: sql`download_count = download_count + 1`,
    filter: {},
    expected: ['乙'],
  },
  {
    what: 'a theme after a download',
    late: sql`theme_ids = array[77]`,
    early: sql`download_count = download_count + 1`,
    filter: { themeId: 77 },
    expected: ['甲'],
  },
  {
    what: 'heat after an edit',
    late: sql`heat = 500`,
    early: sql`keyword = '瑞兽'`,
    filter: {},
    expected: ['甲', '乙'],
  },
])('applies $what, where the older transaction commits last', async ({ late, early, filter, expected }) => {
  const { db } = app.ctx;
  const { id } = await addPublished(app, { name: '甪端大会甲' });
  const other = await addPublished(app, { name: '甪端大会乙' });
  const names = new Map([
    [id, '甲'],
    [other.id, '乙'],
  ]);
  const begun = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slow = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_current_xact_id()`);
    begun.resolve();
    await mayCommit.promise;
    await tx.execute(sql`update documents set ${late} where id = ${id}`);
  });
  await begun.promise;
  await db.execute(sql`update documents set ${early} where id = ${id}`);
  await Promise.all(nodes.map((node) => node.refresh()));
  mayCommit.resolve();
  await slow;
  for (const node of nodes) {
    // The second look begins at a horizon past both transactions.
    for (let look = 0; look < 2; look++) await node.refresh();
    const { ids } = await search(node, { ...ask('甪端', filter), sort: 'hottest' });
    expect(ids.map((found) => names.get(found) ?? found)).toEqual(expected);
  }
  await Promise.all([id, other.id].map((each) => hideDocument(app.ctx, each, 'operator')));
});

it('starts from its snapshot and catches up; rebuilds when the snapshot is truncated, of another database or of another timeline', async () => {
  const saved = readFileSync(join(folder, 'a'));
  const { id } = await addPublished(app, { name: '青鸾大会' });
  const starts = {
    whole: saved,
    torn: saved.subarray(0, saved.length / 2),
    foreign: foreignOf(saved),
    timeline: otherTimelineOf(saved),
    empty: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(starts)) {
    writeFileSync(join(folder, name), bytes);
    const node = openNode(name);
    await node.whenReady();
    expect((await search(node, ask('青鸾'))).ids).toEqual([id]);
    expect((await search(node, ask('策划'))).total).toBe((await search(nodes[0] ?? fail(), ask('策划'))).total);
    // Only an index that was rebuilt is saved again.
    expect(readFileSync(join(folder, name)).equals(bytes)).toBe(name === 'whole');
    await node.close();
  }
});

it('rebuilds a snapshot that lacks a large part of the library in a thread, instead of catching up in its own', async () => {
  writeFileSync(join(folder, 'late'), readFileSync(join(folder, 'a')));
  await app.ctx.db.execute(sql`update documents set keyword = keyword || ',近况' where id % 5 <> 0`);
  const node = openNode('late');
  let isReady = false;
  const ready = node.whenReady().then(() => (isReady = true));
  const totalsMeanwhile = new Set<number>();
  while (!isReady) {
    const answer = await node.search(ask('近况', {}, 1));
    if (answer) totalsMeanwhile.add(answer.total);
    await wait(5);
  }
  await ready;
  // The saved index answered.
  expect(totalsMeanwhile).toContain(0);
  expect(node.stats().changes).toBeLessThan(100);
  expect((await search(node, ask('近况', {}, 1))).total).toBeGreaterThan(2_000);
});

it('leaves the answers to PostgreSQL when the rebuild of a snapshot that lacks a large part fails', async () => {
  writeFileSync(join(folder, 'stuck'), readFileSync(join(folder, 'a')));
  await app.ctx.db.execute(sql`update documents set keyword = keyword || ',动向' where id % 5 <> 0`);
  const nowhere = new URL(app.databaseUrl);
  nowhere.pathname = '/nowhere';
  const node = openNode('stuck', nowhere.href);
  const isAnswering = async () => (await node.search(ask('近况', {}, 1))) !== null;
  await expect.poll(isAnswering, { timeout: 60_000, interval: 5 }).toBe(true);
  await expect.poll(isAnswering, { timeout: 60_000 }).toBe(false);
  await node.close();
});

/** With the same length, so that nothing but the name of the database is wrong. */
function foreignOf(snapshot: Buffer): Buffer {
  const text = snapshot.toString('latin1').replace(/"lineage":"\d/, '"lineage":"x');
  return Buffer.from(text, 'latin1');
}

/** As before a restore to a point in time, or a failover to a standby. */
function otherTimelineOf(snapshot: Buffer): Buffer {
  const text = snapshot.toString('latin1');
  const [lineage = fail()] = /"lineage":"\d+:\d+:0{7}1"/.exec(text) ?? [];
  return Buffer.from(text.replace(lineage, lineage.replace('1"', '2"')), 'latin1');
}

it('merges collected changes, and is rebuilt when an operator asks for it, answering all the while', async () => {
  const node = nodes[0] ?? fail();
  // The test before may have kept the processor for three seconds, after which a node answers nothing until it has looked.
  await node.refresh();
  const before = await search(node, ask('策划', {}, NAMES));
  await app.ctx.db.execute(sql`update documents set keyword = keyword || ',新词' where id % 5 <> 0`);
  await node.refresh();
  expect(node.stats().changes).toBeGreaterThan(2_000);
  await expect.poll(() => node.stats().changes, { timeout: 60_000 }).toBeLessThan(100);
  expect((await search(node, ask('策划', {}, NAMES))).total).toBe(before.total);
  expect((await search(node, ask('新词', {}, 1))).total).toBeGreaterThan(2_000);

  await app.ctx.db.execute(sql`alter table documents disable trigger user`);
  await app.ctx.db.execute(sql`update documents set name = '无人知晓' where id = ${before.ids[3] ?? 0}`);
  await app.ctx.db.execute(sql`alter table documents enable trigger user`);
  await node.refresh();
  expect(await totals('无人知晓')).toEqual([0, 0]);
  await upsertRebuildMark(app.ctx.db);
  await expect.poll(() => totals('无人知晓'), { timeout: 60_000, interval: 10 }).toEqual([1, 1]);
});

it('rebuilds as an operator asked though the read that follows the request fails', async () => {
  const { ctx } = app;
  // The texts of statements that fail next, as after a lost connection.
  const failing: string[] = [];
  const db = new Proxy(ctx.db, {
    get(target, key) {
      if (key !== 'execute') return Reflect.get(target, key);
      return (statement: Parameters<typeof target.execute>[0]) => {
        const [next] = failing;
        if (next === undefined || !JSON.stringify(statement).includes(next)) return target.execute(statement);
        failing.shift();
        return Promise.reject(new Error('connection lost'));
      };
    },
  });
  // Nodes of the tests before may run on, and are listed.
  const builtSince = (mark: string) =>
    rowsOf<{ node: string }>(ctx.db, sql`select node from search_nodes where rebuilt_in >= ${mark}::xid8`);
  const others = new Set(
    (await rowsOf<{ node: string }>(ctx.db, sql`select node from search_nodes`)).map((row) => row.node),
  );
  const node = openSearchEngine({ db, url: app.databaseUrl, path: join(folder, 'cut-off'), threads: 1, log: ctx.log });
  opened.push(node);
  await node.whenReady();
  failing.push('search_changes', 'pg_control_system');
  await expect.poll(() => failing).toEqual(['pg_control_system']);
  await upsertRebuildMark(ctx.db);
  const mark = (await selectRebuildMark(ctx.db)) ?? fail();
  await expect
    .poll(async () => (await builtSince(mark)).some((row) => !others.has(row.node)), { timeout: 60_000 })
    .toBe(true);
  expect(failing).toEqual([]);
});

it('says once a minute that it is behind, and why where a disk is full', async () => {
  const full = Object.assign(new Error('could not extend file'), { code: '53100' });
  let tries = 0;
  const db = new Proxy(app.ctx.db, {
    get: (target, key) => (key === 'execute' ? () => (tries++, Promise.reject(full)) : Reflect.get(target, key)),
  });
  let lines = '';
  const log = createLog('warn', { write: (line: string) => void (lines += line) });
  const node = openSearchEngine({ db, url: app.databaseUrl, path: join(folder, 'full'), threads: 1, log });
  opened.push(node);
  await expect.poll(() => tries, { timeout: 20_000 }).toBeGreaterThan(1);
  expect(lines.match(/search index is behind/g)).toHaveLength(1);
  expect(lines).toContain('is full');
  expect(lines).not.toContain('stack');
});

it('answers null when it is not ready', async () => {
  const node = openNode('early');
  expect(await node.search(ask('策划'))).toBeNull();
  expect(node.version()).toBeNull();
  await node.whenReady();
  expect(await node.search(ask('策划'))).not.toBeNull();
  const before = node.version();
  expect(before).not.toBeNull();
  await addPublished(app, { name: '应龙大会' });
  await node.refresh();
  expect(node.version()).not.toBe(before);
});

function fail(): never {
  throw new Error('no node');
}
