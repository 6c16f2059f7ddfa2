import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDocument } from '../../../tests/documents.ts';
import { addPerson, logIn } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { hideDocument } from '../../library/server/hide-document.ts';
import { documents, files } from '../../library/server/tables.ts';
import { rowsOf } from '../../platform/db/client.ts';
import { downloadDocument, getMine, quoteDownload } from '../contract.ts';
import { grantCoins } from './grant-coins.ts';
import { grantMembership } from './grant-membership.ts';
import { hasEntitlement } from './has-entitlement.ts';
import { entitlements, ledgerEntries, quotaUses } from './tables.ts';
import { tierOf } from './tier-of.ts';
import { verifyLedger } from './verify-ledger.ts';

const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 50);
const DAY_MS = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
// Whatever a test did, the books add up after it.
afterEach(async () => {
  const { violations } = await verifyLedger(app.ctx);
  if (violations.length > 0) throw new Error(JSON.stringify(violations));
});

async function addBuyer(options: { coins?: number; tier?: 1 | 2; days?: number } = {}) {
  const person = await addPerson(app);
  const { coins = 0, tier, days = 30 } = options;
  if (coins > 0) await grantCoins(app.ctx, { userId: person.id, coins, reason: 'test' });
  if (tier) await grantMembership(app.ctx, { userId: person.id, tier, days, reason: 'test' });
  return person;
}

const download = (token: string | undefined, fid: number, expected?: { method: string; cost: number }) =>
  app.call(downloadDocument, { fid, ...(expected && { expect: expected }) }, token);
const quote = (token: string, fid: number) => app.call(quoteDownload, { fid }, token);
const balanceOf = async (token: string) => (await app.call(getMine, {}, token)).data?.balance;
const rightsOf = (userId: number) => app.ctx.db.select().from(entitlements).where(eq(entitlements.userId, userId));
const debitsOf = (userId: number) => app.ctx.db.select().from(ledgerEntries).where(eq(ledgerEntries.userId, userId));

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

/** On the shelf, and all with one file. */
async function addBareDocuments(count: number, priceCoins = 0): Promise<number[]> {
  const { id } = await addDocument(app);
  const rows = await rowsOf<{ id: number }>(
    app.ctx.db,
    sql`insert into documents (file_id, name, price_coins, state)
      select file_id, '旧方案', ${priceCoins}, 'published' from documents, generate_series(1, ${count}::integer)
      where id = ${id} returning id`,
  );
  return rows.map((row) => row.id);
}

