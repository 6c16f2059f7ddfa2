import { bigint, pgTable, primaryKey, real } from 'drizzle-orm/pg-core';

/** Contents whose words are alike, by the cosine of their vectors, 0–1. */
export const fileNeighbors = pgTable(
  'file_neighbors',
  {
    fileId: bigint('file_id', { mode: 'number' }).notNull(),
    neighborId: bigint('neighbor_id', { mode: 'number' }).notNull(),
    score: real('score').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.neighborId] })],
);

/** Contents that are versions of one; `groupId` is the lowest id among them. */
export const fileVersions = pgTable('file_versions', {
  fileId: bigint('file_id', { mode: 'number' }).primaryKey(),
  groupId: bigint('group_id', { mode: 'number' }).notNull(),
});
