import { desc, eq, getTableColumns as columnsOf } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { favorites, shelfFolders, shortlists } from './tables.ts';

/** Selects folders, favourites and links of a user, keyed by their file names in the copy of personal data, newest first. */
export async function selectPersonalData(db: Db, userId: number) {
  const { userId: _owner, ...folder } = columnsOf(shelfFolders);
  const { userId: _keeper, ...favorite } = columnsOf(favorites);
  const { userId: _sender, ...link } = columnsOf(shortlists);
  return {
    folders: await db
      .select(folder)
      .from(shelfFolders)
      .where(eq(shelfFolders.userId, userId))
      .orderBy(desc(shelfFolders.id)),
    favorites: await db
      .select(favorite)
      .from(favorites)
      .where(eq(favorites.userId, userId))
      .orderBy(desc(favorites.id)),
    shortlists: await db
      .select(link)
      .from(shortlists)
      .where(eq(shortlists.userId, userId))
      .orderBy(desc(shortlists.id)),
  };
}

/** Deletes folders, favourites and links of a user. Folders go last, because the other rows refer to them. */
export async function deletePersonalData(db: Db, userId: number): Promise<void> {
  await db.delete(shortlists).where(eq(shortlists.userId, userId));
  await db.delete(favorites).where(eq(favorites.userId, userId));
  await db.delete(shelfFolders).where(eq(shelfFolders.userId, userId));
}
