import { expect, it } from 'vitest';
import { workingDayAfter, workingDaysLeft } from './working-days.ts';

it.each([
  // A week without holidays, begun on a Monday.
  ['2026-11-23', 15, '2026-12-14'],
  // A Saturday counts like the Sunday after it.
  ['2026-11-21', 1, '2026-11-23'],
  // 25 September (中秋) and 1 to 7 October (国庆) are free, Saturday 10 October is worked.
  ['2026-09-21', 15, '2026-10-19'],
  // A year that nobody has announced: weekends alone are free.
  ['2099-03-02', 5, '2099-03-09'],
])('%s and %i working days are %s', (day, count, then) => {
  expect(workingDayAfter(day, count)).toBe(then);
});

it.each([
  ['2026-11-23', '2026-12-14', 15],
  ['2026-09-21', '2026-10-19', 15],
  // Friday: Monday is the one day left. The weekend before a day is none.
  ['2026-11-20', '2026-11-23', 1],
  ['2026-11-21', '2026-11-23', 1],
  ['2026-11-23', '2026-11-23', 0],
  ['2026-11-24', '2026-11-23', 0],
])('on %s, until %s, %i working days are left', (today, day, left) => {
  expect(workingDaysLeft(today, day)).toBe(left);
});
