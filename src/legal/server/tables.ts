import { bigint, date, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, id, time } from '../../platform/db/columns.ts';
import type { HiddenReason } from '../../library/server/tables.ts';
import type { PrivacyKind, ReportState, Right } from '../rules.ts';

/** Reports of infringement, and what became of their documents. The means of contact are sealed by the vault. */
export const infringementReports = pgTable('infringement_reports', {
  id: id(),
  receiptNo: text('receipt_no').notNull().unique(),
  documentId: bigint('document_id', { mode: 'number' }).notNull(),
  kind: text('kind').$type<Right>().notNull(),
  owner: text('owner').notNull(),
  contactSealed: bytea('contact_sealed').notNull(),
  proof: text('proof').notNull(),
  statement: text('statement').notNull(),
  /** Keyed hash of the address that the report came from; null once it is no longer needed to limit the reports of a day. */
  addressIndex: bytea('address_index'),
  /** The same of the IPv6 network (/48) around the address; null for IPv4. */
  networkIndex: bytea('network_index'),
  state: text('state').$type<ReportState>().notNull().default('received'),
  /** Why the document was hidden before the first report about it was accepted; null where it was shown. */
  hiddenBefore: text('hidden_before').$type<HiddenReason>(),
  reason: text('reason').notNull().default(''),
  counterNotice: text('counter_notice').notNull().default(''),
  /** What the sender did about the counter-notice: a complaint to an authority, or a suit. */
  suit: text('suit').notNull().default(''),
  receivedAt: time('received_at').notNull(),
  decidedAt: time('decided_at'),
  counteredAt: time('countered_at'),
  suedAt: time('sued_at'),
  restoredAt: time('restored_at'),
});

/** Requests about personal data, with the last day of their answer. The means of contact are sealed by the vault. */
export const privacyRequests = pgTable('privacy_requests', {
  id: id(),
  receiptNo: text('receipt_no').notNull().unique(),
  /** The account of a sender who was logged in. */
  userId: bigint('user_id', { mode: 'number' }),
  kind: text('kind').$type<PrivacyKind>().notNull(),
  contactSealed: bytea('contact_sealed').notNull(),
  content: text('content').notNull(),
  /** As in infringement_reports. */
  addressIndex: bytea('address_index'),
  networkIndex: bytea('network_index'),
  /** YYYY-MM-DD in Shanghai. */
  dueOn: date('due_on', { mode: 'string' }).notNull(),
  answer: text('answer').notNull().default(''),
  receivedAt: time('received_at').notNull(),
  answeredAt: time('answered_at'),
});