describe('a download', () => {
  it('costs coins once and is owned for ever', async () => {
    const document = await addDocument(app, { priceCoins: 5, name: '开业<em>庆典</em>方案' });
    const buyer = await addBuyer({ coins: 10 });
    expect(await quote(buyer.token, document.id)).toMatchObject({
      code: 0,
      data: { method: 'coin', cost: 5, balance: 10, balance_after: 5, today_left: 0, month_left: 0, code: 0 },
    });
    const first = await download(buyer.token, document.id, { method: 'coin', cost: 5 });
    expect(first).toMatchObject({
      code: 0,
      data: {
        file_name: '开业庆典方案.pptx',
        size: 1000,
        sha256: document.sha256,
        method: 'coin',
        cost: 5,
        balance: 5,
        is_vip: 0,
      },
    });
    expect(await download(buyer.token, document.id)).toMatchObject({
      code: 0,
      data: { method: 'owned', cost: 0, balance: 5 },
    });
    expect(await quote(buyer.token, document.id)).toMatchObject({
      data: { method: 'owned', cost: 0, balance_after: 5 },
    });
    const [row] = await app.ctx.db.select().from(documents).where(eq(documents.id, document.id));
    expect(row?.downloadCount).toBe(1);
    // What that is worth is the ranking job's to say: one person's click moves no list at once.
    expect(row?.recommendScore).toBeCloseTo((row?.createdAt.getTime() ?? 0) / (60 * DAY_MS), 6);
    const session = { id: 0, userId: buyer.id, sid: '' };
    expect(await hasEntitlement({ ...app.ctx, session }, document.id)).toBe(true);
    expect(await hasEntitlement({ ...app.ctx, session: { ...session, userId: 1 } }, document.id)).toBe(false);
    expect(await hasEntitlement(app.ctx, document.id)).toBe(false);
  });

  it('of a deck with macros, taken in for its previews alone, is refused in words and costs nothing', async () => {
    const document = await addDocument(app, { priceCoins: 5 });
    const buyer = await addBuyer({ coins: 10 });
    await app.ctx.db
      .update(files)
      .set({ flags: ['macros'] })
      .where(eq(files.sha256, document.sha256));
    const refusal = { code: 1, message: '该文件含有宏，仅供在线预览，不提供下载' };
    expect(await quote(buyer.token, document.id)).toMatchObject(refusal);
    expect(await download(buyer.token, document.id)).toMatchObject(refusal);
    expect(await balanceOf(buyer.token)).toBe(10);
    expect(await rightsOf(buyer.id)).toEqual([]);
  });

  it('is free when the price is 0, and uses no coupon', async () => {
    const { id } = await addDocument(app);
    const member = await addBuyer({ tier: 1 });
    expect(await download(member.token, id)).toMatchObject({ code: 0, data: { method: 'free', cost: 0, is_vip: 1 } });
    expect(await app.call(getMine, {}, member.token)).toMatchObject({ data: { vCount: 20, month_left: 300 } });
  });

  it('takes a coupon of a member before coins', async () => {
    const { id } = await addDocument(app, { priceCoins: 5 });
    const member = await addBuyer({ tier: 2, coins: 5 });
    expect(await download(member.token, id)).toMatchObject({
      code: 0,
      data: { method: 'coupon', cost: 0, balance: 5 },
    });
    expect(await app.call(getMine, {}, member.token)).toMatchObject({
      data: { vCount: 19, month_left: 599, balance: 5 },
    });
    expect(await tierOf({ ...app.ctx, session: { id: 0, userId: member.id, sid: '' } })).toBe(2);
    expect(await tierOf(app.ctx)).toBe(0);
  });

  it('is refused with 31 and nothing charged when coins are short', async () => {
    const { id } = await addDocument(app, { priceCoins: 5 });
    const poor = await addBuyer({ coins: 4 });
    expect(await quote(poor.token, id)).toMatchObject({
      code: 0,
      data: { method: 'insufficient', cost: 5, balance: 4, balance_after: 4, code: 31 },
    });
    expect(await download(poor.token, id)).toEqual({
      code: 31,
      message: '喵币余额不足，请充值，或开通VIP免费下载',
      data: { is_vip: 0, balance: 4, cost: 5 },
    });
    expect(await rightsOf(poor.id)).toEqual([]);
    expect(await balanceOf(poor.token)).toBe(4);
  });

  it('is refused with 60 when it would not be what was agreed', async () => {
    const { id } = await addDocument(app, { priceCoins: 5 });
    const buyer = await addBuyer({ coins: 10 });
    expect(await download(buyer.token, id, { method: 'coin', cost: 4 })).toMatchObject({
      code: 60,
      message: '价格已变化，请确认后重试',
    });
    expect(await rightsOf(buyer.id)).toEqual([]);
    expect(await download(buyer.token, id, { method: 'coin', cost: 5 })).toMatchObject({ code: 0 });
    expect(await download(buyer.token, id, { method: 'coin', cost: 5 })).toMatchObject({
      code: 0,
      data: { method: 'owned' },
    });
  });

  it.each(['coin', [], {}, 5, { method: 'coin', cost: '5' }])(
    'charges nothing for the unreadable guard %j',
    async (guard) => {
      const { id } = await addDocument(app, { priceCoins: 5 });
      const buyer = await addBuyer({ coins: 10 });
      // What a client may send, and its type forbids.
      const answer = await app.call(downloadDocument, { fid: id, expect: guard as never }, buyer.token);
      expect(answer).toMatchObject({ code: 40 });
      expect(await rightsOf(buyer.id)).toEqual([]);
    },
  );

  it('is for those who are logged in', async () => {
    const { id } = await addDocument(app);
    expect(await download(undefined, id)).toMatchObject({ code: 10000, message: '请先登录' });
    expect(await app.call(quoteDownload, { fid: id })).toMatchObject({ code: 10000 });
  });

  it('of something that is no document answers 4', async () => {
    const { token } = await addBuyer();
    const odd = [0, -1, 1.5, 'abc', '1 or 1=1', null, undefined, [1], { $gt: 0 }, 999_999_999, 9e15, '9'.repeat(40)];
    for (const fid of odd) {
      const answer = await app.call(downloadDocument, { fid }, token);
      expect(answer).toMatchObject({ code: 4, message: '内容不存在或已下架' });
      expect(await app.call(quoteDownload, { fid }, token)).toMatchObject({ code: 4 });
    }
  });

  it('of a document off the shelf answers 4, except to who owns it and the reason is no right', async () => {
    const document = await addDocument(app, { priceCoins: 5 });
    const [owner, other] = [await addBuyer({ coins: 5 }), await addBuyer({ coins: 5 })];
    await download(owner.token, document.id);
    await hideDocument(app.ctx, document.id, 'operator');
    expect(await download(other.token, document.id)).toMatchObject({ code: 4 });
    expect(await download(owner.token, document.id)).toMatchObject({ code: 0, data: { method: 'owned' } });
    await hideDocument(app.ctx, document.id, 'copyright');
    expect(await download(owner.token, document.id)).toMatchObject({ code: 4 });
    expect(await balanceOf(other.token)).toBe(5);
  });

  it('charges nothing when the file is missing or the store is down', async () => {
    const document = await addDocument(app, { priceCoins: 5 });
    const buyer = await addBuyer({ coins: 5 });
    const stat = app.ctx.files.stat;
    app.ctx.files.stat = () => Promise.reject(new Error('connection refused'));
    const response = await app.fetch('/api/doc/download', {
      method: 'POST',
      headers: { token: buyer.token, 'content-type': 'application/json' },
      body: JSON.stringify({ fid: document.id }),
    });
    app.ctx.files.stat = stat;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 503 });
    await app.ctx.files.remove(`originals/${document.sha256}`);
    expect(await download(buyer.token, document.id)).toMatchObject({ code: 4 });
    expect(await balanceOf(buyer.token)).toBe(5);
    expect(await rightsOf(buyer.id)).toEqual([]);
  });
});

