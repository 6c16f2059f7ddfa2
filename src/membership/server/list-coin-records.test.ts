import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDocument } from '../../../tests/documents.ts';
import { addPerson } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { downloadDocument, listCoinRecords } from '../contract.ts';
import { grantCoins } from './grant-coins.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('lists what came and went, newest first, with the document that was paid for', async () => {
  const [person, other] = [await addPerson(app), await addPerson(app)];
  const { id } = await addDocument(app, { name: '周年庆方案', priceCoins: 12 });
  await grantCoins(app.ctx, { userId: person.id, coins: 30, reason: 'an operator’s note' });
  await grantCoins(app.ctx, { userId: other.id, coins: 7, reason: 'another’s' });
  await app.call(downloadDocument, { fid: id }, person.token);
  const reply = await app.call(listCoinRecords, {}, person.token);
  expect(reply.data).toMatchObject({
    count: 2,
    total: 2,
    page: 1,
    page_size: 10,
    items: [
      { kind_text: '下载方案', amount: -12, fid: id, name: '周年庆方案' },
      { kind_text: '客服发放', amount: 30, fid: 0, name: '' },
    ],
  });
  expect(JSON.stringify(reply.data)).not.toContain('note');
});

it('pages, and is empty beyond the end and for who has none', async () => {
  const person = await addPerson(app);
  expect((await app.call(listCoinRecords, {}, person.token)).data).toMatchObject({ items: [], count: 0 });
  for (const coins of [1, 2, 3]) await grantCoins(app.ctx, { userId: person.id, coins, reason: 'test' });
  const pageOf = async (page: number) =>
    (await app.call(listCoinRecords, { page, pageSize: 2 }, person.token)).data?.items.map(({ amount }) => amount);
  expect([await pageOf(1), await pageOf(2), await pageOf(3)]).toEqual([[3, 2], [1], []]);
});

it('is for who is logged in', async () => {
  expect(await app.call(listCoinRecords, { page: 'x', pageSize: -1 })).toMatchObject({ code: 10000 });
});
