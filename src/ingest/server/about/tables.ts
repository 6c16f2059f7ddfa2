import { bigint, integer, jsonb, pgTable, primaryKey, real, text, timestamp } from 'drizzle-orm/pg-core';
import type { Proposal } from '../../about/propose-labels.ts';

/** `type` is absent in descriptions of versions before 3. */
type Proposals = { themes: Proposal[]; industry: Proposal | null; type?: Proposal | null };

export const fileFingerprints = pgTable('file_fingerprints', {
  fileId: bigint('file_id', { mode: 'number' }).primaryKey(),
  version: integer('version').notNull(),
  simhash: text('simhash').notNull(),
  minHashes: integer('sketch').array().notNull(),
  shingleCount: integer('pieces').notNull(),
  coverHash: text('cover_hash'),
  title: text('title').notNull(),
  titleReason: text('title_reason').notNull().default(''),
  words: text('words').array().notNull(),
  keywords: text('keywords').array().notNull(),
  proposals: jsonb('proposals').$type<Proposals>().notNull(),
  madeAt: timestamp('made_at', { withTimezone: true }).notNull().defaultNow(),
});

export const fileWords = pgTable(
  'file_words',
  {
    fileId: bigint('file_id', { mode: 'number' }).notNull(),
    word: text('word').notNull(),
    weight: real('weight').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.word] })],
);