describe('many downloads at once', () => {
  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  it.each([
    ['coins', { coins: 100 }, 'coin'],
    ['coupons', { tier: 1 as const }, 'coupon'],
  ])('of one document charge once: %s', async (_name, means, method) => {
    const { id } = await addDocument(app, { priceCoins: 5 });
    const buyer = await addBuyer(means);
    const second = await logIn(app, buyer.username);
    const answers = await times(20, (index) => download(index % 2 ? buyer.token : second.token, id));
    expect(answers.map((answer) => answer.code)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(answers.every((answer) => answer.data?.url.startsWith('/dl/'))).toBe(true);
    expect(answers.filter((answer) => answer.data?.method === method)).toHaveLength(1);
    expect(await rightsOf(buyer.id)).toMatchObject([{ method }]);
    const [row] = await app.ctx.db.select().from(documents).where(eq(documents.id, id));
    expect(row?.downloadCount).toBe(1);
  });

  it(`spend the last coins on one of two documents, ${ROUNDS} rounds`, async () => {
    const wanted = await addBareDocuments(2 * ROUNDS, 5);
    const buyer = await addBuyer({ coins: 4 });
    for (let round = 0; round < ROUNDS; round += 1) {
      await grantCoins(app.ctx, { userId: buyer.id, coins: 5, reason: 'test' });
      const two = wanted.slice(2 * round, 2 * round + 2);
      const answers = await Promise.all(two.map((id) => download(buyer.token, id)));
      expect(answers.map((answer) => answer.code).sort((a, b) => a - b)).toEqual([0, 31]);
      expect(await balanceOf(buyer.token)).toBe(4);
    }
    const amounts = (await debitsOf(buyer.id)).map((entry) => entry.amount);
    expect(amounts.filter((amount) => amount === -5)).toHaveLength(ROUNDS);
  }, 120_000);

  it('of one document by twenty users count twenty', async () => {
    const { id } = await addDocument(app, { priceCoins: 5 });
    const buyers = await times(20, () => addBuyer({ coins: 5 }));
    const answers = await Promise.all(buyers.map((buyer) => download(buyer.token, id)));
    expect(answers.every((answer) => answer.code === 0 && answer.data?.balance === 0)).toBe(true);
    const [row] = await app.ctx.db.select().from(documents).where(eq(documents.id, id));
    expect(row?.downloadCount).toBe(20);
  });
});

describe('late in a month', () => {
  beforeEach(() => moveTo(LATE_IN_MONTH));
  afterEach(() => moveTo(Date.now()));

  it('counts coupons by the day, coins after them, 31 in the words for members', async () => {
    const [first, second] = [await addDocument(app, { priceCoins: 5 }), await addDocument(app, { priceCoins: 5 })];
    const member = await addBuyer({ tier: 1, coins: 5 });
    await setUsed(member.id, { today: 20, month: 20 });
    expect(await download(member.token, first.id)).toMatchObject({ code: 0, data: { method: 'coin', balance: 0 } });
    expect(await download(member.token, second.id)).toEqual({
      code: 31,
      message: '今日免费下载额度已用完，请充值喵币',
      data: { is_vip: 1, balance: 0, cost: 5 },
    });
  });

  it('answers 33 when the month is used up', async () => {
    const { id } = await addDocument(app, { priceCoins: 5 });
    const member = await addBuyer({ tier: 1 });
    await setUsed(member.id, { today: 0, month: 300 });
    expect(await download(member.token, id)).toMatchObject({ code: 33, message: '您的下载次数已达上限~' });
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

  it('end with the membership, and what was downloaded stays', async () => {
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
