import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../test-app.ts';
import { measureRelevance, openLibrary, summarize, type Measured } from './ask-library.ts';
import { measureAutomatic, PAIRS, type AutomaticFigures } from './automatic-queries.ts';
import { FIGURES, figuresOf } from './figures.ts';
import floors from './floors.json' with { type: 'json' };

let app: TestApp;
let measured: Measured[];
let automatic: AutomaticFigures;

beforeAll(async () => {
  app = await openTestApp({ hasEngine: true });
  const library = await openLibrary(app);
  measured = await measureRelevance(library);
  automatic = await measureAutomatic(library, measured, PAIRS);
});
afterAll(() => app.close());

/** Sets of which only the whole has a floor. */
const WHOLE_SETS = ['sentences', 'held-out', 'blind'] as const;

it('is a set of at least 200 queries, one of 80 sentences, a held-out one of 80 and a blind one of 150, each asked once in its set, with a floor for every class', () => {
  const queries = measured.map(({ set, query }) => `${set}: ${query}`);
  expect(queries).toEqual([...new Set(queries)]);
  expect(measured.filter(({ set }) => set === 'queries').length).toBeGreaterThanOrEqual(200);
  expect(measured.filter(({ set }) => set === 'sentences').length).toBeGreaterThanOrEqual(80);
  expect(measured.filter(({ set }) => set === 'held-out').length).toBeGreaterThanOrEqual(80);
  expect(measured.filter(({ set }) => set === 'blind').length).toBeGreaterThanOrEqual(150);
  expect(Object.keys(floors).sort()).toEqual([...summarize(measured, 'queries').keys(), ...WHOLE_SETS].sort());
});

it.each(Object.entries(floors))('answers no worse than it did: %s', (name, floor) => {
  const figures = summarize(measured, WHOLE_SETS.find((set) => set === name) ?? 'queries').get(
    WHOLE_SETS.some((set) => set === name) ? 'overall' : name,
  );
  for (const key of FIGURES) {
    const message = `${key} of "${name}" fell. Mend the cause (node tests/relevance/measure.ts --worst 20); a floor may be lowered in tests/relevance/floors.json only in a commit that says so and why`;
    expect(figures?.[key], message).toBeGreaterThanOrEqual(floor[key]);
  }
});

it('finds the one deck that holds a label and a word of its pages, first', () => {
  expect(automatic.pairs).toBe(PAIRS);
  expect(automatic.misses).toEqual([]);
});

it('answers a subject with a tail (活动策划方案模板) as well as the subject alone', () => {
  const [alone = 0, ...withTails] = automatic.ndcg;
  expect(automatic.heads).toBeGreaterThanOrEqual(100);
  for (const ndcg of withTails) expect(ndcg).toBeGreaterThanOrEqual(alone - 0.01);
});

it('stays empty where the library has nothing', () => {
  const honest = measured.filter(({ grades, found }) => grades.size === 0 && found.length === 0);
  expect(honest.length).toBeGreaterThanOrEqual(15);
});

it('measures an order as the textbooks do', () => {
  const judged = { query: '', class: '', grades: new Map(Object.entries({ best: 3, good: 2, related: 1 })) };
  expect(figuresOf(judged, ['best', 'good', 'related'])).toEqual({ ndcg: 1, recall: 1, mrr: 1 });
  expect(figuresOf(judged, [])).toEqual({ ndcg: 0, recall: 0, mrr: 0 });
  const { ndcg, recall, mrr } = figuresOf(judged, ['other', 'best']);
  expect([recall, mrr]).toEqual([0.5, 0.5]);
  expect(ndcg).toBeCloseTo(7 / Math.log2(3) / (7 + 3 / Math.log2(3) + 1 / 2));
});
