import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';
import { bytea, time } from '../../platform/db/columns.ts';

/** Invites: the inviter of each invitee. `coins` is null until the reward is decided, and 0 when a limit refused it. */
export const invites = pgTable('invites', {
  inviteeId: bigint('invitee_id', { mode: 'number' }).primaryKey(),
  inviterId: bigint('inviter_id', { mode: 'number' }).notNull(),
  createdAt: time('created_at').notNull(),
  addressIndex: bytea('address_index').notNull(),
  decidedAt: time('decided_at'),
  coins: integer('coins'),
});

/** Keyed hashes of the phones for which a reward was paid. They outlive the invites, which an erased account takes with it. */
export const rewardedPhones = pgTable('rewarded_phones', {
  phoneIndex: bytea('phone_index').primaryKey(),
  rewardedAt: time('rewarded_at').notNull(),
});
