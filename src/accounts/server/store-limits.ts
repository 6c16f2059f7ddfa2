import { and, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { loginFailures, vendorCalls } from './tables.ts';

// Wrong passwords

/** Returns when the lock of this account ends; null when the account is not locked. */
export async function selectLock(db: Db, accountKey: string, now: Date): Promise<Date | null> {
  const [row] = await db
    .select({ lockedUntil: loginFailures.lockedUntil })
    .from(loginFailures)
    .where(and(eq(loginFailures.accountKey, accountKey), gt(loginFailures.lockedUntil, now)));
  return row?.lockedUntil ?? null;
}

/**
 * Counts one try before the password is verified, so that of parallel guesses on any number of nodes at most `max` are
 * verified: the last of them locks the account, unless it is right and the tries are deleted. Returns false while the
 * account is locked. Tries older than the duration of a lock no longer count.
 */
export async function upsertLoginFailure(
  db: Db,
  options: { accountKey: string; now: Date; max: number; lockedUntil: Date; forgetBefore: Date },
): Promise<boolean> {
  const { accountKey, now, max, lockedUntil, forgetBefore } = options;
  const isStale = or(lte(loginFailures.lockedUntil, now), lt(loginFailures.updatedAt, forgetBefore));
  const failures = sql`case when ${isStale} then 1 else ${loginFailures.failures} + 1 end`;
  const taken = await db
    .insert(loginFailures)
    .values({ accountKey, failures: 1, updatedAt: now })
    .onConflictDoUpdate({
      target: loginFailures.accountKey,
      set: {
        failures,
        updatedAt: now,
        lockedUntil: sql`case when ${failures} >= ${max} then ${lockedUntil}::timestamptz end`,
      },
      setWhere: or(isNull(loginFailures.lockedUntil), lte(loginFailures.lockedUntil, now)),
    })
    .returning({ accountKey: loginFailures.accountKey });
  return taken.length > 0;
}

export const deleteLoginFailures = (db: Db, accountKeys: string[]) =>
  db.delete(loginFailures).where(inArray(loginFailures.accountKey, accountKeys));

/** Deletes an account's failures at every address: their keys begin with the account's key. */
export const deleteAllLoginFailures = (db: Db, accountKey: string) =>
  db
    .delete(loginFailures)
    .where(
      or(eq(loginFailures.accountKey, accountKey), sql`starts_with(${loginFailures.accountKey}, ${`${accountKey}@`})`),
    );

export const deleteOldLoginFailures = (db: Db, before: Date) =>
  db.delete(loginFailures).where(lt(loginFailures.updatedAt, before));

// Calls to vendors

/** Returns the calls to a vendor since `since`. Reads at most 1,440 rows, one for each minute of a day. */
export async function countVendorCalls(db: Db, vendor: string, since: Date): Promise<number> {
  const [row] = await db
    .select({ calls: sql<number>`coalesce(sum(${vendorCalls.calls}), 0)::int` })
    .from(vendorCalls)
    .where(and(eq(vendorCalls.vendor, vendor), gt(vendorCalls.minute, since)));
  return row?.calls ?? 0;
}

/** Counts one call. Returns the calls of the minute with this one; null when there were `max` already. */
export async function upsertVendorCall(db: Db, vendor: string, minute: Date, max: number): Promise<number | null> {
  const [row] = await db
    .insert(vendorCalls)
    .values({ vendor, minute, calls: 1 })
    .onConflictDoUpdate({
      target: [vendorCalls.vendor, vendorCalls.minute],
      set: { calls: sql`${vendorCalls.calls} + 1` },
      setWhere: sql`${vendorCalls.calls} < ${max}`,
    })
    .returning({ calls: vendorCalls.calls });
  return row?.calls ?? null;
}

export const deleteOldVendorCalls = (db: Db, before: Date) =>
  db.delete(vendorCalls).where(lt(vendorCalls.minute, before));
