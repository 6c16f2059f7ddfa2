import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { preparedOnce, type Db } from '../../platform/db/client.ts';
import { charts, chartTypes } from './tables.ts';

const CHARTS_OF_A_FILE = 1_000;

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
      id: charts.id,
      number: charts.number,
      page: charts.pageNumber,
      typeId: charts.typeId,
      typeName: chartTypes.name,
      typeCode: chartTypes.code,
      name: charts.name,
      width: charts.width,
      height: charts.height,
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
 * Inserts or updates a chart. It keeps its id as long as the file has a chart of that number, because favourites refer
 * to the id.
 */
export async function upsertChart(db: Db, row: typeof charts.$inferInsert): Promise<void> {
  const { fileId: _file, number: _number, ...rest } = row;
  await db
    .insert(charts)
    .values(row)
    .onConflictDoUpdate({ target: [charts.fileId, charts.number], set: rest });
}

export async function deleteChartsAfter(db: Db, fileId: number, number: number): Promise<void> {
  await db.delete(charts).where(and(eq(charts.fileId, fileId), gt(charts.number, number)));
}

/** Locks the file, so that two calls do not interleave their rows. */
export async function lockFile(db: Db, fileId: number): Promise<void> {
  await db.execute(sql`select 1 from files where id = ${fileId} for update`);
}
