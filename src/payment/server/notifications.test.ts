import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkOrders, openPayingApp, type PayingApp } from '../../../tests/paying.ts';
import { openTestApp } from '../../../tests/test-app.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { notifyPath } from '../contract.ts';

let paying: PayingApp;
beforeAll(async () => {
  paying = await openPayingApp();
});
afterAll(() => paying.app.close());
afterEach(() => checkOrders(paying.app));

const inbox = (no: string) =>
  rowsOf<{ outcome: string; applied: boolean; deliveries: number; bytes: number; sha256: string }>(
    paying.app.ctx.db,
    sql`select outcome, applied_at is not null as applied, deliveries, length(body) as bytes, sha256
      from payment_notices where out_trade_no = ${no}`,
  );

async function ordered() {
  const buyer = await paying.addBuyer();
  const no = await paying.order(buyer.token, paying.pack.id);
  return { ...buyer, no, payment: paying.wechat.pay(no) };
}

test('a genuine notification: the raw bytes are kept, the order is fulfilled, then it is acknowledged', async () => {
  const { no, payment } = await ordered();
  const sent = paying.wechat.notification(payment);
  const answer = await paying.app.fetch(notifyPath('wechat'), sent);
  expect([answer.status, await answer.text()]).toEqual([200, 'success']);
  expect(await paying.statusOf(no)).toBe('fulfilled');
  const [row] = await inbox(no);
  expect(row).toMatchObject({ outcome: 'fulfilled', applied: true, deliveries: 1, bytes: sent.body.length });
});

test('neither a token nor a cookie matters, and no other method answers', async () => {
  const { no, payment, token } = await ordered();
  const { body, headers } = paying.wechat.notification(payment);
  const path = notifyPath('wechat');
  expect((await paying.app.fetch(path)).status).toBe(405);
  expect((await paying.app.fetch(path, { method: 'PUT', body, headers })).status).toBe(405);
  const sent = { method: 'POST', body, headers: { ...headers, token, 'content-type': 'text/html' } };
  expect((await paying.app.fetch(path, sent)).status).toBe(200);
  expect(await paying.statusOf(no)).toBe('fulfilled');
});

describe('what is not genuine changes nothing and is counted', () => {
  test.each([
    ['a changed byte', (body: Buffer) => Buffer.from(body.toString().replace('1000', '1001'))],
    ['a byte more', (body: Buffer) => Buffer.concat([body, Buffer.from(' ')])],
    ['nothing', () => Buffer.alloc(0)],
  ])('%s', async (_name, forge) => {
    const { no, payment } = await ordered();
    const { body, ...rest } = paying.wechat.notification(payment);
    const answer = await paying.app.fetch(notifyPath('wechat'), { ...rest, body: new Uint8Array(forge(body)) });
    expect([answer.status, await answer.text()]).toEqual([401, 'fail']);
    expect([await paying.statusOf(no), await inbox(no)]).toEqual(['pending', []]);
  });

  test('for another merchant', async () => {
    const { no, payment } = await ordered();
    expect((await paying.notify('wechat', payment, { account: 'merchant-2' })).status).toBe(401);
    expect(await paying.statusOf(no)).toBe('pending');
    const refusals = await rowsOf(
      paying.app.ctx.db,
      sql`select channel, reason, count from payment_refusals where reason = 'another merchant'`,
    );
    expect(refusals).toEqual([{ channel: 'wechat', reason: 'another merchant', count: 1 }]);
  });
});

test('a flood of forged notifications is counted in full, by one write a second for each reason', async () => {
  const forge = () => paying.app.fetch(notifyPath('alipay'), { method: 'POST', body: 'x=1' });
  const count = async () => {
    const rows = await rowsOf<{ count: number }>(
      paying.app.ctx.db,
      sql`select sum(count)::int as count from payment_refusals where channel = 'alipay'`,
    );
    return rows[0]?.count ?? 0;
  };
  const before = await count();
  const answers = await Promise.all(Array.from({ length: 200 }, forge));
  expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
  expect(await count()).toBeLessThan(before + 200);
  await expect.poll(count).toBe(before + 200);
});

