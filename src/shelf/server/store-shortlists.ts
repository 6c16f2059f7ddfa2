import { and, count, desc, eq, gt, isNull } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { shelfFolders, shortlists } from './tables.ts';

/** Selects a link with the folder that it shows; `folderName` is null after the folder was deleted. Null for an unknown id. */
export async function selectShortlist(db: Db, id: number) {
  const [row] = await db
    .select({
      userId: shortlists.userId,
      folderId: shortlists.folderId,
      folderName: shelfFolders.name,
      expiresAt: shortlists.expiresAt,
      revokedAt: shortlists.revokedAt,
    })
    .from(shortlists)
    .leftJoin(shelfFolders, eq(shelfFolders.id, shortlists.folderId))
    .where(eq(shortlists.id, id));
  return row ?? null;
}

type OfFolder = { userId: number; folderId: number; now: Date };

const isOpen = ({ userId, folderId, now }: OfFolder) =>
  and(
    eq(shortlists.userId, userId),
    eq(shortlists.folderId, folderId),
    isNull(shortlists.revokedAt),
    gt(shortlists.expiresAt, now),
  );

/** Selects the links of a folder that are neither revoked nor expired, the newest first. */
export function selectOpenShortlists(db: Db, folder: OfFolder, limit: number) {
  return db.select().from(shortlists).where(isOpen(folder)).orderBy(desc(shortlists.id)).limit(limit);
}

export async function countOpenShortlists(db: Db, folder: OfFolder): Promise<number> {
  const [row] = await db.select({ total: count() }).from(shortlists).where(isOpen(folder));
  return row?.total ?? 0;
}

export async function insertShortlist(db: Db, row: typeof shortlists.$inferInsert): Promise<number> {
  const [made] = await db.insert(shortlists).values(row).returning({ id: shortlists.id });
  if (!made) throw new Error('a shortlist was not returned');
  return made.id;
}

/** Ends a link of a user. Returns false when the user never made such a link, true also for one that has ended. */
export async function updateRevoked(db: Db, userId: number, id: number, at: Date): Promise<boolean> {
  const mine = and(eq(shortlists.userId, userId), eq(shortlists.id, id));
  const ended = await db
    .update(shortlists)
    .set({ revokedAt: at })
    .where(and(mine, isNull(shortlists.revokedAt)))
    .returning({ id: shortlists.id });
  if (ended.length > 0) return true;
  const known = await db.select({ id: shortlists.id }).from(shortlists).where(mine);
  return known.length > 0;
}
