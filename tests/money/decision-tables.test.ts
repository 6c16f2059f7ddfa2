import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getMine } from '../../src/membership/server/get-mine.ts';
import { downloadDocument, quoteDownload } from '../../src/membership/server/download-document.ts';
import { hasEntitlement } from '../../src/membership/server/rights.ts';
import { coinAccounts, entitlements, memberReads, memberships, quotaUses } from '../../src/membership/server/tables.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { openForReading } from '../../src/reading/server/whole/open-for-reading.ts';
import { openOriginal } from '../../src/reading/server/whole/open-original.ts';
import { addPriced, answerOf, inParallel, openMoneyApp, type MoneyApp } from './money-app.ts';
import { COUPONS_A_DAY, downloadBy, IS_VIP, LIMITS, originalBy, readingBy, type Membership } from './spec.ts';

/** Midday of a 25th in Shanghai. */
const NOW = Date.parse('2027-05-25T12:00:00+08:00');
const DAY_MS = 86_400_000;
const PRICE = 5;
const PAGES = 12;
const PREVIEW = 10;

/** Ends of the two memberships in days from now; null: never bought. */
const TIERS: { name: string; membership: Membership; standard: number | null; advanced: number | null }[] = [
  { name: 'ordinary', membership: 'none', standard: null, advanced: null },
  { name: 'standard', membership: 'standard', standard: 30, advanced: null },
  { name: 'advanced', membership: 'advanced', standard: null, advanced: 30 },
  { name: 'expired at this very moment', membership: 'none', standard: -30, advanced: 0 },
  { name: 'advanced over, standard running', membership: 'standard', standard: 30, advanced: -1 },
  { name: 'lifetime', membership: 'advanced', standard: null, advanced: 36_500 },
];
const QUOTAS = ['left', 'last one', 'used up'] as const;
const BALANCES = [0, PRICE - 1, PRICE, PRICE + 7];
const PRICES = [0, PRICE];
const OWNED = [false, true];

type Quota = (typeof QUOTAS)[number];
/** For a limit that the user no longer has, the number used while it applied. */
const usedOf = (limit: number, quota: Quota) =>
  ({ left: Math.floor(limit / 4), 'last one': Math.max(limit - 1, 0), 'used up': limit })[quota];

let money: MoneyApp;
let documents: Map<number, number>;

beforeAll(async () => {
  money = await openMoneyApp();
  money.time.now = NOW;
  const ids = await addPriced(money.app, PRICES);
  documents = new Map(PRICES.map((price, index) => [price, ids[index] ?? 0]));
});
afterAll(() => money.close());

type Case = {
  tier: (typeof TIERS)[number];
  day: Quota;
  month: Quota;
  reads: Quota;
  balance: number;
  priceCoins: number;
  isOwned: boolean;
};

const downloadCases: Case[] = TIERS.flatMap((tier) =>
  QUOTAS.flatMap((day) =>
    QUOTAS.flatMap((month) =>
      BALANCES.flatMap((balance) =>
        PRICES.flatMap((priceCoins) =>
          OWNED.map((isOwned): Case => ({ tier, day, month, reads: 'left', balance, priceCoins, isOwned })),
        ),
      ),
    ),
  ),
);
const readCases: Case[] = TIERS.flatMap((tier) =>
  QUOTAS.flatMap((reads) =>
    BALANCES.flatMap((balance) =>
      PRICES.flatMap((priceCoins) =>
        OWNED.map((isOwned): Case => ({ tier, day: 'left', month: 'left', reads, balance, priceCoins, isOwned })),
      ),
    ),
  ),
);

type Prepared = { tested: Case; userId: number; documentId: number; facts: ReturnType<typeof factsOf> };

/** Returns the facts that the tables of the specification ask for. */
function factsOf({ tier, day, month, reads, balance, priceCoins, isOwned }: Case) {
  const limits = LIMITS[tier.membership === 'none' ? 'standard' : tier.membership];
  return {
    membership: tier.membership,
    isOwned,
    priceCoins,
    balance,
    usedToday: usedOf(COUPONS_A_DAY, day),
    usedThisMonth: usedOf(limits.downloads, month),
    reads: usedOf(limits.reads, reads),
  };
}

/** Adds a user in the state of each case, all in a few statements. */
async function prepare(cases: Case[]): Promise<Prepared[]> {
  const { db } = money.app.ctx;
  const users = await rowsOf<{ id: number }>(
    db,
    sql`insert into users (nickname) select '小策' from generate_series(1, ${cases.length}::integer) returning id`,
  );
  const prepared = cases.map((tested, index) => ({
    tested,
    userId: users[index]?.id ?? 0,
    documentId: documents.get(tested.priceCoins) ?? 0,
    facts: factsOf(tested),
  }));
  const end = (days: number | null) => (days === null ? null : new Date(NOW + days * DAY_MS));
  await db.insert(memberships).values(
    prepared.map(({ userId, tested: { tier } }) => ({
      userId,
      standardEndAt: end(tier.standard),
      advancedEndAt: end(tier.advanced),
    })),
  );
  await db.insert(coinAccounts).values(prepared.map(({ userId, facts: { balance } }) => ({ userId, balance })));
  await db.insert(quotaUses).values(
    prepared.flatMap(({ userId, facts }) => [
      { userId, kind: 'coupon-day' as const, period: '2027-05-25', used: facts.usedToday },
      { userId, kind: 'download-month' as const, period: '2027-05', used: facts.usedThisMonth },
      { userId, kind: 'read-month' as const, period: '2027-05', used: facts.reads },
    ]),
  );
  const owners = prepared.filter(({ tested }) => tested.isOwned);
  await db
    .insert(entitlements)
    .values(owners.map(({ userId, documentId }) => ({ userId, documentId, method: 'free' as const })));
  return prepared;
}

