import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPublished } from '../tests/published-document.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { findGroupList } from '../src/groups/server/group-list.ts';
import { selectGroupCounts } from '../src/groups/server/store.ts';
import { seedTaxonomy } from '../src/library/server/labels.ts';
import { seedDemoGroups } from './groups.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

it('makes more groups than a page shows, with documents of their industry, once', async () => {
  await seedTaxonomy(app.ctx);
  for (let count = 0; count < 7; count++) await addPublished(app, { industry: '餐饮' });
  await seedDemoGroups(app.ctx);
  await seedDemoGroups(app.ctx);
  const groups = await findGroupList(app.ctx);
  expect(groups).toHaveLength(9);
  const counts = await selectGroupCounts(app.ctx.db);
  const documentsOf = (name: string) => counts.get(groups.find((group) => group.name === name)?.id ?? 0)?.documents;
  expect(documentsOf('餐饮品牌营销社')).toBe(6);
  expect(documentsOf('地产活动策划群')).toBe(0);
});
