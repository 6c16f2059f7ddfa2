// Sequences of calls in the product and in a model of the specification, until one differs. Run:
// npx node tests/money/run-model.ts [--sequences 10000] [--seed 1] [--lanes 4]
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { verifyLedger } from '../../src/membership/server/verify-ledger.ts';
import { openScratchDatabase } from '../scratch-database.ts';
import { openComparison, type Comparison } from './compare.ts';
import { openMoneyApp, type MoneyApp } from './money-app.ts';
import { sequences } from './sequences.ts';

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '4' },
  },
});
const SEQUENCES = Number(values.sequences);
const LANES = Number(values.lanes);
const SEED = Number(values.seed);

const scratch = await openScratchDatabase();
const startedAt = Date.now();
let operations = 0;
let done = 0;
try {
  // The lanes share nothing but the database: each has documents, users and a clock of its own.
  const opened: { money: MoneyApp; comparison: Comparison }[] = [];
  for (let lane = 0; lane < LANES; lane += 1) {
    const money = await openMoneyApp(scratch.database);
    opened.push({ money, comparison: await openComparison(money) });
  }
  const lanes = await Promise.all(opened.map(({ comparison }, lane) => runLane(comparison, lane)));
  await Promise.all(opened.map(({ money }) => money.close()));
  const money = await openMoneyApp(scratch.database);
  const { violations } = await verifyLedger(money.app.ctx);
  await money.close();
  const divergences = lanes.filter((lane) => lane.failed);
  console.log(
    JSON.stringify({
      suite: 'money-model',
      seed: SEED,
      sequences: lanes.reduce((sum, lane) => sum + lane.numRuns, 0),
      ops: operations,
      seconds: Math.round((Date.now() - startedAt) / 1000),
      divergences: divergences.length,
      violations: violations.length,
      problems: [
        ...divergences.map(({ seed, counterexample, errorInstance }) => ({
          seed,
          counterexample,
          error: String(errorInstance),
        })),
        ...violations.slice(0, 20),
      ],
    }),
  );
  process.exitCode = divergences.length + violations.length > 0 ? 1 : 0;
} finally {
  await scratch.close();
}

function runLane(comparison: Comparison, lane: number) {
  return fc.check(
    fc.asyncProperty(sequences, async (sequence) => {
      await comparison.run(sequence);
      operations += sequence.operations.length;
      if ((done += 1) % 500 === 0) console.error(`${done} sequences, ${Math.round((Date.now() - startedAt) / 1000)} s`);
    }),
    { numRuns: Math.ceil(SEQUENCES / LANES), seed: SEED + lane },
  );
}
