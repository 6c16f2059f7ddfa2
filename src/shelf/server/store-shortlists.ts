import { and, count, desc, eq, gt, isNull } from 'drizzle-orm';
import { users } from '../../accounts/server/tables.ts';
import type { Db } from '../../platform/db/client.ts';
import { shelfFolders, shortlists } from './tables.ts';

/** Selects a link with the state of its owner and the folder that it shows; `folderName` is null after the folder was deleted. Null for an unknown id. */
export async function selectShortlist(db: Db, id: number) {
  const [row] = await db
    .select({
      userId: shortlists.userId,
      ownerState: users.state,
      folderId: shortlists.folderId,
      folderName: shelfFolders.name,
      expiresAt: shortlists.expiresAt,
      revokedAt: shortlists.revokedAt,
    })
    .from(shortlists)
    .innerJoin(users, eq(users.id, shortlists.userId))
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

/** The links of a folder of a user, or the one of them with `id`. */
type Links = { userId: number; folderId: number; id: number | null };

const isAmong = ({ userId, folderId, id }: Links) =>
  and(
    eq(shortlists.userId, userId),
    eq(shortlists.folderId, folderId),
    id === null ? undefined : eq(shortlists.id, id),
  );

/** Tells whether a folder of a user ever had such a link, also one that has ended. */
export async function hasShortlist(db: Db, links: Links): Promise<boolean> {
  const [row] = await db.select({ total: count() }).from(shortlists).where(isAmong(links));
  return (row?.total ?? 0) > 0;
}

/** Ends links; those that were revoked before keep their time. */
export async function updateRevoked(db: Db, links: Links, at: Date): Promise<void> {
  await db
    .update(shortlists)
    .set({ revokedAt: at })
    .where(and(isAmong(links), isNull(shortlists.revokedAt)));
}
