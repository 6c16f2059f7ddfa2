import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHttpNodes, type HttpNodes } from './http-nodes.ts';
import { openRaces } from './races.ts';

// tests/money/run-races.ts runs as many rounds as one likes. Whichever request comes first, the outcome is the same.
let nodes: HttpNodes;
beforeAll(async () => {
  nodes = await openHttpNodes();
});
afterAll(() => nodes.close());

it('two nodes charge once for two clicks, sell the last coins once, and keep the limits of both days at midnight', async () => {
  const races = await openRaces(nodes);
  await races.doubleClicks(40);
  await races.lastCoins(20);
  await races.midnights(6);
  await races.checkBooks();
  expect(races.report).toEqual({ requests: 80 + 40 + 6 * 24, problems: [] });
});
