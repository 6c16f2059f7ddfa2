import { expect, it } from 'vitest';
import type { PriceItem } from '../../../prices/contract.ts';
import type { Member } from '../../contract.ts';
import { offeredPlans } from './plan-offers.tsx';

// Safe: only the tier of an item is read.
const PLANS = [{ tier: 1 }, { tier: 2 }] as PriceItem[];
const NOW = Date.parse('2026-11-23T12:00:00+08:00') / 1_000;
const LIFE = 36_500;

/** Returns a member with the days that are left of each tier. */
function member(standard: number, advanced: number): Member {
  const endOf = (days: number) => (days > 0 ? NOW + days * 86_400 : 0);
  const dayOf = (days: number) => (days > 0 ? new Date(endOf(days) * 1_000).toISOString().slice(0, 10) : '');
  const read = {
    is_vip: advanced > 0 ? 2 : standard > 0 ? 1 : 0,
    unlock_end_time: endOf(standard),
    unlock_end_time_text: dayOf(standard),
    advanced_end_time: endOf(advanced),
    advanced_end_time_text: dayOf(advanced),
    vip_last_day: Math.max(standard, advanced),
  };
  // Safe: the offers read no other field.
  return read as Member;
}

it.each([
  ['a user who is no member', member(0, 0), [1, 2]],
  ['a standard member', member(30, 0), [1, 2]],
  ['an advanced member', member(0, 30), [2]],
  ['a standard member for life', member(LIFE, 0), [2]],
  ['an advanced member who is a standard member for life afterwards', member(LIFE, 30), [2]],
  ['an advanced member for life', member(30, LIFE), []],
] as const)('%s is offered what extends or raises the membership', (_who, who, tiers) => {
  expect(offeredPlans(PLANS, who).map(({ tier }) => tier)).toEqual(tiers);
  expect(offeredPlans(null, who)).toEqual([]);
});
