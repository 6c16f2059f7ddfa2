import fc from 'fast-check';

/** One thing that happens. Documents are numbers from 0; a second document is asked for at the same moment. */
export type Operation =
  | { does: 'wait'; until: Moment }
  | { does: 'grant-coins'; coins: number; ref: Ref }
  | { does: 'grant-membership'; tier: 1 | 2; days: number; ref: Ref }
  | { does: 'use-up'; quota: 'day' | 'month' | 'reads'; left: number }
  | { does: 'set-price'; document: number; priceCoins: number }
  | { does: 'set-state'; document: number; state: 'published' | 'hidden' | 'taken-down' }
  | { does: 'quote'; document: number }
  | { does: 'download' | 'original'; document: number; and: number | null; agreesTo: Agreement }
  | { does: 'read'; document: number; and: number | null };

export type Moment =
  | 'a minute'
  | 'an hour'
  | 'a day'
  | 'ten days'
  | 'before midnight'
  | 'midnight'
  | 'before the month'
  | 'the month'
  | 'before the membership ends'
  | 'the membership ends';

/** `new`: a reference of its own; `again`: the last one with the same content; `other`: the last one with other content. */
export type Ref = 'new' | 'again' | 'other';
/** The charge that a call says it agrees to: `anything` names none, `quoted` names that of the last quote, `other` another amount. */
export type Agreement = 'anything' | 'quoted' | 'other';

export type Sequence = { startsAt: string; operations: Operation[] };

export const PRICES = [0, 1, 5, 5, 8];

/** Shanghai time. Ends of months of every length leave days enough to have used up a month, 20 coupons a day. */
const STARTS = [
  '2027-01-31T23:59:59.500+08:00',
  '2027-02-28T23:50:00+08:00',
  '2028-02-29T12:00:00+08:00',
  '2027-04-30T07:59:59.999+08:00',
  '2027-12-31T15:59:59.999+08:00',
  '2027-06-16T10:00:00+08:00',
];

const document = fc.nat(PRICES.length - 1);
const and = fc.option(document, { freq: 2 });
const ref = fc.constantFrom<Ref>('new', 'new', 'new', 'again', 'other');
const agreesTo = fc.constantFrom<Agreement>('anything', 'anything', 'quoted', 'other');
const until = fc.constantFrom<Moment>(
  'a minute',
  'an hour',
  'a day',
  'ten days',
  'before midnight',
  'midnight',
  'before the month',
  'the month',
  'before the membership ends',
  'the membership ends',
);
const days = fc.constantFrom(1, 1, 30, 365, 36_500);
const tier = fc.constantFrom<1 | 2>(1, 2);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: fc.constant('download' as const), document, and, agreesTo }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('read' as const), document, and }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('original' as const), document, and, agreesTo }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('wait' as const), until }) },
  // A negative grant takes coins back, as far as there are any.
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('grant-coins' as const),
      coins: fc.constantFrom(1, 4, 5, 8, 9, 13, -3),
      ref,
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('grant-membership' as const), tier, days, ref }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('use-up' as const),
      quota: fc.constantFrom<'day' | 'month' | 'reads'>('day', 'day', 'month', 'reads'),
      left: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('quote' as const), document }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('set-price' as const),
      document,
      priceCoins: fc.constantFrom(0, 4, 5, 9),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('set-state' as const),
      document,
      state: fc.constantFrom<'published' | 'hidden' | 'taken-down'>('published', 'published', 'hidden', 'taken-down'),
    }),
  },
);

const startsAt = fc.constantFrom(...STARTS);

/** Anything, in any order. */
const wanderings: fc.Arbitrary<Sequence> = fc.record({
  startsAt,
  operations: fc.array(operation, { minLength: 3, maxLength: 14, size: 'max' }),
});

/** The last coins, coupons or reads, and two documents that are wanted at the same moment. */
const lastOnes: fc.Arbitrary<Sequence> = fc
  .record({
    startsAt,
    means: fc.constantFrom<Operation[]>(
      [{ does: 'grant-coins', coins: 5, ref: 'new' }],
      [{ does: 'grant-coins', coins: 9, ref: 'new' }],
      ...(['day', 'month', 'reads'] as const).flatMap((quota) =>
        ([1, 2] as const).map((membership): Operation[] => [
          { does: 'grant-membership', tier: membership, days: 30, ref: 'new' },
          { does: 'use-up', quota, left: 1 },
        ]),
      ),
    ),
    wanted: fc.array(
      fc.record({
        does: fc.constantFrom('download' as const, 'read' as const, 'original' as const),
        document,
        and: document,
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ startsAt, means, wanted }) => ({
    startsAt,
    operations: [...means, ...wanted.map((pair): Operation => ({ ...pair, agreesTo: 'anything' }))],
  }));

export const sequences: fc.Arbitrary<Sequence> = fc.oneof(
  { weight: 2, arbitrary: wanderings },
  { weight: 1, arbitrary: lastOnes },
);
