import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

export type IngestState = 'queued' | 'running' | 'published' | 'duplicate' | 'waiting' | 'refused' | 'failed';

export const ingestBatches = pgTable('ingest_batches', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  startedAt: time('started_at').notNull().defaultNow(),
  finishedAt: time('finished_at'),
});

/** One row per file of one `ceku ingest`: what became of it. */
export const ingestItems = pgTable('ingest_items', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  batchId: bigint('batch_id', { mode: 'number' }).notNull(),
  path: text('path').notNull(),
  fileId: bigint('file_id', { mode: 'number' }),
  documentId: bigint('document_id', { mode: 'number' }),
  state: text('state').$type<IngestState>().notNull().default('queued'),
  reasonCode: text('reason_code'),
  message: text('message').notNull().default(''),
  createdAt: time('created_at').notNull().defaultNow(),
  finishedAt: time('finished_at'),
});
