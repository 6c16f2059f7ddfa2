import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../platform/db/columns.ts';

const id = (name: string) => bigint(name, { mode: 'number' });

/** The collections that the operator made. A collection that is not listed is shown to nobody and keeps its documents. */
export const collections = pgTable('collections', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  tags: text('tags')
    .array()
    .notNull()
    .default(sql`'{}'`),
  position: integer('position').notNull(),
  isListed: boolean('is_listed').notNull().default(true),
  createdAt: time('created_at').notNull(),
  /** When the name, the description, the tags or the documents last changed. */
  updatedAt: time('updated_at').notNull(),
});

/** The documents of collections, in any state: what is shown is decided when it is asked for. */
export const collectionDocuments = pgTable(
  'collection_documents',
  {
    collectionId: id('collection_id').notNull(),
    documentId: id('document_id').notNull(),
    position: integer('position').notNull(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.documentId] })],
);
