import { bigint, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { ChartData, ChartFrame } from '../chart-data.ts';
import type { ChartType } from '../chart-types.ts';

export const chartTypes = pgTable('chart_types', {
  id: integer('id').primaryKey(),
  code: text('code').$type<ChartType>().notNull().unique(),
  name: text('name').notNull().unique(),
  position: integer('position').notNull(),
});

/** The charts of a file. Documents that share a file share its charts. */
export const charts = pgTable('charts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  fileId: bigint('file_id', { mode: 'number' }).notNull(),
  number: integer('number').notNull(),
  pageNumber: integer('page_number').notNull(),
  typeId: integer('type_id').notNull(),
  name: text('name').notNull(),
  title: text('title').notNull().default(''),
  data: jsonb('data').$type<ChartData>().notNull(),
  frame: jsonb('frame').$type<ChartFrame>(),
  width: integer('width').notNull().default(0),
  height: integer('height').notNull().default(0),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
