import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../test-app.ts';
import { measureRelevance, summarize, type Measured } from './ask-library.ts';
import { FIGURES, figuresOf } from './figures.ts';
import floors from './floors.json' with { type: 'json' };

let app: TestApp;
let measured: Measured[];

beforeAll(async () => {
  app = await openTestApp({ hasEngine: true });
  measured = await measureRelevance(app);
});
afterAll(() => app.close());

it('is a set of at least 200 queries, one of 80 sentences and a held-out one of 80, each asked once, with a floor for every class', () => {
  const queries = measured.map(({ query }) => query);
  expect(queries).toEqual([...new Set(queries)]);
  expect(measured.filter(({ set }) => set === 'queries').length).toBeGreaterThanOrEqual(200);
  expect(measured.filter(({ set }) => set === 'sentences').length).toBeGreaterThanOrEqual(80);
  expect(measured.filter(({ set }) => set === 'held-out').length).toBeGreaterThanOrEqual(80);
  expect(Object.keys(floors).sort()).toEqual(
    [...summarize(measured, 'queries').keys(), 'sentences', 'held-out'].sort(),
  );
});

it.each(Object.entries(floors))('answers no worse than it did: %s', (name, floor) => {
  const figures =
    name === 'held-out' || name === 'sentences'
      ? summarize(measured, name).get('overall')
      : summarize(measured, 'queries').get(name);
  for (const key of FIGURES) {
    const message = `${key} of "${name}" fell. Mend the cause (node tests/relevance/measure.ts --worst 20); a floor may be lowered in tests/relevance/floors.json only in a commit that says so and why`;
    expect(figures?.[key], message).toBeGreaterThanOrEqual(floor[key]);
  }
});

it('measures an order as the textbooks do', () => {
  const judged = { query: '', class: '', grades: new Map(Object.entries({ best: 3, good: 2, related: 1 })) };
  expect(figuresOf(judged, ['best', 'good', 'related'])).toEqual({ ndcg: 1, recall: 1, mrr: 1 });
  expect(figuresOf(judged, [])).toEqual({ ndcg: 0, recall: 0, mrr: 0 });
  const { ndcg, recall, mrr } = figuresOf(judged, ['other', 'best']);
  expect([recall, mrr]).toEqual([0.5, 0.5]);
  expect(ndcg).toBeCloseTo(7 / Math.log2(3) / (7 + 3 / Math.log2(3) + 1 / 2));
});
