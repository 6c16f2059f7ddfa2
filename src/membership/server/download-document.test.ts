import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buying } from '../../../tests/buyers.ts';
import { addDocument } from '../../../tests/documents.ts';
import { logIn } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { expectOk } from '../../protocol/call.ts';
import { listPrices } from '../../prices/contract.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { documents, files } from '../../library/server/tables.ts';
import { downloadDocument, getMine, listOwned, quoteDownload } from '../contract.ts';
import { grantCoins } from './grants.ts';
import { hasEntitlement, tierOf } from './rights.ts';
import { payForDocument } from './store-payments.ts';
import { ledgerEntries } from './tables.ts';

const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 50);
const DAY_MS = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const { addBuyer, addBareDocuments, download, quote, balanceOf, rightsOf, checkBooks } = buying(() => app);
// The ledger is balanced after every test.
afterEach(checkBooks);

const debitsOf = (userId: number) => app.ctx.db.select().from(ledgerEntries).where(eq(ledgerEntries.userId, userId));

describe('a document that changes between the decision and the payment', () => {
  const means = [
    ['coins', { method: 'coin' }],
    ['a coupon', { method: 'coupon', monthlyCap: 300 }],
    ['nothing', { method: 'free' }],
  ] as const;
  const changes = [
    ['costs more', { priceCoins: 8 }],
    ['costs less', { priceCoins: 3 }],
    ['was hidden', { state: 'hidden', hiddenReason: 'operator' }],
  ] as const;
  it.each(means.flatMap(([by, mean]) => changes.map(([what, change]) => [by, what, mean, change] as const)))(
    'is not paid for by %s when it %s',
    async (_by, _what, mean, change) => {
      const document = await addDocument(app, { priceCoins: mean.method === 'free' ? 0 : 5 });
      const buyer = await addBuyer({ coins: 10 });
      await app.ctx.db.update(documents).set(change).where(eq(documents.id, document.id));
      const facts = { userId: buyer.id, documentId: document.id, at: new Date(app.ctx.clock.now()) };
      const paid = await payForDocument(app.ctx.db, { ...facts, priceCoins: mean.method === 'free' ? 0 : 5, ...mean });
      expect([paid, await balanceOf(buyer.token), await rightsOf(buyer.id)]).toEqual(['lost', 10, []]);
    },
  );
});

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
    // The ranking job weighs downloads: a click does not change a list at once.
    expect(row?.recommendScore).toBeCloseTo((row?.createdAt.getTime() ?? 0) / (60 * DAY_MS), 6);
    const session = { id: 0, userId: buyer.id, sid: '' };
    expect(await hasEntitlement({ ...app.ctx, session }, document.id)).toBe(true);
    expect(await hasEntitlement({ ...app.ctx, session: { ...session, userId: 1 } }, document.id)).toBe(false);
    expect(await hasEntitlement(app.ctx, document.id)).toBe(false);
  });

  it('of a deck with macros, ingested for its previews alone, is refused in words and costs nothing', async () => {
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
    const { miao, vip } = expectOk(await app.call(listPrices, {}));
    const ways = { is_vip: 0, balance: 4, cost: 5, missing: 1, pack: miao[0], pack_count: 1, vip: vip[0] };
    const never = { free_at: 0, free_at_text: '' };
    expect(await quote(poor.token, id)).toEqual({
      code: 0,
      message: 'success',
      data: {
        method: 'insufficient',
        ...ways,
        ...never,
        balance_after: 4,
        today_left: 0,
        month_left: 0,
        code: 31,
      },
    });
    expect(await download(poor.token, id)).toEqual({
      code: 31,
      message: '喵币余额不足，请充值，或开通VIP免费下载',
      data: { ...ways, ...never, download: 'insufficient' },
    });
    expect(await rightsOf(poor.id)).toEqual([]);
    expect(await balanceOf(poor.token)).toBe(4);
  });

  it('is refused with 60 when its price differs from the agreed price', async () => {
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
      // Input that a client may send although its type forbids it.
      const answer = await app.call(downloadDocument, { fid: id, expect: guard as never }, buyer.token);
      expect(answer).toMatchObject({ code: 40 });
      expect(await rightsOf(buyer.id)).toEqual([]);
    },
  );

  it('charges without a guard when the guard is null, as programs write a field that they leave out', async () => {
    const { id } = await addDocument(app, { priceCoins: 5 });
    const { token } = await addBuyer({ coins: 10 });
    expect(await app.call(downloadDocument, { fid: id, expect: null }, token)).toMatchObject({ data: { cost: 5 } });
  });

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

  it('of a hidden document answers 4, except to its owner when it is not hidden for copyright or law', async () => {
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

it.each(['gone', 'empty'])(
  'a folder of files that is %s, as a disk that is not mounted, costs no document its file',
  async (state) => {
    const document = await addDocument(app, { priceCoins: 5 });
    const buyer = await addBuyer({ coins: 5 });
    const files = join(app.dataDir, 'files');
    await rename(files, `${files}-away`);
    if (state === 'empty') await mkdir(files);
    const away = await app.fetch('/api/doc/download', {
      method: 'POST',
      headers: { token: buyer.token, 'content-type': 'application/json' },
      body: JSON.stringify({ fid: document.id }),
    });
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    await rm(files, { recursive: true, force: true });
    await rename(`${files}-away`, files);
    expect(await download(buyer.token, document.id)).toMatchObject({ code: 0, data: { method: 'coin' } });
  },
);

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

describe('what a list says is owned', () => {
  const ask = (fids: unknown, token?: string) => app.call(listOwned, { fids }, token);

  it('lists the requested documents that the caller has downloaded', async () => {
    const [paid, free, other] = await Promise.all([
      addDocument(app, { priceCoins: 5 }),
      addDocument(app, { priceCoins: 0 }),
      addDocument(app, { priceCoins: 5 }),
    ]);
    const buyer = await addBuyer({ coins: 10 });
    const all = [paid.id, free.id, other.id];
    expect(await ask(all, buyer.token)).toMatchObject({ code: 0, data: { fids: [] } });
    await download(buyer.token, paid.id);
    await download(buyer.token, free.id);
    const reply = await ask(all, buyer.token);
    expect(reply.data?.fids.toSorted((a, b) => a - b)).toEqual([paid.id, free.id].toSorted((a, b) => a - b));
    expect(await ask([other.id], buyer.token)).toMatchObject({ code: 0, data: { fids: [] } });
  });

  it('lists no documents of other users, and none without a session', async () => {
    const document = await addDocument(app, { priceCoins: 5 });
    const [buyer, stranger] = [await addBuyer({ coins: 10 }), await addBuyer()];
    await download(buyer.token, document.id);
    expect(await ask([document.id], stranger.token)).toMatchObject({ code: 0, data: { fids: [] } });
    expect(await ask([document.id])).toMatchObject({ code: 10000, data: null });
    expect(await ask([document.id], 'x'.repeat(43))).toMatchObject({ data: null });
  });

  it('accepts ids as numbers and texts, and treats other values as none', async () => {
    const document = await addDocument(app, { priceCoins: 0 });
    const buyer = await addBuyer();
    await download(buyer.token, document.id);
    const { id } = document;
    for (const fids of [[id], [String(id)], JSON.stringify([id]), [id, id, -1, 0, 1.5, null, 'x', { id }, 2 ** 60]]) {
      expect(await ask(fids, buyer.token)).toMatchObject({ code: 0, data: { fids: [id] } });
    }
    for (const fids of [undefined, null, '', '[', '{}', 7, [], {}, ['1;drop table entitlements'], [[id]]]) {
      expect(await ask(fids, buyer.token)).toMatchObject({ code: 0, data: { fids: [] } });
    }
    const many = Array.from({ length: 5000 }, (_, index) => index + 1_000_000);
    expect(await ask([...many, id], buyer.token)).toMatchObject({ code: 40, data: { field: 'fids' } });
  });
});
