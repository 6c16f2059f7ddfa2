import { expect, it } from 'vitest';
import { createRandom } from '../../../../demo/random.ts';
import { createBestOffers } from './best-offers.ts';

it.each([1, 2, 7, 300])('keeps the best %i of offers in any order, the larger number of equal keys', (limit) => {
  const random = createRandom(limit);
  for (let round = 0; round < 50; round++) {
    const offers = Array.from({ length: random.int(5 * limit) }, (_, number) => ({ key: random.int(9), number }));
    const best = createBestOffers(limit);
    for (const { key, number } of offers) if (key >= best.floor()) best.offer(key, number);
    const wanted = offers.toSorted((a, b) => b.key - a.key || b.number - a.number).slice(0, limit);
    const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
    expect(ascending(best.best().map(({ number }) => number))).toEqual(ascending(wanted.map(({ number }) => number)));
    expect(best.floor()).toBeLessThanOrEqual(offers.length < limit ? -Infinity : (wanted.at(-1)?.key ?? 0));
  }
});
