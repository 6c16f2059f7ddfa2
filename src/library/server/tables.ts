import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { id, time } from '../../platform/db/columns.ts';
import type { FileType } from '../file-types.ts';
import type { KeyPage } from '../key-pages.ts';

/** Written by library. Read by the stores of ingest and search. */
export const industries = pgTable('industries', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull().unique(),
  position: integer('position').notNull().default(0),
});

/** Written by library. Read by the stores of ingest and search. */
export const themes = pgTable('themes', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull().unique(),
  position: integer('position').notNull().default(0),
});

/** Written by library. Read by the stores of ingest. */
export const documentTypes = pgTable('document_types', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull().unique(),
  position: integer('position').notNull().default(0),
});

/** Written by library. Read by the stores of ingest and search. */
export const organizations = pgTable('organizations', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull().unique(),
});

export type FileState = 'waiting' | 'ready' | 'pending-preview' | 'failed';

/**
 * One row per distinct content; several documents may share a file. Ingest inserts the rows and writes what preparation finds, library
 * writes the checks of originals and the facts of the plan. Read by the stores of membership, charts, collections and search.
 */
export const files = pgTable('files', {
  id: id(),
  sha256: text('sha256').notNull().unique(),
  mediaKey: text('media_key').notNull().unique(),
  fileType: text('file_type').$type<FileType>().notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  originalName: text('original_name').notNull(),
  state: text('state').$type<FileState>().notNull().default('waiting'),
  failureCode: text('failure_code'),
  failureDetail: text('failure_detail'),
  pageCount: integer('page_count').notNull().default(0),
  previewCount: integer('preview_count').notNull().default(0),
  hasPdf: boolean('has_pdf').notNull().default(false),
  coverWidth: integer('cover_width').notNull().default(0),
  coverHeight: integer('cover_height').notNull().default(0),
  coverColor: text('cover_color').notNull().default('#e8e3da'),
  /** Nominal widths of the cover images: `cover.webp` (480), `cover-960.webp`, `cover-1600.webp`. The largest may not be drawn yet. */
  coverWidths: smallint('cover_widths')
    .array()
    .notNull()
    .default(sql`'{480}'`),
  /** The set of image sizes that were drawn (IMAGES_VERSION of src/ingest/rules.ts). */
  imagesVersion: smallint('images_version').notNull().default(1),
  outline: jsonb('outline').$type<{ page: number; title: string }[]>().notNull().default([]),
  textExcerpt: text('text_excerpt').notNull().default(''),
  flags: text('flags')
    .array()
    .notNull()
    .default(sql`'{}'`),
  /** Missing fonts of the deck, each with the font that was drawn instead. */
  fonts: jsonb('fonts').$type<Record<string, string>>().notNull().default({}),
  /** Reasons why an operator should look at the document, in plain English: the cover says something else than the file name. */
  doubts: text('doubts')
    .array()
    .notNull()
    .default(sql`'{}'`),
  /** How often the file was tried again alone on a quiet machine after its preparation ran out of time. */
  quietTries: smallint('quiet_tries').notNull().default(0),
  /** Percentage of preparation steps that are done. */
  progress: smallint('progress').notNull().default(0),
  /** Thumbnails of the preview pages in one image, `strip.webp`. */
  hasStrip: boolean('has_strip').notNull().default(false),
  /** Positions of the words on the preview pages, `words.json`. */
  hasWords: boolean('has_words').notNull().default(false),
  /** Facts of the plan that its pages state, each with its page; 0 for nothing (src/library/plan-facts.ts). */
  budgetFen: bigint('budget_fen', { mode: 'number' }).notNull().default(0),
  budgetPage: integer('budget_page').notNull().default(0),
  people: integer('people').notNull().default(0),
  peoplePage: integer('people_page').notNull().default(0),
  days: integer('days').notNull().default(0),
  daysPage: integer('days_page').notNull().default(0),
  /** Its pages of the kinds that planners look for (src/library/key-pages.ts). */
  keyPages: jsonb('key_pages').$type<KeyPage[]>().notNull().default([]),
  /** The FACTS_VERSION that read them; 0 when the text of the pages changed since. */
  factsVersion: smallint('facts_version').notNull().default(0),
  createdAt: time('created_at').notNull().defaultNow(),
  preparedAt: time('prepared_at'),
  /** When the original was last read and compared with `sha256`; null when it was not checked since ingest. */
  checkedAt: time('checked_at'),
  /** When the original was found missing or changed; null while it is intact. */
  damagedAt: time('damaged_at'),
  /** When the bytes and texts were destroyed on order of the operator; the same bytes are not taken again. */
  destroyedAt: time('destroyed_at'),
});

