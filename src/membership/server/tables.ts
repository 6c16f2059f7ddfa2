import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../platform/db/columns.ts';

const userId = () => bigint('user_id', { mode: 'number' }).notNull();

/** The cached balance of a user; account 0 is the house, the other side of every entry. */
export const coinAccounts = pgTable('coin_accounts', {
  userId: bigint('user_id', { mode: 'number' }).primaryKey(),
  balance: bigint('balance', { mode: 'number' }).notNull().default(0),
});

export type LedgerKind = 'grant' | 'topup' | 'invite' | 'download' | 'reversal';

/** Append-only (a trigger refuses anything else); unique by (kind, ref, user). Read by the store of invites. */
export const ledgerEntries = pgTable('ledger_entries', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  txnId: uuid('txn_id').notNull(),
  userId: userId(),
  amount: bigint('amount', { mode: 'number' }).notNull(),
  kind: text('kind').$type<LedgerKind>().notNull(),
  ref: text('ref').notNull(),
  note: text('note').notNull().default(''),
  createdAt: time('created_at').notNull().defaultNow(),
});

/** The two clocks of C-32. A user without a row never was a member. */
export const memberships = pgTable('memberships', {
  userId: bigint('user_id', { mode: 'number' }).primaryKey(),
  standardEndAt: time('standard_end_at'),
  advancedEndAt: time('advanced_end_at'),
});

/** Unique by (kind, ref). A grant with `revokedAt` was taken back and counts no more. */
export const membershipGrants = pgTable('membership_grants', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: userId(),
  tier: integer('tier').$type<1 | 2>().notNull(),
  days: integer('days').notNull(),
  kind: text('kind').$type<'operator' | 'order'>().notNull(),
  ref: text('ref').notNull(),
  reason: text('reason').notNull().default(''),
  createdAt: time('created_at').notNull().defaultNow(),
  revokedAt: time('revoked_at'),
});

type EntitlementMethod = 'free' | 'coupon' | 'coin';

export const entitlements = pgTable(
  'entitlements',
  {
    userId: userId(),
    documentId: bigint('document_id', { mode: 'number' }).notNull(),
    method: text('method').$type<EntitlementMethod>().notNull(),
    coins: integer('coins').notNull().default(0),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.documentId] })],
);

/** The documents that a member has read in a Shanghai month (YYYY-MM): what the quota `read-month` counts (C-40). */
export const memberReads = pgTable(
  'member_reads',
  {
    userId: userId(),
    documentId: bigint('document_id', { mode: 'number' }).notNull(),
    month: text('month').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.documentId, table.month] })],
);

export const quotaUses = pgTable(
  'quota_uses',
  {
    userId: userId(),
    kind: text('kind').$type<'coupon-day' | 'download-month' | 'read-month'>().notNull(),
    period: text('period').notNull(),
    used: integer('used').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind, table.period] })],
);
