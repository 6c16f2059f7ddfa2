import { DAY_MS } from '../protocol/durations.ts';

/** Rewards of one member within 24 hours, of all invitees and of those from one address (C-90: farming). */
export const MAX_REWARDS = 20;
export const MAX_REWARDS_FROM_ADDRESS = 3;
export const REWARD_WINDOW_MS = DAY_MS;

/** Facts that decide a reward, read when the invitee has bound a phone. */
type RewardFacts = {
  inviterState: 'active' | 'banned' | 'erased';
  /** Rewards of the inviter in the last 24 hours. */
  rewards: number;
  rewardsFromAddress: number;
  /** True when a reward was paid for another invitee with the same phone, whose account may be erased since. */
  isPhoneUsed: boolean;
};

/** Returns the coins that the inviter gets: `coins`, or 0 where a limit is reached. */
export function rewardOf(coins: number, facts: RewardFacts): number {
  const { inviterState, rewards, rewardsFromAddress, isPhoneUsed } = facts;
  if (inviterState !== 'active' || isPhoneUsed) return 0;
  return rewards < MAX_REWARDS && rewardsFromAddress < MAX_REWARDS_FROM_ADDRESS ? coins : 0;
}
