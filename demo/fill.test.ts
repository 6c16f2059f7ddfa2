import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPublished } from '../tests/published-document.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { countLibrary, listDocuments } from '../src/library/contract.ts';
import { expectOk } from '../src/protocol/call.ts';
import { searchDocuments } from '../src/search/contract.ts';
import { rebuildSearch } from '../src/search/server/indexing/rebuild-search.ts';
import { fillDemo } from './fill.ts';
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
