import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buying } from '../../../tests/buyers.ts';
import { addDocument } from '../../../tests/documents.ts';
import { logIn } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { addPublished } from '../../../tests/published-document.ts';
import { expectOk } from '../../protocol/call.ts';
import { getDetail } from '../../reading/contract.ts';
import { getMine } from '../contract.ts';
import { dayOf, monthOf } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const { addBuyer, download, quote } = buying(() => app);

/** Returns the numbers of the meters: used and left of the day, of the month, and of the month's reads. */
async function metersOf(token: string) {
  const mine = expectOk(await app.call(getMine, {}, token));
  return {
    today: [mine.today_used, mine.today_left],
    month: [mine.month_used, mine.month_left],
    reads: [mine.read_month_used, mine.read_month_left],
  };
}

/** Records `used` coupons, downloads and reads in the current Shanghai day and month. */
async function setUsed(userId: number, used: { today: number; month: number; reads: number }) {
  const at = new Date(app.ctx.clock.now());
  await app.ctx.db.execute(sql`insert into quota_uses (user_id, kind, period, used) values
    (${userId}, 'coupon-day', ${dayOf(at)}, ${used.today}),
    (${userId}, 'download-month', ${monthOf(at)}, ${used.month}),
    (${userId}, 'read-month', ${monthOf(at)}, ${used.reads})`);
}

it.each([
  { tier: 1, used: { today: 7, month: 133, reads: 12 }, left: [13, 167, 1_488], method: 'coupon', isLimited: 0 },
  { tier: 1, used: { today: 19, month: 299, reads: 1_499 }, left: [1, 1, 1], method: 'coupon', isLimited: 0 },
  { tier: 1, used: { today: 20, month: 133, reads: 12 }, left: [0, 167, 1_488], method: 'coin', isLimited: 0 },
  { tier: 1, used: { today: 3, month: 300, reads: 1_500 }, left: [0, 0, 0], method: 'coin', isLimited: 1 },
  { tier: 2, used: { today: 3, month: 300, reads: 1_500 }, left: [17, 300, 1_500], method: 'coupon', isLimited: 0 },
  { tier: 2, used: { today: 19, month: 599, reads: 2_999 }, left: [1, 1, 1], method: 'coupon', isLimited: 0 },
  { tier: 2, used: { today: 3, month: 600, reads: 3_000 }, left: [0, 0, 0], method: 'coin', isLimited: 1 },
] as const)('tier $tier, used $used: what is left is what decides', async ({ tier, used, left, method, isLimited }) => {
  const member = await addBuyer({ tier, coins: 5 });
  await setUsed(member.id, used);
  const [today, month, reads] = left;
  const before = { today: [used.today, today], month: [used.month, month], reads: [used.reads, reads] };
  expect(await metersOf(member.token)).toEqual(before);

  const wanted = await addDocument(app, { priceCoins: 5 });
  expect(expectOk(await quote(member.token, wanted.id))).toMatchObject({
    method,
    today_left: today,
    month_left: month,
  });
  expect(expectOk(await download(member.token, wanted.id))).toMatchObject({ method });
  const read = await addPublished(app, { name: '没读过的方案' });
  expect(expectOk(await app.call(getDetail, { fid: read.id }, member.token)).detail.read_limited).toBe(isLimited);
  // A use that was denied is not counted; an allowed use is counted once.
  const [coupon, oneRead] = [method === 'coupon' ? 1 : 0, 1 - isLimited];
  expect(await metersOf(member.token)).toEqual({
    today: [used.today + coupon, Math.max(today - coupon, 0)],
    month: [used.month + coupon, month - coupon],
    reads: [used.reads + oneRead, reads - oneRead],
  });
});

it('resets the day and the month at midnight in Shanghai, also where the UTC day or month is another', async () => {
  const member = await addBuyer({ tier: 1, days: 365 });
  const year = new Date().getUTCFullYear() + 1;
  const at = async (time: string) => {
    app.clock.offsetMs = Date.parse(time) - Date.now();
    // A session lasts 30 days.
    return (await logIn(app, member.username)).token;
  };
  try {
    let token = await at(`${year}-03-31T23:59:30+08:00`);
    expectOk(await download(token, (await addDocument(app, { priceCoins: 5 })).id));
    expectOk(await app.call(getDetail, { fid: (await addPublished(app, { name: '三月的方案' })).id }, token));
    const used = { today: [1, 19], month: [1, 299], reads: [1, 1_499] };
    expect(await metersOf(token)).toEqual(used);
    // In UTC this is 16:00 of 31 March still.
    token = await at(`${year}-04-01T00:00:00+08:00`);
    expect(await metersOf(token)).toEqual({ today: [0, 20], month: [0, 300], reads: [0, 1_500] });
    expectOk(await download(token, (await addDocument(app, { priceCoins: 5 })).id));
    // In UTC the day changes here, in Shanghai it does not.
    token = await at(`${year}-04-01T08:00:30+08:00`);
    expect(await metersOf(token)).toEqual({ today: [1, 19], month: [1, 299], reads: [0, 1_500] });
    token = await at(`${year}-04-02T00:00:00+08:00`);
    expect(await metersOf(token)).toEqual({ today: [0, 20], month: [1, 299], reads: [0, 1_500] });
  } finally {
    app.clock.offsetMs = 0;
  }
});

it('leaves nothing to who is no member, and counts the previews of an ordinary user against nothing', async () => {
  const [ordinary, expired] = [await addBuyer(), await addBuyer({ tier: 2, days: 1 })];
  await setUsed(expired.id, { today: 0, month: 133, reads: 12 });
  const read = await addPublished(app, { name: '预览过的方案' });
  expectOk(await app.call(getDetail, { fid: read.id }, ordinary.token));
  expect(await metersOf(ordinary.token)).toEqual({ today: [0, 0], month: [0, 0], reads: [0, 0] });
  await app.ctx.db.execute(sql`update memberships set advanced_end_at = now() where user_id = ${expired.id}`);
  expect(await metersOf(expired.token)).toEqual({ today: [0, 0], month: [133, 0], reads: [12, 0] });
});
