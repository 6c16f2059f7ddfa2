import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buying } from '../../../tests/buyers.ts';
import { addDocument } from '../../../tests/documents.ts';
import { logIn } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { getMine } from '../contract.ts';
import { entitlements, quotaUses } from './tables.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const { addBuyer, addBareDocuments, download, quote, checkBooks } = buying(() => app);
// The ledger is balanced after every test.
afterEach(checkBooks);

/** Midday of a 25th in Shanghai: days enough behind it to have used up a month, 20 a day. */
const LATE_IN_MONTH = Date.UTC(new Date().getUTCFullYear() + 1, 5, 25, 4);
const moveTo = (time: number) => {
  app.clock.offsetMs = time - Date.now();
};

/** Coupons used before, with the rights they paid for: `today` of them today, the others from the 1st on. */
async function setUsed(userId: number, used: { today: number; month: number }) {
  const ids = await addBareDocuments(used.month);
  const timeOf = (index: number) =>
    new Date(index < used.today ? LATE_IN_MONTH - 1 : LATE_IN_MONTH - (24 - Math.floor(index / 20)) * DAY_MS);
  await app.ctx.db
    .insert(entitlements)
    .values(
      ids.map((documentId, index) => ({ userId, documentId, method: 'coupon' as const, createdAt: timeOf(index) })),
    );
  await app.ctx.db.execute(sql`
    insert into quota_uses (user_id, kind, period, used)
    select user_id, 'coupon-day', to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD'), count(*)
    from entitlements where user_id = ${userId} and method = 'coupon' group by 1, 3`);
  const month = new Date(LATE_IN_MONTH).toISOString().slice(0, 7);
  await app.ctx.db.insert(quotaUses).values({ userId, kind: 'download-month', period: month, used: used.month });
}

describe('late in a month', () => {
  beforeEach(() => moveTo(LATE_IN_MONTH));
  afterEach(() => moveTo(Date.now()));

  it('counts coupons by the day, coins after them, 31 in the words for members', async () => {
    const [first, second] = [await addDocument(app, { priceCoins: 5 }), await addDocument(app, { priceCoins: 5 })];
    const member = await addBuyer({ tier: 1, coins: 5 });
    await setUsed(member.id, { today: 20, month: 20 });
    expect(await download(member.token, first.id)).toMatchObject({ code: 0, data: { method: 'coin', balance: 0 } });
    const year = new Date(LATE_IN_MONTH).getUTCFullYear();
    expect(await download(member.token, second.id)).toMatchObject({
      code: 31,
      message: '今日免费下载额度已用完，请充值喵币',
      data: { is_vip: 1, balance: 0, cost: 5, missing: 5, vip: null, free_at_text: `${year}-06-26 00:00` },
    });
    expect(await quote(member.token, second.id)).toMatchObject({
      data: { method: 'insufficient', code: 31, missing: 5, free_at_text: `${year}-06-26 00:00` },
    });
  });

  it('answers 33 when the month is used up', async () => {
    const { id } = await addDocument(app, { priceCoins: 5 });
    const member = await addBuyer({ tier: 1 });
    await setUsed(member.id, { today: 0, month: 300 });
    const free = Date.UTC(new Date(LATE_IN_MONTH).getUTCFullYear(), 5, 30, 16) / 1_000;
    expect(await download(member.token, id)).toMatchObject({
      code: 33,
      message: '您的下载次数已达上限~',
      data: { is_vip: 1, missing: 5, vip: { tier: 2, price: 98 }, free_at: free },
    });
    expect(await quote(member.token, id)).toMatchObject({ data: { method: 'insufficient', code: 33, month_left: 0 } });
  });

  it('parallel downloads use the last coupon of the day once, and give nothing away at the end of the month', async () => {
    const several = await Promise.all([1, 2, 3, 4, 5, 6].map(() => addDocument(app, { priceCoins: 5 })));
    for (const used of [
      { today: 19, month: 19 },
      { today: 3, month: 299 },
      { today: 19, month: 299 },
    ]) {
      const member = await addBuyer({ tier: 1, coins: 10 });
      await setUsed(member.id, used);
      const answers = await Promise.all(several.map(({ id }) => download(member.token, id)));
      const methods = answers.map((answer) => (answer.code === 0 ? answer.data?.method : answer.code)).map(String);
      const refused = used.month === 299 ? '33' : '31';
      expect(methods.sort()).toEqual([refused, refused, refused, 'coin', 'coin', 'coupon']);
    }
  }, 60_000);
});

describe('periods', () => {
  it('begin at midnight in Shanghai, by the clock of the app', async () => {
    const member = await addBuyer({ tier: 1, days: 365 });
    const [first, second, third] = [
      await addDocument(app, { priceCoins: 5 }),
      await addDocument(app, { priceCoins: 5 }),
      await addDocument(app, { priceCoins: 5 }),
    ];
    const leftAfter = async (time: string, id: number) => {
      moveTo(Date.parse(time));
      // The session of the real clock is long over there.
      const { token } = await logIn(app, member.username);
      expect(await download(token, id)).toMatchObject({ code: 0, data: { method: 'coupon' } });
      const mine = await app.call(getMine, {}, token);
      return [mine.data?.today_left, mine.data?.month_left];
    };
    const year = new Date().getUTCFullYear() + 1;
    try {
      expect(await leftAfter(`${year}-03-31T23:59:30+08:00`, first.id)).toEqual([19, 299]);
      expect(await leftAfter(`${year}-04-01T00:00:30+08:00`, second.id)).toEqual([19, 299]);
      expect(await leftAfter(`${year}-04-02T00:00:30+08:00`, third.id)).toEqual([19, 298]);
    } finally {
      app.clock.offsetMs = 0;
    }
  });

  it('end with the membership; downloaded documents stay owned', async () => {
    const [kept, wanted] = [await addDocument(app, { priceCoins: 5 }), await addDocument(app, { priceCoins: 5 })];
    const member = await addBuyer({ tier: 1, days: 1 });
    expect(await download(member.token, kept.id)).toMatchObject({ data: { method: 'coupon' } });
    app.clock.offsetMs = DAY_MS + 1000;
    try {
      expect(await download(member.token, kept.id)).toMatchObject({ code: 0, data: { method: 'owned', is_vip: 0 } });
      expect(await download(member.token, wanted.id)).toMatchObject({ code: 31, data: { is_vip: 0 } });
    } finally {
      app.clock.offsetMs = 0;
    }
  });
});
