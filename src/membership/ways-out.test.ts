import { describe, expect, it } from 'vitest';
import type { PriceItem } from '../prices/contract.ts';
import { waysOut, type Wanted, type WaysOutFacts } from './ways-out.ts';

/** Noon of a Sunday in the middle of a month, in Shanghai. */
const NOON = Date.parse('2026-11-22T12:00:00+08:00');
const MIDNIGHT = Date.parse('2026-11-23T00:00:00+08:00') / 1_000;
const NEXT_MONTH = Date.parse('2026-12-01T00:00:00+08:00') / 1_000;
const DAY = 86_400_000;

const item = (facts: Partial<PriceItem>): PriceItem => ({
  id: 1,
  desc: '',
  price: 1,
  org_price: 1,
  orginal_price: 1,
  kind: 'vip',
  tier: 0,
  days: 0,
  months: 0,
  coins: 0,
  ...facts,
});
const [quarter, year, standardYear] = [
  item({ id: 11, tier: 2, days: 90, price: 98 }),
  item({ id: 12, tier: 2, days: 365, price: 298 }),
  item({ id: 13, tier: 1, days: 365, price: 58 }),
];
const [small, middle, large] = [
  item({ id: 21, kind: 'coin', coins: 100, price: 10 }),
  item({ id: 22, kind: 'coin', coins: 330, price: 30 }),
  item({ id: 23, kind: 'coin', coins: 1_300, price: 100 }),
];
const SOLD = { vip: [year, quarter], miao: [small, middle, large] };

/** `endsIn`: days until the membership ends. */
function factsOf(
  facts: Partial<Omit<WaysOutFacts['standing'], 'standardEndAt' | 'advancedEndAt'>> &
    Partial<WaysOutFacts['document']> & { endsIn?: number },
  now = NOON,
): WaysOutFacts {
  const { tier = 0, endsIn = 100, balance = 0, todayUsed = 0, monthUsed = todayUsed, reads = 0 } = facts;
  const { isOwned = false, priceCoins = 12, isPreviewOnly = false } = facts;
  const end = new Date(now + endsIn * DAY);
  return {
    document: { isOwned, priceCoins, isPreviewOnly },
    standing: {
      tier,
      balance,
      todayUsed,
      monthUsed,
      reads,
      standardEndAt: tier === 1 ? end : null,
      advancedEndAt: tier === 2 ? end : null,
    },
  };
}

/** Returns the caller's ways out: missing coins, id and number of the pack, id of the plan, return of the quota, way to download. */
const told = (wanted: Wanted, facts: WaysOutFacts, sold = SOLD, now = NOON) => {
  const ways = waysOut(wanted, facts, sold, now);
  return [ways.missing, ways.pack?.id ?? 0, ways.pack_count, ways.vip?.id ?? 0, ways.free_at, ways.download];
};

describe('the ways to a chart', () => {
  const standard = item({ id: 14, tier: 1, days: 30, price: 8 });
  it.each<[string, Parameters<typeof factsOf>[0], number]>([
    ['an advanced plan for an ordinary user', { balance: 3 }, 11],
    ['an advanced plan for a standard member', { tier: 1, endsIn: 5 }, 11],
    ['an advanced plan for an owner of the document', { isOwned: true }, 11],
    ['nothing for an advanced member', { tier: 2 }, 0],
  ])('%s, no coins, and no quota that returns', (_, facts, plan) => {
    const sold = { ...SOLD, vip: [standard, ...SOLD.vip] };
    expect(told('chart', factsOf(facts), sold).slice(0, -1)).toEqual([0, 0, 0, plan, 0]);
    expect(waysOut('chart', factsOf(facts), sold, NOON).cost).toBe(0);
  });
});

