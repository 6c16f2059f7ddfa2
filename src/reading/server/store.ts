import { lt, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { reads } from './tables.ts';

/** Looks within a minute are one: a page that is loaded again writes nothing. */
const SAME_LOOK_SECONDS = 60;

export async function upsertRead(
  db: Db,
  read: { userId: number; documentId: number; month: string; at: Date },
): Promise<void> {
  const { at, ...key } = read;
  await db
    .insert(reads)
    .values({ ...key, firstReadAt: at, lastReadAt: at })
    .onConflictDoUpdate({
      target: [reads.userId, reads.documentId, reads.month],
      set: { lastReadAt: sql`excluded.last_read_at` },
      setWhere: lt(reads.lastReadAt, sql`excluded.last_read_at - make_interval(secs => ${SAME_LOOK_SECONDS})`),
    });
}
