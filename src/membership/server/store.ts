import { and, eq } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { NO_MEMBERSHIP, type Clocks } from '../rules.ts';
import { entitlements, memberships } from './tables.ts';

/** The two clocks of a user; both null for someone who never was a member. */
export async function readClocks(db: Db, userId: number): Promise<Clocks> {
  const [row] = await db
    .select({ standardEndAt: memberships.standardEndAt, advancedEndAt: memberships.advancedEndAt })
    .from(memberships)
    .where(eq(memberships.userId, userId));
  return row ?? NO_MEMBERSHIP;
}

/** What a user's right to a document was paid with; null when there is none. */
export async function findEntitlement(db: Db, userId: number, documentId: number) {
  const [row] = await db
    .select({ method: entitlements.method, coins: entitlements.coins })
    .from(entitlements)
    .where(and(eq(entitlements.userId, userId), eq(entitlements.documentId, documentId)));
  return row ?? null;
}