test('more than 64 KiB are not read', async () => {
  const body = Buffer.alloc(65_537, 'x');
  expect((await paying.app.fetch(notifyPath('wechat'), { method: 'POST', body })).status).toBe(413);
  const streamed = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < 3; sent += 1) controller.enqueue(Buffer.alloc(30_000, 'x'));
      controller.close();
    },
  });
  const endless = { method: 'POST', body: streamed, duplex: 'half' };
  expect((await paying.app.fetch(notifyPath('wechat'), endless)).status).toBe(413);
});

test('limits: a provider notifies a thousand times in a minute from one address; a flood is told 429, which it repeats after', async () => {
  const busy = await openPayingApp({ isRateLimited: true });
  try {
    const { token } = await busy.addBuyer();
    const no = await busy.order(token, busy.pack.id);
    const payment = busy.wechat.pay(no);
    const statuses = new Map<number, number>();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => busy.notify('wechat', payment, { id: no })));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([[200, 1_000]]);
    const empty = () => busy.app.fetch(notifyPath('wechat'), { method: 'POST', body: '' });
    let last = 401;
    for (let round = 0; last === 401 && round < 41; round += 1)
      for (const { status } of await Promise.all(Array.from({ length: 50 }, empty))) last = status;
    expect(last).toBe(429);
    expect((await busy.mine(token)).balance).toBe(busy.pack.coins);
  } finally {
    await busy.app.close();
  }
});

test('a number that is not known: stored, told to come again, and applied once it is known', async () => {
  const { payment } = await ordered();
  const stray = { ...payment, outTradeNo: 'M202603020030000000000000', transactionId: 'stray' };
  expect((await paying.notify('wechat', stray, { id: 'stray' })).status).toBe(503);
  expect((await paying.notify('wechat', stray, { id: 'stray' })).status).toBe(503);
  expect(await inbox(stray.outTradeNo)).toMatchObject([{ outcome: 'unknown-order', applied: false, deliveries: 2 }]);
});

test('the content decides about the order: a genuine old notification changes no other', async () => {
  const first = await ordered();
  const second = await ordered();
  await paying.notify('wechat', first.payment, { id: 'old' });
  for (let again = 0; again < 3; again += 1) await paying.notify('wechat', first.payment, { id: 'old' });
  expect([await paying.statusOf(first.no), await paying.statusOf(second.no)]).toEqual(['fulfilled', 'pending']);
});

test('a notification of something else is stored and acknowledged', async () => {
  const answer = await paying.app.fetch(notifyPath('wechat'), paying.wechat.signed({ some: 'thing' }));
  expect(answer.status).toBe(200);
  const stored = await rowsOf(
    paying.app.ctx.db,
    sql`select outcome, applied_at is not null as applied from payment_notices where kind = 'other'`,
  );
  expect(stored).toEqual([{ outcome: 'other: something else', applied: true }]);
});

test('the database fails in the middle: nothing is acknowledged, and the repetition is applied', async () => {
  const { no, payment } = await ordered();
  const { app } = paying;
  await app.ctx.db.execute(sql`alter table ledger_entries rename to ledger_entries_away`);
  try {
    const answer = await paying.notify('wechat', payment, { id: no });
    expect([answer.status, await answer.text()]).toEqual([503, 'fail']);
    expect([await paying.statusOf(no), await inbox(no)]).toEqual(['pending', []]);
  } finally {
    await app.ctx.db.execute(sql`alter table ledger_entries_away rename to ledger_entries`);
  }
  expect((await paying.notify('wechat', payment, { id: no })).status).toBe(200);
  expect(await paying.statusOf(no)).toBe('fulfilled');
});

test('without the provider there is no such address', async () => {
  const app = await openTestApp();
  try {
    expect((await app.fetch(notifyPath('alipay'), { method: 'POST', body: 'x' })).status).toBe(404);
  } finally {
    await app.close();
  }
});
