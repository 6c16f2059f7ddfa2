import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, time } from '../../platform/db/columns.ts';

const userId = () => bigint('user_id', { mode: 'number' }).notNull();

/** Folders of favourites. `parentId` is null at the top. */
export const shelfFolders = pgTable('shelf_folders', {
  id: id(),
  userId: userId(),
  parentId: bigint('parent_id', { mode: 'number' }),
  name: text('name').notNull(),
  createdAt: time('created_at').notNull(),
});

/**
 * Documents and charts that users keep, each once a user (unique keys). Exactly one of `documentId` and `chartId` is set. Read by the store of
 * ranking.
 */
export const favorites = pgTable('favorites', {
  /** Rises with time: lists are sorted by it. */
  id: id(),
  userId: userId(),
  documentId: bigint('document_id', { mode: 'number' }),
  chartId: bigint('chart_id', { mode: 'number' }),
  /** Null at the top. */
  folderId: bigint('folder_id', { mode: 'number' }),
  /** Note of the user, which a shortlist shows beside the document. */
  note: text('note').notNull().default(''),
  createdAt: time('created_at').notNull(),
});

/** Links that show a folder to people without an account. */
export const shortlists = pgTable('shortlists', {
  id: id(),
  userId: userId(),
  /** Null after the folder was deleted. */
  folderId: bigint('folder_id', { mode: 'number' }),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
  revokedAt: time('revoked_at'),
});

/** One row a month for each user and document whose pages were shown (C-40). Read by the store of ranking. */
export const reads = pgTable(
  'reads',
  {
    userId: userId(),
    documentId: bigint('document_id', { mode: 'number' }).notNull(),
    /** Shanghai calendar month, YYYY-MM. */
    month: text('month').notNull(),
    firstReadAt: time('first_read_at').notNull(),
    /** Time of the last read, to the minute while no other document is read; history is sorted by it (C-84). */
    lastReadAt: time('last_read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.documentId, table.month] })],
);

/** The page that a user read last in each document (C-85). */
export const readingPositions = pgTable(
  'reading_positions',
  {
    userId: userId(),
    documentId: bigint('document_id', { mode: 'number' }).notNull(),
    page: integer('page').notNull(),
    readAt: time('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.documentId] })],
);
