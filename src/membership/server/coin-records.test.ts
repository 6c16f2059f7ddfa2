import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buying } from '../../../tests/buyers.ts';
import { addDocument } from '../../../tests/documents.ts';
import { addPerson } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { transact } from '../../context.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { expectOk } from '../../protocol/call.ts';
import { listCoinRecords } from '../contract.ts';
import { grantCoins } from './grants.ts';
import { postTransfer } from './ledger.ts';
import { insertEntries, updateBalance } from './store-ledger.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const { addBuyer, download, balanceOf, checkBooks } = buying(() => app);

const recordsOf = async (token: string, page = 1, pageSize = 50) =>
  expectOk(await app.call(listCoinRecords, { page, pageSize }, token)).items;
const movementsOf = async (token: string, page?: number, pageSize?: number) =>
  (await recordsOf(token, page, pageSize)).map((record) => [record.amount, record.balance_after]);

it('tells the balance after each movement, on every page, whatever others do', async () => {
  const [member, other] = [await addBuyer({ coins: 30 }), await addBuyer({ coins: 1_000 })];
  const dear = await addDocument(app, { priceCoins: 12 });
  await download(member.token, dear.id);
  await download(other.token, dear.id);
  await postTransfer(app.ctx, { userId: member.id, amount: 330, kind: 'topup', ref: `o${member.id}`, note: '' });
  await postTransfer(app.ctx, { userId: member.id, amount: -48, kind: 'reversal', ref: `r${member.id}`, note: '' });
  const all = [
    [-48, 300],
    [330, 348],
    [-12, 18],
    [30, 30],
  ];
  expect(await movementsOf(member.token)).toEqual(all);
  expect(await balanceOf(member.token)).toBe(300);
  expect(await movementsOf(member.token, 1, 3)).toEqual(all.slice(0, 3));
  expect(await movementsOf(member.token, 2, 3)).toEqual(all.slice(3));
  expect(await movementsOf(member.token, 3, 3)).toEqual([]);
  expect((await recordsOf(member.token)).map(({ kind_text }) => kind_text)).toEqual([
    '退款扣回',
    '充值',
    '下载方案',
    '客服发放',
  ]);
  expect(await movementsOf(other.token)).toEqual([
    [-12, 988],
    [1_000, 1_000],
  ]);
});

it('adds up when much happens at once: each balance follows from the one before, and none is below zero', async () => {
  const member = await addBuyer({ coins: 20 });
  const documents = await Promise.all(Array.from({ length: 6 }, () => addDocument(app, { priceCoins: 5 })));
  await Promise.allSettled([
    ...documents.map(({ id }) => download(member.token, id)),
    ...Array.from({ length: 6 }, () => grantCoins(app.ctx, { userId: member.id, coins: 3, reason: 'test' })),
    ...Array.from({ length: 6 }, (_, index) =>
      postTransfer(app.ctx, {
        userId: member.id,
        amount: -4,
        kind: 'reversal',
        ref: `${member.id}/${index}`,
        note: '',
      }),
    ),
  ]);
  const records = (await recordsOf(member.token)).toReversed();
  expect(records.length).toBeGreaterThan(8);
  let balance = 0;
  for (const record of records) {
    balance += record.amount;
    expect(record.balance_after).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  expect(await balanceOf(member.token)).toBe(balance);
  await checkBooks();
});

it('lists transfers in the order in which they count: a later one waits until an earlier one has ended', async () => {
  const { id, token } = await addBuyer({ coins: 3 });
  const waiting = async () =>
    (
      await rowsOf<{ count: number }>(
        app.ctx.db,
        sql`select count(*)::integer as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      )
    )[0]?.count;
  const taken = { userId: id, amount: -3, kind: 'reversal', ref: `taken${id}`, note: '' } as const;
  let given: Promise<unknown> | undefined;
  await transact(app.ctx, async ({ db, clock }) => {
    await insertEntries(db, taken, new Date(clock.now()));
    given = grantCoins(app.ctx, { userId: id, coins: 5, reason: 'test' });
    await expect.poll(waiting).toBe(1);
    await updateBalance(db, id, taken.amount);
  });
  await given;
  expect(await movementsOf(token)).toEqual([
    [5, 5],
    [-3, 0],
    [3, 3],
  ]);
});

it('names a document also when it is no longer published, and is empty for who never had coins', async () => {
  const member = await addBuyer({ coins: 30 });
  const { id } = await addDocument(app, { name: '周年庆方案', priceCoins: 12 });
  await download(member.token, id);
  await app.ctx.db.execute(sql`update documents set state = 'hidden', hidden_reason = 'operator' where id = ${id}`);
  expect((await recordsOf(member.token))[0]).toMatchObject({ fid: id, name: '周年庆方案', balance_after: 18 });
  expect(await recordsOf((await addPerson(app)).token)).toEqual([]);
});

it.each([{ page: 'x' }, { page: -1, pageSize: -5 }, { pageSize: 9_999 }, { page: 1e12 }])(
  'reads %j as a page that there is',
  async (input) => {
    const { token } = await addBuyer({ coins: 3 });
    const reply = await app.call(listCoinRecords, input, token);
    expect(reply).toMatchObject({ code: 0, data: { count: 1, total: 1 } });
  },
);

it('answers a visitor 10000', async () => {
  expect(await app.call(listCoinRecords, {})).toMatchObject({ code: 10000, message: '请先登录' });
});
