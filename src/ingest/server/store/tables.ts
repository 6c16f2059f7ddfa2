import { bigint, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import type { StepDetail, StepName, StepState } from '../../steps.ts';

const time = (name: string) => timestamp(name, { withTimezone: true });

export type IngestState = 'queued' | 'running' | 'published' | 'duplicate' | 'waiting' | 'refused' | 'failed';

export const ingestBatches = pgTable('ingest_batches', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  startedAt: time('started_at').notNull().defaultNow(),
  finishedAt: time('finished_at'),
});

/** One row for each file of a run of `ceku ingest`, with its result. */
export const ingestItems = pgTable('ingest_items', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  batchId: bigint('batch_id', { mode: 'number' }).notNull(),
  path: text('path').notNull(),
  fileId: bigint('file_id', { mode: 'number' }),
  documentId: bigint('document_id', { mode: 'number' }),
  state: text('state').$type<IngestState>().notNull().default('queued'),
  reasonCode: text('reason_code'),
  message: text('message').notNull().default(''),
  /** Size and modification time of the file at `path` when the file was sniffed. */
  sizeBytes: bigint('size_bytes', { mode: 'number' }),
  modifiedAt: time('modified_at'),
  sha256: text('sha256'),
  createdAt: time('created_at').notNull().defaultNow(),
  finishedAt: time('finished_at'),
});

/** One row for each step of a file. The results of the step are in other tables and in the file store. */
export const ingestSteps = pgTable(
  'ingest_steps',
  {
    fileId: bigint('file_id', { mode: 'number' }).notNull(),
    step: text('step').$type<StepName>().notNull(),
    state: text('state').$type<StepState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** How many times the step has started without an end since it last ended. */
    brokenRuns: integer('broken_runs').notNull().default(0),
    startedAt: time('started_at').notNull().defaultNow(),
    finishedAt: time('finished_at'),
    error: text('error').notNull().default(''),
    detail: jsonb('detail').$type<StepDetail>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.step] })],
);
