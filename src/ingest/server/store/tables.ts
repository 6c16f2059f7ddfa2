import { bigint, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../../platform/db/columns.ts';
import type { StepDetail, StepName, StepState } from '../../steps.ts';
import type { WordBox } from '../../word-boxes.ts';

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

/**
 * Images of pages that readers asked for, named by their content in the media folder of the file. `imageName` is "" for a
 * page of which only the thumbnail was drawn. `bytes` counts all images of the row.
 */
export const drawnPages = pgTable(
  'drawn_pages',
  {
    fileId: bigint('file_id', { mode: 'number' }).notNull(),
    pageNumber: integer('page_number').notNull(),
    imageName: text('image_name').notNull().default(''),
    width: integer('width').notNull().default(0),
    height: integer('height').notNull().default(0),
    largeName: text('large_name').notNull().default(''),
    largeWidth: integer('large_width').notNull().default(0),
    thumbnailName: text('thumbnail_name').notNull(),
    thumbnailWidth: integer('thumbnail_width').notNull(),
    thumbnailHeight: integer('thumbnail_height').notNull(),
    words: jsonb('words').$type<WordBox[]>().notNull().default([]),
    bytes: integer('bytes').notNull(),
    usedAt: time('used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.pageNumber] })],
);
