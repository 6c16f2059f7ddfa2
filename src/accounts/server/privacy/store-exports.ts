import { and, desc, eq, inArray, lt, or } from 'drizzle-orm';
import type { Db } from '../../../platform/db/client.ts';
import { accountExports } from '../tables.ts';

export type Export = typeof accountExports.$inferSelect;

/** Inserts a pending export and returns its id; null when the user has a pending export already. */
export async function insertExport(db: Db, userId: number, at: Date): Promise<number | null> {
  const [row] = await db
    .insert(accountExports)
    .values({ userId, createdAt: at })
    .onConflictDoNothing()
    .returning({ id: accountExports.id });
  return row?.id ?? null;
}

export async function selectNewestExport(db: Db, userId: number): Promise<Export | null> {
  const [row] = await db
    .select()
    .from(accountExports)
    .where(eq(accountExports.userId, userId))
    .orderBy(desc(accountExports.id))
    .limit(1);
  return row ?? null;
}

export async function selectExport(db: Db, id: number): Promise<Export | null> {
  const [row] = await db.select().from(accountExports).where(eq(accountExports.id, id));
  return row ?? null;
}

/**
 * Updates a pending export. Returns false when it is no longer pending: it was erased with its user, or another try
 * made it.
 */
export async function updateExport(
  db: Db,
  id: number,
  change: { state: 'ready'; fileKey: string; sizeBytes: number; readyAt: Date; expiresAt: Date } | { state: 'failed' },
): Promise<boolean> {
  const changed = await db
    .update(accountExports)
    .set(change)
    .where(and(eq(accountExports.id, id), eq(accountExports.state, 'pending')))
    .returning({ id: accountExports.id });
  return changed.length > 0;
}

/** Returns the keys of the files of a user's exports. */
export async function selectExportFiles(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .select({ fileKey: accountExports.fileKey })
    .from(accountExports)
    .where(eq(accountExports.userId, userId))
    .limit(1_000);
  return rows.flatMap(({ fileKey }) => (fileKey === null ? [] : [fileKey]));
}

export const deleteExports = (db: Db, userId: number) =>
  db.delete(accountExports).where(eq(accountExports.userId, userId));

/** Marks the exports as failed that were requested before `before` and are still pending. */
export const updateOldExportsFailed = (db: Db, before: Date) =>
  db
    .update(accountExports)
    .set({ state: 'failed' })
    .where(and(eq(accountExports.state, 'pending'), lt(accountExports.createdAt, before)));

/** Deletes expired exports, and failed exports that were requested before `failedBefore`. Returns the keys of their files. */
export async function deleteOldExports(db: Db, now: Date, failedBefore: Date): Promise<string[]> {
  const isOldFailure = and(eq(accountExports.state, 'failed'), lt(accountExports.createdAt, failedBefore));
  const rows = await db
    .delete(accountExports)
    .where(or(lt(accountExports.expiresAt, now), isOldFailure))
    .returning({ fileKey: accountExports.fileKey });
  return rows.flatMap(({ fileKey }) => (fileKey === null ? [] : [fileKey]));
}

/** Returns the keys that belong to an export in the table. */
export async function selectKnownExports(db: Db, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .select({ fileKey: accountExports.fileKey })
    .from(accountExports)
    .where(inArray(accountExports.fileKey, keys))
    .limit(keys.length);
  return new Set(rows.flatMap(({ fileKey }) => fileKey ?? []));
}
