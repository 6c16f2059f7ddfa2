/** 0 none, 1 standard, 2 advanced (C-32). */
export type Tier = 0 | 1 | 2;

/** When each membership ends; null: never had one. */
export type Clocks = { standardEndAt: Date | null; advancedEndAt: Date | null };

export const NO_MEMBERSHIP: Clocks = { standardEndAt: null, advancedEndAt: null };

/** The tier at `now` (epoch milliseconds): a membership that ends at this very moment has ended (C-32). */
export function tierAt(clocks: Clocks, now: number): Tier {
  if (clocks.advancedEndAt !== null && clocks.advancedEndAt.getTime() > now) return 2;
  if (clocks.standardEndAt !== null && clocks.standardEndAt.getTime() > now) return 1;
  return 0;
}
