import { bigint, boolean, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });
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
