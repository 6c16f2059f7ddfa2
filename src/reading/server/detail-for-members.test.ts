import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson } from '../../../tests/people.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { buildApi } from '../../app.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { grantMembership } from '../../membership/server/grants.ts';
import { entitlements } from '../../membership/server/tables.ts';
import { createSharedAnswers } from '../../platform/http/answers/shared-answers.ts';
import { CODE } from '../../protocol/codes.ts';
import { searchDocuments } from '../../search/contract.ts';
import { indexPages } from '../../search/server/indexing/index-documents.ts';
import { getDetail } from '../contract.ts';

/** Detail pages of members: facts that all members share, and facts of one member. */
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

function openPages() {
  const shared = createSharedAnswers({ isWatched: () => true });
  const { callDirectly } = buildApi(app.ctx, shared);
  return {
    shared,
    detailFor: async (fid: number, userId: number) => {
      const browserSession = { id: userId, userId, sid: '' };
      const { body } = await callDirectly(getDetail.path, { fid }, { ip: '', requestId: '', browserSession });
      return { code: body.code, detail: getDetail.output.safeParse(body.data).data?.detail };
    },
    searchFor: async (search_key: string, userId: number) => {
      const browserSession = { id: userId, userId, sid: '' };
      const { body } = await callDirectly(
        searchDocuments.path,
        { search_key },
        { ip: '', requestId: '', browserSession },
      );
      return searchDocuments.output.parse(body.data);
    },
  };
}

it('shares the facts of a document, and nothing that belongs to one member', async () => {
  const { id } = await addPublished(app, { name: '共享的方案', priceCoins: 0 });
  const [owner, other] = [await addPerson(app), await addPerson(app)];
  await app.ctx.db.insert(entitlements).values({ userId: owner.id, documentId: id, method: 'free', coins: 0 });
  const { detailFor, shared } = openPages();
  const { detail: owned } = await detailFor(id, owner.id);
  const { detail: not } = await detailFor(id, other.id);
  expect(owned).toMatchObject({ owned: 1, page_count: not?.page_count });
  expect(not).toMatchObject({ owned: 0, name: '共享的方案' });
  expect(owned?.page_urls).toHaveLength(10);
  expect(owned?.page_urls.some((url) => not?.page_urls.includes(url))).toBe(false);
  await hideDocument(app.ctx, id, 'copyright');
  shared.clear();
  expect((await detailFor(id, other.id)).code).toBe(CODE.notFound);
});

it('shares a search only among members who may see as much', async () => {
  for (let count = 0; count < 12; count += 1) await addPublished(app, { name: `共享搜索词方案${count}` });
  const [ordinary, vip] = [await addPerson(app), await addPerson(app)];
  await grantMembership(app.ctx, { userId: vip.id, tier: 1, days: 30, reason: 'test' });
  const { searchFor } = openPages();
  expect(await searchFor('共享搜索词', vip.id)).toMatchObject({ limited: 0, visible_count: 12, total_count: 12 });
  const limited = await searchFor('共享搜索词', ordinary.id);
  expect(limited).toMatchObject({ limited: 1, total_count: 12 });
  expect(limited.item_list).toHaveLength(10);
  // A membership that was granted just now counts at once.
  await grantMembership(app.ctx, { userId: ordinary.id, tier: 1, days: 30, reason: 'test' });
  expect((await searchFor('共享搜索词', ordinary.id)).item_list).toHaveLength(12);
});

it('shares no search whose decks could not be read', async () => {
  const { id } = await addPublished(app, { name: '通信讲稿', texts: ['封面', '邀请运营商出席', '尾页'] });
  await indexPages(app.ctx, [id]);
  const { id: userId } = await addPerson(app);
  const { searchFor } = openPages();
  const countFound = async () => (await searchFor('运营商出席', userId)).total_count;
  await app.ctx.db.execute(sql`alter table page_entries rename to page_entries_away`);
  expect(await Promise.all([countFound(), countFound()])).toEqual([0, 0]);
  await app.ctx.db.execute(sql`alter table page_entries_away rename to page_entries`);
  expect(await countFound()).toBe(1);
});
