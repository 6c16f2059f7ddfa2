import { expect, it } from 'vitest';
import { tablesOf } from './print.ts';
import { runSearch } from './run-search.ts';

it('measures what needs no installation, and both count the same', async () => {
  const rows = await runSearch({
    documents: 2_000,
    engines: ['ours', 'postgres'],
    rounds: 1,
    stormMs: 50,
    warmUpMs: 100,
  });
  expect(rows.map(({ engine, missing }) => [engine, missing])).toEqual([
    ['ours', null],
    ['PostgreSQL', null],
  ]);
  for (const { measured } of rows) {
    expect(measured).toMatchObject({ wrongTotals: 0, asked: 200 });
    expect(measured?.perSecond).toBeGreaterThan(0);
  }
  expect(tablesOf(rows)).toContain('0 of 200');
}, 180_000);

it('measures whole decks', async () => {
  const rows = await runSearch({
    documents: 200,
    decks: true,
    engines: ['ours', 'groonga'],
    rounds: 1,
    stormMs: 20,
    warmUpMs: 100,
  });
  expect(rows[0]?.measured).toMatchObject({ wrongTotals: null, asked: 380 });
  expect(rows[0]?.measured?.kinds.sentence?.p50).toBeGreaterThan(0);
  expect(rows[0]?.measured?.change?.p50).toBeGreaterThan(0);
}, 180_000);
