import { and, eq, ne } from 'drizzle-orm';
import { documents } from '../../library/server/tables.ts';
import type { Db } from '../../platform/db/client.ts';
import { selectClocks } from './store.ts';
import { selectBalance } from './store-ledger.ts';
import { entitlements, ledgerEntries, membershipGrants, memberships, quotaUses } from './tables.ts';

/** Far beyond what one person can have. */
const MOST = 200_000;

/** Everything this slice keeps about a user, by kind. */
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
    .orderBy(ledgerEntries.id)
    .limit(MOST);
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
    .orderBy(entitlements.createdAt)
    .limit(MOST);
  const grants = await db
    .select({
      at: membershipGrants.createdAt,
      tier: membershipGrants.tier,
      days: membershipGrants.days,
      kind: membershipGrants.kind,
      reason: membershipGrants.reason,
    })
    .from(membershipGrants)
    .where(eq(membershipGrants.userId, userId))
    .orderBy(membershipGrants.id)
    .limit(MOST);
  const quotas = await db
    .select({ kind: quotaUses.kind, period: quotaUses.period, used: quotaUses.used })
    .from(quotaUses)
    .where(eq(quotaUses.userId, userId))
    .limit(MOST);
  return {
    coins: { balance: await selectBalance(db, userId), ledger },
    membership: { ...(await selectClocks(db, userId)), grants },
    downloads,
    quotas,
  };
}

/** Leaves the ledger, the rights coins paid for, and the bare grants. */
export async function deletePersonalData(db: Db, userId: number): Promise<void> {
  await db.delete(quotaUses).where(eq(quotaUses.userId, userId));
  // Coupons and their count go together, so that the books still agree.
  await db.delete(entitlements).where(and(eq(entitlements.userId, userId), ne(entitlements.method, 'coin')));
  await db.delete(memberships).where(eq(memberships.userId, userId));
  await db.update(membershipGrants).set({ reason: '' }).where(eq(membershipGrants.userId, userId));
}
