import { expect, it } from 'vitest';
import { decideReading, isReadable } from './rules.ts';

it.each([
  [{ isOwned: true, tier: 0, isOverLimit: true }, 'owned', true],
  [{ isOwned: false, tier: 0, isOverLimit: false }, 'ordinary', false],
  [{ isOwned: false, tier: 1, isOverLimit: false }, 'membership', true],
  [{ isOwned: false, tier: 2, isOverLimit: true }, 'over-limit', false],
] as const)('%j reads as %s', (facts, right, isWhole) => {
  expect(decideReading(facts)).toBe(right);
  expect(isReadable(right)).toBe(isWhole);
});
