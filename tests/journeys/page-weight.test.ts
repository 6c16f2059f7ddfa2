import { expect, it, test } from 'vitest';
import { ANY_PAGE, PAGE_BUDGET } from './page-budget.ts';
import { pageIds, weighPage } from './weigh-build.ts';

const KILOBYTE = 1_000;

test.each(PAGE_BUDGET)('$page stays within its budget', ({ route, dialogs, ...budget }) => {
  const { scripts, styles } = weighPage(route, dialogs);
  expect(scripts / KILOBYTE).toBeLessThanOrEqual(budget.scripts);
  expect(styles / KILOBYTE).toBeLessThanOrEqual(budget.styles);
});

it('no other page weighs more than the limit for all', () => {
  const known = new Set(PAGE_BUDGET.map(({ route }) => route));
  const heavy = pageIds()
    .filter((id) => !known.has(id))
    .map((id) => ({ id, ...weighPage(id) }))
    .filter(({ scripts, styles }) => scripts > ANY_PAGE.scripts * KILOBYTE || styles > ANY_PAGE.styles * KILOBYTE);
  expect(heavy).toEqual([]);
});