/** Returns the numbers of a user that a charge could change. */
async function standingOf(userId: number) {
  const mine = await getMine(money.as(userId));
  return { balance: mine.balance, today: mine.today_left, month: mine.month_left, reads: mine.read_month_left };
}

/** The same, by the specification, after `used` coupons and reads more. */
function standingBy(facts: Prepared['facts'], balance: number, used: { coupon: number; read: number }) {
  const limits = LIMITS[facts.membership];
  const month = Math.max(limits.downloads - facts.usedThisMonth - used.coupon, 0);
  const today = facts.membership === 'none' ? 0 : COUPONS_A_DAY - facts.usedToday - used.coupon;
  return { balance, today: Math.min(today, month), month, reads: Math.max(limits.reads - facts.reads - used.read, 0) };
}

const nameOf = (tested: Case) => JSON.stringify({ ...tested, tier: tested.tier.name });

describe('the decision of a download', () => {
  it(`is the specification's in all ${downloadCases.length} cases, and so is what it takes`, async () => {
    expect(downloadCases).toHaveLength(6 * 3 * 3 * 4 * 2 * 2);
    const wrong = await inParallel(await prepare(downloadCases), 8, async ({ tested, userId, documentId, facts }) => {
      const ctx = money.as(userId);
      const quote = await answerOf(quoteDownload(ctx, { fid: documentId }), [
        'method',
        'cost',
        'code',
        'balance_after',
      ]);
      const fields = ['method', 'cost', 'balance', 'is_vip'];
      const reply = await answerOf(downloadDocument(ctx, { fid: documentId, expect: undefined }), fields);
      const is = { quote, reply, after: await standingOf(userId), isOwned: await hasEntitlement(ctx, documentId) };

      const answer = downloadBy(facts);
      const code = Number(answer) || 0;
      const cost = answer === 'coin' || code > 0 ? facts.priceCoins : 0;
      const balance = answer === 'coin' ? facts.balance - cost : facts.balance;
      const wanted = {
        quote: { code, method: code > 0 ? 'insufficient' : answer, cost, balance_after: balance },
        reply: { code, ...(code === 0 && { method: answer }), cost, balance, is_vip: IS_VIP[facts.membership] },
        after: standingBy(facts, balance, { coupon: answer === 'coupon' ? 1 : 0, read: 0 }),
        isOwned: code === 0,
      };
      return isDeepStrictEqual(is, wanted) ? null : { tested: nameOf(tested), is, wanted };
    });
    expect(wrong.filter((one) => one !== null)).toEqual([]);
  });
});

describe('the decision of reading', () => {
  it.each([false, true])(
    `is the specification's in all ${readCases.length} cases, and so is what the original costs; read before: %s`,
    async (isCounted) => {
      expect(readCases).toHaveLength(6 * 3 * 4 * 2 * 2);
      const prepared = await prepare(readCases);
      if (isCounted) await recordCounted(prepared);
      const wrong = await inParallel(prepared, 8, async ({ tested, userId, documentId, facts }) => {
        const ctx = money.as(userId);
        const opened = await openForReading(ctx, documentId);
        const original = openOriginal(ctx, { fid: documentId, expect: undefined });
        const is = {
          right: opened.right,
          pages: opened.readablePages,
          reply: await answerOf(original, ['method', 'cost', 'balance']),
          after: await standingOf(userId),
          isOwned: await hasEntitlement(ctx, documentId),
        };

        const right = readingBy({ ...facts, isCounted });
        const answer = originalBy(right, facts);
        const code = Number(answer) || 0;
        const balance = answer === 'coin' ? facts.balance - PRICE : facts.balance;
        const isFirst = !isCounted && facts.reads < LIMITS[facts.membership].reads;
        const wanted = {
          right,
          pages: right === 'owned' || right === 'membership' ? PAGES : PREVIEW,
          reply: {
            code,
            ...(code === 0 && { method: answer }),
            cost: answer === 'coin' || code === 34 ? PRICE : code === 50 ? facts.priceCoins : 0,
            balance,
          },
          after: standingBy(facts, balance, { coupon: 0, read: isFirst ? 1 : 0 }),
          isOwned: ['owned', 'free', 'coin'].includes(answer),
        };
        return isDeepStrictEqual(is, wanted) ? null : { tested: nameOf(tested), is, wanted };
      });
      expect(wrong.filter((one) => one !== null)).toEqual([]);
    },
  );
});

/** Counts the document of each case among the reads of the month, in the place of another one. */
const recordCounted = (prepared: Prepared[]) =>
  money.app.ctx.db
    .insert(memberReads)
    .values(prepared.map(({ userId, documentId }) => ({ userId, documentId, month: '2027-05' })));