/** The pages of a file. Written by ingest. Read by the stores of library and search. */
export const pages = pgTable(
  'pages',
  {
    fileId: bigint('file_id', { mode: 'number' }).notNull(),
    pageNumber: integer('page_number').notNull(),
    width: integer('width').notNull().default(0),
    height: integer('height').notNull().default(0),
    hasImage: boolean('has_image').notNull().default(false),
    /** Name of the page's image in the media folder, without extension; equal pages share an image. "" means `p<n>`. */
    imageName: text('image_name').notNull().default(''),
    /** Width in pixels of the large image, which is drawn when a reader first asks for it (drawn_pages); 0 for none. */
    largeWidth: integer('large_width').notNull().default(0),
    text: text('text').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.pageNumber] })],
);

export type DocumentState = 'processing' | 'published' | 'hidden' | 'failed';
export type HiddenReason = 'operator' | 'copyright' | 'illegal';

/** The documents. Written by library alone. Read by the stores of membership, charts, groups, collections, ingest, ranking and search. */
export const documents = pgTable('documents', {
  id: id(),
  fileId: bigint('file_id', { mode: 'number' }).notNull(),
  name: text('name').notNull(),
  isNameGuessed: boolean('is_name_guessed').notNull().default(false),
  keyword: text('keyword').notNull().default(''),
  priceCoins: integer('price_coins').notNull().default(0),
  industryId: integer('industry_id'),
  typeId: integer('type_id'),
  organizationId: integer('organization_id'),
  researcher: text('researcher').notNull().default(''),
  themeIds: integer('theme_ids')
    .array()
    .notNull()
    .default(sql`'{}'`),
  state: text('state').$type<DocumentState>().notNull().default('processing'),
  hiddenReason: text('hidden_reason').$type<HiddenReason>(),
  /** When the operator destroyed what the document was; it stays hidden for ever. */
  destroyedAt: time('destroyed_at'),
  downloadCount: integer('download_count').notNull().default(0),
  recommendScore: doublePrecision('recommend_score').notNull().default(0),
  /** Signals of the last 30 days (src/ranking/rules.ts). */
  heat: integer('heat').notNull().default(0),
  /** Sort key of 最热: heat, then downloads. Generated by the database. */
  popularity: bigint('popularity', { mode: 'number' })
    .notNull()
    .generatedAlwaysAs(sql`least(heat, 65535)::bigint * 65536 + least(download_count, 65535)`),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

/** Files with similar texts; `score` is the cosine of their vectors, 0–1. Written and read by library. */
export const fileNeighbors = pgTable(
  'file_neighbors',
  {
    fileId: bigint('file_id', { mode: 'number' }).notNull(),
    neighborId: bigint('neighbor_id', { mode: 'number' }).notNull(),
    score: real('score').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.neighborId] })],
);

/** Pairs of files that are versions of one plan; `fileId` is the lower id. Written and read by library. */
export const fileVersionPairs = pgTable(
  'file_version_pairs',
  {
    fileId: bigint('file_id', { mode: 'number' }).notNull(),
    otherId: bigint('other_id', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.otherId] })],
);

/** Groups of files that are connected by version pairs; `groupId` is the lowest file id of the group. Written and read by library. */
export const fileVersions = pgTable('file_versions', {
  fileId: bigint('file_id', { mode: 'number' }).primaryKey(),
  groupId: bigint('group_id', { mode: 'number' }).notNull(),
});