describe('the ways out of a refused download', () => {
  it.each<[string, Parameters<typeof factsOf>[0], (number | string)[]]>([
    ['nothing for an owner', { isOwned: true }, [0, 0, 0, 0, 0, 'owned']],
    ['nothing where it is free', { priceCoins: 0 }, [0, 0, 0, 0, 0, 'free']],
    ['nothing for a member with coupons', { tier: 1, balance: 12 }, [0, 0, 0, 0, 0, 'coupon']],
    ['the plan beside the coins that suffice', { balance: 12 }, [0, 0, 0, 11, 0, 'coin']],
    ['all coins', {}, [12, 21, 1, 11, 0, 'insufficient']],
    ['the last coin', { balance: 11 }, [1, 21, 1, 11, 0, 'insufficient']],
    ['a pack that covers exactly', { priceCoins: 103, balance: 3 }, [100, 21, 1, 11, 0, 'insufficient']],
    ['the next pack', { priceCoins: 104, balance: 3 }, [101, 22, 1, 11, 0, 'insufficient']],
    ['the largest pack', { priceCoins: 331 }, [331, 23, 1, 11, 0, 'insufficient']],
    ['several packs, of the kind that is cheapest', { priceCoins: 1_301 }, [1_301, 22, 4, 11, 0, 'insufficient']],
    ['many packs', { priceCoins: 10_000 }, [10_000, 23, 8, 11, 0, 'insufficient']],
    ['midnight, for a standard member', { tier: 1, todayUsed: 20 }, [12, 21, 1, 0, MIDNIGHT, 'insufficient']],
    ['midnight, for an advanced member', { tier: 2, todayUsed: 20 }, [12, 21, 1, 0, MIDNIGHT, 'insufficient']],
    ['midnight beside the coins that suffice', { tier: 2, todayUsed: 20, balance: 12 }, [0, 0, 0, 0, MIDNIGHT, 'coin']],
    [
      'the higher tier and the next month',
      { tier: 1, todayUsed: 3, monthUsed: 300 },
      [12, 21, 1, 11, NEXT_MONTH, 'insufficient'],
    ],
    [
      'the next month alone, where the day is used up as well',
      { tier: 1, todayUsed: 20, monthUsed: 300 },
      [12, 21, 1, 0, NEXT_MONTH, 'insufficient'],
    ],
    [
      'the next month, for an advanced member',
      { tier: 2, todayUsed: 3, monthUsed: 600 },
      [12, 21, 1, 0, NEXT_MONTH, 'insufficient'],
    ],
    [
      'no quota that returns after the membership',
      { tier: 2, todayUsed: 20, endsIn: 0.4 },
      [12, 21, 1, 0, 0, 'insufficient'],
    ],
    [
      'no quota that returns as the membership ends',
      { tier: 2, todayUsed: 20, endsIn: 0.5 },
      [12, 21, 1, 0, 0, 'insufficient'],
    ],
    [
      'no month that begins after the membership',
      { tier: 1, monthUsed: 300, endsIn: 8 },
      [12, 21, 1, 11, 0, 'insufficient'],
    ],
    ['the plan, after a membership has ended', { endsIn: -1, todayUsed: 3 }, [12, 21, 1, 11, 0, 'insufficient']],
    [
      'no plan that would not help today, after a membership has ended',
      { endsIn: -1, todayUsed: 20 },
      [12, 21, 1, 0, 0, 'insufficient'],
    ],
  ])('%s', (_name, facts, expected) => {
    expect(told('download', factsOf(facts))).toEqual(expected);
  });

  it('name the plan that helps and not a cheaper one that does not', () => {
    const sold = { ...SOLD, vip: [standardYear, quarter] };
    expect(told('download', factsOf({}), sold)[3]).toBe(13);
    expect(told('download', factsOf({ tier: 1, monthUsed: 300 }), sold)[3]).toBe(11);
    // The advanced tier goes on while more of the standard tier is bought.
    expect(told('download', factsOf({ tier: 2, monthUsed: 600 }), sold)[3]).toBe(0);
    expect(told('download', factsOf({ tier: 2, monthUsed: 599, todayUsed: 20 }), sold)[3]).toBe(0);
  });

  it('name no pack and no plan where none is on sale', () => {
    expect(told('download', factsOf({}), { vip: [], miao: [] })).toEqual([12, 0, 0, 0, 0, 'insufficient']);
  });

  it('follow the price, not the size of a pack', () => {
    const bargain = item({ id: 24, coins: 500, price: 9 });
    expect(told('download', factsOf({}), { ...SOLD, miao: [small, bargain] })[1]).toBe(24);
  });

  it.each([
    ['at the last second of a day', '2026-11-22T23:59:59.999+08:00', '2026-11-23 00:00'],
    ['at midnight', '2026-11-23T00:00:00+08:00', '2026-11-24 00:00'],
    ['while it is still the day before in Europe', '2026-11-23T03:00:00+08:00', '2026-11-24 00:00'],
    ['on the last day of a month', '2026-11-30T12:00:00+08:00', '2026-12-01 00:00'],
    ['on the last day of a year', '2026-12-31T23:00:00+08:00', '2027-01-01 00:00'],
    ['on 28 February', '2027-02-28T12:00:00+08:00', '2027-03-01 00:00'],
    ['on 28 February of a leap year', '2028-02-28T12:00:00+08:00', '2028-02-29 00:00'],
  ])('the coupons of the day return at midnight in Shanghai: %s', (_when, at, text) => {
    const now = Date.parse(at);
    const ways = waysOut('download', factsOf({ tier: 2, todayUsed: 20 }, now), SOLD, now);
    expect(ways.free_at_text).toBe(text);
    expect(ways.free_at * 1_000).toBe(Date.parse(`${text.replace(' ', 'T')}:00+08:00`));
  });

  it('a month that begins tomorrow brings back the coupons of the month with those of the day', () => {
    const now = Date.parse('2026-11-30T12:00:00+08:00');
    const ways = waysOut('download', factsOf({ tier: 1, todayUsed: 20, monthUsed: 300 }, now), SOLD, now);
    expect(ways.free_at_text).toBe('2026-12-01 00:00');
  });
});

