import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../platform/db/columns.ts';
import type { FileType } from '../../library/file-types.ts';
import type { PageSize, UploadState } from '../rules-uploads.ts';

const id = (name: string) => bigint(name, { mode: 'number' });

/** The groups that the operator made. A closed group (`isOpen` false) is shown to nobody and keeps its members and shelf. */
export const groups = pgTable('groups', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  mark: text('mark').notNull(),
  color: text('color').notNull(),
  position: integer('position').notNull(),
  isOpen: boolean('is_open').notNull().default(true),
  createdAt: time('created_at').notNull().defaultNow(),
});

export const groupMembers = pgTable(
  'group_members',
  {
    groupId: id('group_id').notNull(),
    userId: id('user_id').notNull(),
    joinedAt: time('joined_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.userId] })],
);

/** The documents on the shelves of groups. `userId` is the member who added the document; null for the operator. */
export const groupDocuments = pgTable(
  'group_documents',
  {
    groupId: id('group_id').notNull(),
    documentId: id('document_id').notNull(),
    userId: id('user_id'),
    addedAt: time('added_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.documentId] })],
);

/**
 * The files that members uploaded. `key` names the upload in the tus protocol and its objects in the file store; `groupId` is null until
 * the owner has put the file on a shelf; `fileType` and `sha256` are set once the file has passed the checks.
 */
export const groupUploads = pgTable('group_uploads', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  key: text('key').notNull(),
  userId: id('user_id').notNull(),
  groupId: id('group_id'),
  name: text('name').notNull(),
  sizeBytes: id('size_bytes').notNull(),
  state: text('state').$type<UploadState>().notNull().default('receiving'),
  progress: integer('progress').notNull().default(0),
  brokenRuns: integer('broken_runs').notNull().default(0),
  fileType: text('file_type').$type<FileType>(),
  sha256: text('sha256'),
  pageCount: integer('page_count'),
  pages: jsonb('pages').$type<PageSize[]>().notNull().default([]),
  message: text('message').notNull().default(''),
  createdAt: time('created_at').notNull(),
  addedAt: time('added_at'),
});

/** Reports of members to the operator about uploaded files; removed with the file. */
export const groupUploadReports = pgTable(
  'group_upload_reports',
  {
    uploadId: id('upload_id').notNull(),
    userId: id('user_id').notNull(),
    reason: text('reason').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.userId] })],
);
