import { bigint, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

/** One row a month for each user and document whose pages were shown (C-40). */
export const reads = pgTable(
  'reads',
  {
    userId: bigint('user_id', { mode: 'number' }).notNull(),
    documentId: bigint('document_id', { mode: 'number' }).notNull(),
    /** Shanghai calendar month, YYYY-MM. */
    month: text('month').notNull(),
    firstReadAt: time('first_read_at').notNull(),
    /** Time of the last read, to the minute; history is sorted by it (C-84). */
    lastReadAt: time('last_read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.documentId, table.month] })],
);

/** The page that a user read last in each document (C-85). */
export const readingPositions = pgTable(
  'reading_positions',
  {
    userId: bigint('user_id', { mode: 'number' }).notNull(),
    documentId: bigint('document_id', { mode: 'number' }).notNull(),
    page: integer('page').notNull(),
    readAt: time('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.documentId] })],
);
