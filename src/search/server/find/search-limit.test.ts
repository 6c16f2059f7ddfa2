import { afterAll, beforeAll, expect, it } from 'vitest';
import { buying } from '../../../../tests/buyers.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { grantMembership } from '../../../membership/server/grants.ts';
import { FREE_RESULTS, searchDocuments } from '../../contract.ts';

const DAY_MS = 86_400_000;
/** 23 documents have the one word in their name, three of them the other. */
const MANY = '中秋';
const FEW = '快闪';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  for (let index = 0; index < 23; index += 1)
    await addPublished(app, {
      name: `万悦${MANY}节活动策划方案${index}${index < 3 ? FEW : ''}`,
      fileType: index < 12 ? 'pdf' : 'pptx',
    });
});
afterAll(() => app.close());

const { addBuyer } = buying(() => app);
const search = (input: object, token?: string) => app.call(searchDocuments, { search_key: MANY, ...input }, token);
const idsOf = async (input: object, token?: string) =>
  (await search(input, token)).data?.item_list.map(({ id }) => id) ?? [];

const REFUSED = { code: 32, message: '普通用户仅可查看前10条搜索结果，开通VIP解锁无限方案搜索' };
const tokens = {
  visitor: async () => undefined,
  ordinary: async () => (await addBuyer({ coins: 50 })).token,
  expired: async () => {
    const { id, token } = await addBuyer();
    const before = { ...app.ctx, clock: { now: () => app.ctx.clock.now() - 31 * DAY_MS } };
    await grantMembership(before, { userId: id, tier: 2, days: 30, reason: 'test' });
    return token;
  },
  standard: async () => (await addBuyer({ tier: 1 })).token,
  advanced: async () => (await addBuyer({ tier: 2 })).token,
  lifetime: async () => (await addBuyer({ tier: 2, days: 36_500 })).token,
};

it.each(['visitor', 'ordinary', 'expired'] as const)('%s: ten of a query, and 32 for every later page', async (who) => {
  const token = await tokens[who]();
  const first = await search({}, token);
  expect(first).toMatchObject({
    code: 0,
    data: { total_count: 23, total: 23, limited: 1, visible_count: 10, page: 1, page_size: 15 },
  });
  const all = await idsOf({ pageSize: 50 }, await tokens.advanced());
  expect(all).toHaveLength(23);
  expect(first.data?.item_list.map(({ id }) => id)).toEqual(all.slice(0, FREE_RESULTS));
  for (const page of [2, 3, 900])
    expect(await search({ page }, token)).toMatchObject({
      ...REFUSED,
      data: { item_list: [], total_count: 23, limited: 1, visible_count: 10, page },
    });
  // A limit that the client sends changes nothing (C-25).
  expect(await search({ searchLimit: 0, device: 'mini', page: 2 }, token)).toMatchObject(REFUSED);
  expect(await idsOf({ searchLimit: 9_999, pageSize: 50 }, token)).toHaveLength(10);
});

it.each(['visitor', 'ordinary', 'expired'] as const)('%s: sees fewer than ten whole, and is told so', async (who) => {
  const token = await tokens[who]();
  const few = await search({ search_key: FEW }, token);
  expect(few).toMatchObject({ code: 0, data: { total_count: 3, limited: 1, visible_count: 3 } });
  expect(few.data?.item_list).toHaveLength(3);
  const later = await search({ search_key: FEW, page: 2 }, token);
  expect(later).toMatchObject({ code: 32, data: { item_list: [], total_count: 3, visible_count: 3 } });
  expect(await search({ search_key: '没有这个词的方案吗独角兽', exact: 1 }, token)).toMatchObject({
    code: 0,
    data: { item_list: [], total_count: 0, visible_count: 0 },
  });
});

it('gives each choice of filters its own ten', async () => {
  const [pdf, ppt] = [await idsOf({ filetype: 2 }), await idsOf({ filetype: 1 })];
  expect([pdf.length, ppt.length]).toEqual([10, 10]);
  expect(new Set([...pdf, ...ppt]).size).toBe(20);
  expect(await search({ filetype: 2, page: 2 })).toMatchObject({ ...REFUSED, data: { total_count: 12 } });
});

it.each(['standard', 'advanced', 'lifetime'] as const)('%s: sees every result, page by page', async (who) => {
  const token = await tokens[who]();
  expect(await search({}, token)).toMatchObject({ code: 0, data: { limited: 0, visible_count: 23, total_count: 23 } });
  const [first, second, third] = [
    await idsOf({}, token),
    await idsOf({ page: 2 }, token),
    await idsOf({ page: 3 }, token),
  ];
  expect([first.length, second.length, third.length]).toEqual([15, 8, 0]);
  expect(new Set([...first, ...second]).size).toBe(23);
});

it('holds from the moment a membership ends', async () => {
  const { token } = await addBuyer({ tier: 1, days: 1 });
  expect(await search({ page: 2 }, token)).toMatchObject({ code: 0, data: { limited: 0 } });
  app.clock.offsetMs = DAY_MS + 1_000;
  try {
    expect(await search({ page: 2 }, token)).toMatchObject({ ...REFUSED, data: { item_list: [] } });
  } finally {
    app.clock.offsetMs = 0;
  }
});

it.each(['visitor', 'ordinary', 'expired'] as const)(
  '%s: browses without a keyword as far as the list goes',
  async (who) => {
    const token = await tokens[who]();
    const second = await search({ search_key: ' ', page: 2 }, token);
    expect(second).toMatchObject({ code: 0, data: { limited: 0, visible_count: 23, total_count: 23 } });
    expect(second.data?.item_list).toHaveLength(8);
  },
);
