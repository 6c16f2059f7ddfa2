import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPublished } from '../tests/published-document.ts';
import { typeCommand } from '../tests/type-command.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import type { Open } from '../src/context.ts';
import { countLibrary, listDocuments } from '../src/library/contract.ts';
import { expectOk } from '../src/protocol/call.ts';
import { rowsOf } from '../src/platform/db/client.ts';
import { searchDocuments } from '../src/search/contract.ts';
import { rebuildSearch } from '../src/search/server/indexing/rebuild-search.ts';
import { demoCommands } from './commands.ts';
import { fillDemo } from './fill.ts';
import { indexFillJob, resumeDemo } from './jobs.ts';
import type { InventedDocument } from './names.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await addPublished(app, { name: '餐饮样例', industry: '餐饮', fileType: 'pdf' });
  await addPublished(app, { name: '汽车样例', industry: '汽车', fileType: 'pptx' });
});
afterAll(() => app.close());

function names(): () => InventedDocument {
  let next = 0;
  return () => {
    const index = next++;
    return {
      name: `第${index}号${index % 2 ? '餐饮' : '汽车'}中秋'\\活动`,
      keyword: ['暖场', '团圆'],
      industry: index % 2 ? '餐饮' : '汽车',
      themes: ['节日营销', '快闪路演'],
      organization: `机构${index % 7}`,
      price: index % 60,
      createdAt: 1_700_000_000 + index * 60,
      researcher: '',
      type: '策划方案',
    };
  };
}

const total = async (search_key: string) => expectOk(await app.call(searchDocuments, { search_key })).total_count;

it('fills up to the total, continues after an interruption, and stops there', async () => {
  expect(await fillDemo(app.ctx, 100, () => undefined, names())).toEqual({ added: 98, total: 100 });
  const seen: number[] = [];
  expect(await fillDemo(app.ctx, 3_000, (done) => seen.push(done), names())).toEqual({ added: 2_900, total: 3_000 });
  expect(seen.at(-1)).toBe(3_000);
  expect(await fillDemo(app.ctx, 3_000, () => undefined, names())).toEqual({ added: 0, total: 3_000 });
  app.clock.offsetMs += 60_000;
  expect(expectOk(await app.call(countLibrary, {}))).toEqual({ documents: 3_000, industries: 2 });
  expect(await total('中秋')).toBe(2_998);
  expect(await total('2999')).toBe(1);
});

it('gives each name a file of its industry, and search what a rebuild would', async () => {
  const search = async () => {
    app.clock.offsetMs += 1_000;
    return expectOk(await app.call(searchDocuments, { search_key: '餐饮中秋' }));
  };
  const before = await search();
  expect(before.item_list.every((item) => item.file_type_text === 'PDF')).toBe(true);
  await rebuildSearch(app.ctx, () => undefined);
  expect(await search()).toEqual(before);
  expect(expectOk(await app.call(listDocuments, {})).total_count).toBe(750);
});

it('builds the search index after a start where a fill was killed that had dropped it', async () => {
  const isThere = () => rowsOf(app.ctx.db, sql`select to_regclass('search_entries_tokens') is not null as "isThere"`);
  await resumeDemo(app.ctx);
  expect(await app.ctx.jobs.countOpen([indexFillJob.name])).toBe(0);
  await app.ctx.db.execute(sql`drop index search_entries_tokens`);
  await resumeDemo(app.ctx);
  expect(await app.ctx.jobs.countOpen([indexFillJob.name])).toBe(1);
  await indexFillJob.run(app.ctx, {}, { number: 1, isLast: false, signal: undefined });
  expect(await isThere()).toEqual([{ isThere: true }]);
});

it.each([
  [{ isDemo: false }, 'DATABASE_URL is set'],
  [{ publicBecause: 'PUBLIC_URL names a public host' }, 'PUBLIC_URL names a public host'],
])('ceku demo loads nothing into a library that is no demo unless told to: %j', async (facts, why) => {
  const opened: Open = (work) => work({ ...app.ctx, config: { ...app.ctx.config, isDemo: true, ...facts } });
  const before = await countDocuments();
  const { code, err } = await typeCommand((program) => demoCommands(program, opened), ['demo']);
  expect(code).toBe(2);
  expect(err).toContain(why);
  expect(await countDocuments()).toEqual(before);
});

const countDocuments = () => rowsOf(app.ctx.db, sql`select count(*) from documents`);
