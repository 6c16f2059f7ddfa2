import type { ReadingRight, Tier } from '../membership/rules.ts';

/** Decides how a member may read a whole document (C-40, C-41). */
export function decideReading(facts: { isOwned: boolean; tier: Tier; isOverLimit: boolean }): ReadingRight {
  if (facts.isOwned) return 'owned';
  if (facts.tier === 0) return 'ordinary';
  return facts.isOverLimit ? 'over-limit' : 'membership';
}

export const isReadable = (right: ReadingRight): right is 'owned' | 'membership' =>
  right === 'owned' || right === 'membership';
