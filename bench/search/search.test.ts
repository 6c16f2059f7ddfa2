import { expect, it } from 'vitest';
import { tablesOf } from './print.ts';
import { runSearch } from './run-search.ts';

it('measures what needs no installation, and both count the same', async () => {
  const rows = await runSearch({ documents: 2_000, engines: ['ours', 'postgres'], rounds: 1, stormMs: 50 });
  expect(rows.map(({ engine, missing }) => [engine, missing])).toEqual([
    ['ours', null],
    ['PostgreSQL', null],
  ]);
  for (const { measured } of rows) {
    expect(measured).toMatchObject({ wrongTotals: 0, asked: 200 });
    expect(measured?.perSecond).toBeGreaterThan(0);
  }
  expect(tablesOf(rows)).toContain('0 of 200');
}, 60_000);
