import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { preparedOnce, type Db } from '../../platform/db/client.ts';
import { documents, files, industries } from '../../library/server/tables.ts';
import { charts, chartTypes } from './tables.ts';

const CHARTS_OF_A_FILE = 1_000;

const CHART = {
  id: charts.id,
  number: charts.number,
  page: charts.pageNumber,
  typeId: charts.typeId,
  typeName: chartTypes.name,
  name: charts.name,
};

/** Size of the picture in pixels, 0 without one, and whether the numbers of the chart are known. */
const PICTURE = {
  width: charts.width,
  height: charts.height,
  hasNumbers: sql<boolean>`jsonb_array_length(${charts.data} -> 'series') > 0`,
};

export function selectChartTypes(db: Db) {
  return db
    .select({ id: chartTypes.id, name: chartTypes.name })
    .from(chartTypes)
    .orderBy(asc(chartTypes.position))
    .limit(100);
}

/** Returns all charts of a file without their numbers, in the order of pages. */
export function selectCharts(db: Db, fileId: number) {
  return CHARTS(db).execute({ fileId });
}

const CHARTS = preparedOnce((db) =>
  db
    .select({
      ...CHART,
      ...PICTURE,
      typeCode: chartTypes.code,
    })
    .from(charts)
    .innerJoin(chartTypes, eq(chartTypes.id, charts.typeId))
    .where(eq(charts.fileId, sql.placeholder('fileId')))
    .orderBy(asc(charts.number))
    .limit(CHARTS_OF_A_FILE)
    .prepare('charts_of_file'),
);

export async function selectChartData(db: Db, fileId: number, number: number) {
  const [row] = await db
    .select({ data: charts.data })
    .from(charts)
    .where(and(eq(charts.fileId, fileId), eq(charts.number, number)));
  return row?.data ?? null;
}

/**
 * Returns a chart with its numbers and the published document that shows it: the document `documentId`, or the oldest
 * one for null. Null when there is no such chart, or no such document is published.
 */
export async function selectShownChart(db: Db, chartId: number, documentId: number | null) {
  const [row] = await db
    .select({
      ...CHART,
      data: charts.data,
      hasPicture: sql<boolean>`${charts.width} > 0`,
      mediaKey: files.mediaKey,
      documentId: documents.id,
      documentName: documents.name,
    })
    .from(charts)
    .innerJoin(chartTypes, eq(chartTypes.id, charts.typeId))
    .innerJoin(files, eq(files.id, charts.fileId))
    .innerJoin(documents, eq(documents.fileId, charts.fileId))
    .where(
      and(
        eq(charts.id, chartId),
        eq(documents.state, 'published'),
        documentId === null ? undefined : eq(documents.id, documentId),
      ),
    )
    .orderBy(asc(documents.id))
    .limit(1);
  return row ?? null;
}

/**
 * Selects charts among `ids` in any state of their documents, each with the oldest published document that shows it, or else
 * the oldest one.
 */
export function selectChartsByIds(db: Db, ids: number[]) {
  return db
    .select({
      ...CHART,
      ...PICTURE,
      mediaKey: files.mediaKey,
      documentId: documents.id,
      documentName: documents.name,
      documentState: documents.state,
      documentCreatedAt: documents.createdAt,
      industryId: documents.industryId,
      industryName: industries.name,
    })
    .from(charts)
    .innerJoin(chartTypes, eq(chartTypes.id, charts.typeId))
    .innerJoin(files, eq(files.id, charts.fileId))
    .innerJoin(
      documents,
      sql`${documents.id} = (select d.id from documents d where d.file_id = ${charts.fileId}
        order by d.state = 'published' desc, d.id limit 1)`,
    )
    .leftJoin(industries, eq(industries.id, documents.industryId))
    .where(sql`${charts.id} = any(${sql.param(ids)}::bigint[])`);
}

/**
 * Inserts or updates a chart. It keeps its id as long as the file has a chart of that number, because favourites refer
 * to the id. Returns whether the chart is new or differs from its row.
 */
export async function upsertChart(db: Db, row: typeof charts.$inferInsert): Promise<boolean> {
  const { fileId: _file, number: _number, ...rest } = row;
  const rows = await db
    .insert(charts)
    .values(row)
    .onConflictDoUpdate({
      target: [charts.fileId, charts.number],
      set: rest,
      setWhere: sql`(charts.page_number, charts.type_id, charts.name, charts.title, charts.data, charts.frame, charts.width, charts.height)
        is distinct from (excluded.page_number, excluded.type_id, excluded.name, excluded.title, excluded.data, excluded.frame, excluded.width, excluded.height)`,
    })
    .returning({ id: charts.id });
  return rows.length > 0;
}

/** Returns whether there were such charts. */
export async function deleteChartsAfter(db: Db, fileId: number, number: number): Promise<boolean> {
  const rows = await db
    .delete(charts)
    .where(and(eq(charts.fileId, fileId), gt(charts.number, number)))
    .returning({ id: charts.id });
  return rows.length > 0;
}

/** Locks the file, so that two calls do not interleave their rows. */
export async function lockFile(db: Db, fileId: number): Promise<void> {
  await db.execute(sql`select 1 from files where id = ${fileId} for update`);
}
