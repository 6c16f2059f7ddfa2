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

/** Which two contents were found to be versions of one; the lower id first. */
export const fileVersionPairs = pgTable(
  'file_version_pairs',
  {
    fileId: bigint('file_id', { mode: 'number' }).notNull(),
    otherId: bigint('other_id', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.otherId] })],
);

/** Contents that hang together by pairs; `groupId` is the lowest id among them. */
export const fileVersions = pgTable('file_versions', {
  fileId: bigint('file_id', { mode: 'number' }).primaryKey(),
  groupId: bigint('group_id', { mode: 'number' }).notNull(),
});
