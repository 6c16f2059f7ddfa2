import { and, asc, count, desc, eq, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm';
import { documents } from '../../library/server/tables.ts';
import type { Db } from '../../platform/db/client.ts';
import type { ReportState } from '../rules.ts';
import { infringementReports } from './tables.ts';

export type Report = typeof infringementReports.$inferSelect;
type NewReport = Omit<typeof infringementReports.$inferInsert, 'state'>;

const MAX_ROWS = 500;

export async function insertReport(db: Db, report: NewReport): Promise<void> {
  await db.insert(infringementReports).values(report);
}

const withDocuments = (db: Db) =>
  db
    .select({ report: infringementReports, documentName: documents.name, documentState: documents.state })
    .from(infringementReports)
    .innerJoin(documents, eq(documents.id, infringementReports.documentId));
export type ReportLine = Awaited<ReturnType<typeof withDocuments>>[number];

/** Returns the first 500 reports in the given states, the oldest first; with `isLatest` the last 500. */
export async function selectReports(
  db: Db,
  states: readonly ReportState[],
  { isLatest }: { isLatest: boolean },
): Promise<ReportLine[]> {
  const { id, state } = infringementReports;
  const rows = await withDocuments(db)
    .where(inArray(state, [...states]))
    .orderBy(isLatest ? desc(id) : asc(id))
    .limit(MAX_ROWS);
  return isLatest ? rows.toReversed() : rows;
}

export async function countReports(db: Db, states: readonly ReportState[]): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(infringementReports)
    .where(inArray(infringementReports.state, [...states]));
  return row?.total ?? 0;
}

export async function selectReport(db: Db, receiptNo: string): Promise<ReportLine | null> {
  const [row] = await withDocuments(db).where(eq(infringementReports.receiptNo, receiptNo));
  return row ?? null;
}

/** Locks all reports about the document of one report, so that decisions about one document follow each other; empty without such a report. */
export async function lockReportsOfDocument(db: Db, receiptNo: string): Promise<Report[]> {
  const [named] = await db
    .select({ documentId: infringementReports.documentId })
    .from(infringementReports)
    .where(eq(infringementReports.receiptNo, receiptNo));
  if (!named) return [];
  return db
    .select()
    .from(infringementReports)
    .where(eq(infringementReports.documentId, named.documentId))
    .orderBy(asc(infringementReports.id))
    .for('update');
}

/** Writes a decision about a report that the caller has locked. */
export async function updateReport(
  db: Db,
  reportId: number,
  to: Partial<Omit<Report, 'id' | 'receiptNo' | 'documentId'>>,
): Promise<void> {
  await db.update(infringementReports).set(to).where(eq(infringementReports.id, reportId));
}

/** Deletes reports that were closed (rejected or restored) before `closedBefore`; returns how many. */
export async function deleteClosedReports(db: Db, closedBefore: Date): Promise<number> {
  const rows = await db
    .delete(infringementReports)
    .where(
      and(
        inArray(infringementReports.state, ['rejected', 'restored']),
        sql`coalesce(${infringementReports.restoredAt}, ${infringementReports.decidedAt}) < ${closedBefore.toISOString()}`,
      ),
    )
    .returning({ id: infringementReports.id });
  return rows.length;
}

/**
 * Replaces what the senders of reports wrote whose documents were taken down, and which nothing has happened to since `before`. That the
 * document is down, whose right it was and what was declared against it stays. Returns how many were replaced.
 */
export async function clearAcceptedReports(
  db: Db,
  before: Date,
  to: Pick<Report, 'contactSealed' | 'proof' | 'statement'>,
): Promise<number> {
  const { state, decidedAt, suedAt, proof } = infringementReports;
  const rows = await db
    .update(infringementReports)
    .set(to)
    .where(
      and(eq(state, 'accepted'), ne(proof, to.proof), sql`greatest(${decidedAt}, ${suedAt}) < ${before.toISOString()}`),
    )
    .returning({ id: infringementReports.id });
  return rows.length;
}

/** Removes the hashes of addresses that no limit needs any more. */
export async function clearReportAddresses(db: Db, before: Date): Promise<void> {
  await db
    .update(infringementReports)
    .set({ addressIndex: null, networkIndex: null })
    .where(and(isNotNull(infringementReports.addressIndex), lt(infringementReports.receivedAt, before)));
}