describe('the ways to the pages after the preview', () => {
  it.each<[string, Parameters<typeof factsOf>[0], (number | string)[]]>([
    ['a plan or coins, for an ordinary user', {}, [12, 21, 1, 11, 0, 'insufficient']],
    ['a download, for an ordinary user with coins', { balance: 20 }, [0, 0, 0, 11, 0, 'coin']],
    ['a free download, for an ordinary user', { priceCoins: 0 }, [0, 0, 0, 11, 0, 'free']],
    ['a plan alone, where nothing is downloaded', { isPreviewOnly: true }, [0, 0, 0, 11, 0, 'unavailable']],
    [
      'the higher tier, a coupon, the next month',
      { tier: 1, reads: 1_500, balance: 3 },
      [9, 21, 1, 11, NEXT_MONTH, 'coupon'],
    ],
    ['a coupon and the next month', { tier: 2, reads: 3_000 }, [12, 21, 1, 0, NEXT_MONTH, 'coupon']],
    [
      'no plan for a standard member who has read more as an advanced one',
      { tier: 1, reads: 3_000 },
      [12, 21, 1, 0, NEXT_MONTH, 'coupon'],
    ],
    [
      'coins, where the coupons are used up as well',
      { tier: 2, reads: 3_000, todayUsed: 20 },
      [12, 21, 1, 0, NEXT_MONTH, 'insufficient'],
    ],
    ['no month that begins after the membership', { tier: 2, reads: 3_000, endsIn: 8 }, [12, 21, 1, 0, 0, 'coupon']],
    ['nothing for an owner', { isOwned: true, tier: 2, reads: 3_000 }, [0, 0, 0, 0, 0, 'owned']],
  ])('%s', (_name, facts, expected) => {
    expect(told('reading', factsOf(facts))).toEqual(expected);
  });
});

it('the facts of the user are those of the answer, not of the page', () => {
  expect(waysOut('download', factsOf({ tier: 2, balance: 7, todayUsed: 20 }), SOLD, NOON)).toMatchObject({
    is_vip: 2,
    balance: 7,
    cost: 12,
    missing: 5,
  });
});
