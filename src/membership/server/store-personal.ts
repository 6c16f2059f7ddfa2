import { and, eq, ne } from 'drizzle-orm';
import { documents } from '../../library/server/tables.ts';
import type { Db } from '../../platform/db/client.ts';
import { selectClocks } from './store.ts';
import { selectBalance } from './store-ledger.ts';
import { entitlements, ledgerEntries, memberReads, membershipGrants, memberships, quotaUses } from './tables.ts';

/** Returns everything that this slice keeps about a user, by kind. */
export async function selectPersonalData(db: Db, userId: number) {
  const ledger = await db
    .select({
      at: ledgerEntries.createdAt,
      coins: ledgerEntries.amount,
      kind: ledgerEntries.kind,
      ref: ledgerEntries.ref,
      note: ledgerEntries.note,
    })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.userId, userId))
    .orderBy(ledgerEntries.id);
  const downloads = await db
    .select({
      documentId: entitlements.documentId,
      name: documents.name,
      method: entitlements.method,
      coins: entitlements.coins,
      at: entitlements.createdAt,
    })
    .from(entitlements)
    .innerJoin(documents, eq(documents.id, entitlements.documentId))
    .where(eq(entitlements.userId, userId))
    .orderBy(entitlements.createdAt);
  const grants = await db
    .select({
      at: membershipGrants.createdAt,
      tier: membershipGrants.tier,
      days: membershipGrants.days,
      kind: membershipGrants.kind,
      reason: membershipGrants.reason,
      revokedAt: membershipGrants.revokedAt,
    })
    .from(membershipGrants)
    .where(eq(membershipGrants.userId, userId))
    .orderBy(membershipGrants.id);
  const quotas = await db
    .select({ kind: quotaUses.kind, period: quotaUses.period, used: quotaUses.used })
    .from(quotaUses)
    .where(eq(quotaUses.userId, userId));
  const countedReads = await db
    .select({ documentId: memberReads.documentId, month: memberReads.month })
    .from(memberReads)
    .where(eq(memberReads.userId, userId));
  return {
    coins: { balance: await selectBalance(db, userId), ledger },
    membership: { ...(await selectClocks(db, userId)), grants },
    downloads,
    quotas,
    countedReads,
  };
}

/**
 * Deletes a user's data except the ledger, the entitlements that coins paid for, and the grants without their reasons.
 */
export async function deletePersonalData(db: Db, userId: number): Promise<void> {
  await db.delete(quotaUses).where(eq(quotaUses.userId, userId));
  await db.delete(memberReads).where(eq(memberReads.userId, userId));
  // Coupons and their counts are deleted together, so that the ledger's rules still hold.
  await db.delete(entitlements).where(and(eq(entitlements.userId, userId), ne(entitlements.method, 'coin')));
  await db.delete(memberships).where(eq(memberships.userId, userId));
  await db.update(membershipGrants).set({ reason: '' }).where(eq(membershipGrants.userId, userId));
}
