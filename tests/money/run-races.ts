// Requests that come at the same moment to two nodes over one database, over HTTP. Run:
// npx node tests/money/run-races.ts [--pairs 10000] [--last-coins 1000] [--midnights 1000]
import { parseArgs } from 'node:util';
import { openScratchDatabase } from '../scratch-database.ts';
import { openHttpNodes } from './http-nodes.ts';
import { openRaces } from './races.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10000' },
    'last-coins': { type: 'string', default: '1000' },
    midnights: { type: 'string', default: '1000' },
  },
});
const pairs = Number(values.pairs);
const lastCoins = Number(values['last-coins']);
const midnights = Number(values.midnights);

const scratch = await openScratchDatabase();
const startedAt = Date.now();
try {
  const nodes = await openHttpNodes(scratch.database);
  try {
    const races = await openRaces(nodes);
    await races.doubleClicks(pairs);
    console.error(`double clicks: ${Date.now() - startedAt} ms`);
    await races.lastCoins(lastCoins);
    console.error(`last coins: ${Date.now() - startedAt} ms`);
    await races.midnights(midnights);
    await races.checkBooks();
    const { requests, problems } = races.report;
    console.log(
      JSON.stringify({
        suite: 'money-races',
        double_clicks: pairs,
        last_coins: lastCoins,
        midnights,
        requests,
        seconds: Math.round((Date.now() - startedAt) / 1000),
        violations: problems.length,
        problems: problems.slice(0, 20),
      }),
    );
    process.exitCode = problems.length > 0 ? 1 : 0;
  } finally {
    await nodes.close();
  }
} finally {
  await scratch.close();
}
