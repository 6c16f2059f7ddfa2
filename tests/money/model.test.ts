import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyLedger } from '../../src/membership/server/verify-ledger.ts';
import { Divergence, openComparison } from './compare.ts';
import { openMoneyApp, type MoneyApp } from './money-app.ts';
import { MUTANTS } from './mutants.ts';
import { sequences } from './sequences.ts';

// tests/money/run-model.ts runs as many sequences as one likes.
const SEQUENCES = 200;
const SEED = 20_261_122;

let money: MoneyApp;
beforeAll(async () => {
  money = await openMoneyApp();
});
afterAll(() => money.close());

it(`${SEQUENCES} sequences of calls end as they do in a model of the specification`, async () => {
  const comparison = await openComparison(money);
  await fc.assert(
    fc.asyncProperty(sequences, (sequence) => comparison.run(sequence)),
    { numRuns: SEQUENCES, seed: SEED },
  );
  expect((await verifyLedger(money.app.ctx)).violations).toEqual([]);
});

it.each(MUTANTS)('finds $name', async ({ verbs, breaks }) => {
  const own = await openMoneyApp();
  try {
    const comparison = await openComparison(own, verbs);
    const found = await fc.check(
      fc.asyncProperty(sequences, (sequence) => comparison.run(sequence)),
      { numRuns: 3 * SEQUENCES, seed: SEED, endOnFailure: true },
    );
    expect(found.errorInstance).toBeInstanceOf(Divergence);
    const broken = (await verifyLedger(own.app.ctx)).violations.map(({ rule }) => rule);
    expect([...new Set(broken)]).toEqual(breaks);
  } finally {
    await own.close();
  }
});
