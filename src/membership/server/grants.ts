import { randomUUID } from 'node:crypto';
import { setLifetimeSessions } from '../../accounts/server/sessions.ts';
import { type Ctx, transact, type TransactionCtx } from '../../context.ts';
import { LIFETIME_DAYS, NO_MEMBERSHIP, extendClocks, type Clocks } from '../rules.ts';
import { LedgerConflict, postTransfer, type Posted } from './ledger.ts';
import {
  insertGrant,
  lockClocks,
  selectClocks,
  selectGrant,
  selectGrants,
  updateClocks,
  updateGrantRevoked,
  type NewGrant,
} from './store.ts';

/**
 * Grants coins from the operator. With a `ref` the call is safe to repeat: the same grant again changes nothing, and
 * another user or amount under that ref throws LedgerConflict. Without a ref every call is a new grant.
 */
export function grantCoins(
  ctx: TransactionCtx,
  grant: { userId: number; coins: number; reason: string; ref?: string },
): Promise<Posted> {
  const { userId, coins, reason, ref = randomUUID() } = grant;
  return postTransfer(ctx, { userId, amount: coins, kind: 'grant', ref, note: reason });
}

const isForLife = ({ days }: { days: number }) => days > LIFETIME_DAYS;

type MembershipGrant = Omit<NewGrant, 'kind' | 'ref'> & Partial<Pick<NewGrant, 'kind' | 'ref'>>;

/**
 * Grants days of a tier, stacked by C-32, in one transaction (the caller's, if there is one). The same (kind, ref)
 * again changes nothing; another user, tier or length under it throws LedgerConflict; without a ref every call is a new
 * grant. `kind` is the operator's by default. A grant for life also allows more sessions (C-43).
 */
export function grantMembership(
  ctx: TransactionCtx,
  input: MembershipGrant,
): Promise<{ clocks: Clocks; isNew: boolean }> {
  const grant: NewGrant = { kind: 'operator', ref: randomUUID(), ...input };
  return transact(ctx, async (tx) => {
    const now = tx.clock.now();
    if (!(await insertGrant(tx.db, grant, new Date(now)))) {
      await refuseOther(tx, grant);
      return { clocks: await selectClocks(tx.db, grant.userId), isNew: false };
    }
    // Before the clocks: a settlement locks the user first as well, and one of the two would wait for the other for ever.
    if (isForLife(grant)) await setLifetimeSessions(tx, grant.userId, true);
    const clocks = extendClocks(await lockClocks(tx.db, grant.userId), grant.tier, grant.days, now);
    await updateClocks(tx.db, grant.userId, clocks);
    return { clocks, isNew: true };
  });
}

/**
 * Takes a grant back, for money that was refunded: the clocks become what the remaining grants make of them, each counted
 * from the day it was given, and without a grant for life the user has the limit of sessions of all others (C-43). Returns false when there is no such grant or it was taken back before.
 */
export function revokeMembership(ctx: TransactionCtx, grant: Pick<NewGrant, 'kind' | 'ref'>): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const userId = await updateGrantRevoked(tx.db, grant, new Date(tx.clock.now()));
    if (userId === null) return false;
    await lockClocks(tx.db, userId);
    const left = await selectGrants(tx.db, userId);
    const clocks = left.reduce(
      (sum, { tier, days, createdAt }) => extendClocks(sum, tier, days, createdAt.getTime()),
      NO_MEMBERSHIP,
    );
    await updateClocks(tx.db, userId, clocks);
    await setLifetimeSessions(tx, userId, left.some(isForLife));
    return true;
  });
}

async function refuseOther(ctx: TransactionCtx, grant: NewGrant): Promise<void> {
  const before = await selectGrant(ctx.db, grant.kind, grant.ref);
  const isSame = before?.userId === grant.userId && before.tier === grant.tier && before.days === grant.days;
  if (!isSame) throw new LedgerConflict(`${grant.kind} ${grant.ref} was granted before with other content`);
}

/** Returns whether an operator's grant with that ref was ever made, even for an account that was erased since. */
export async function wasMembershipGranted(ctx: Ctx, ref: string): Promise<boolean> {
  return (await selectGrant(ctx.db, 'operator', ref)) !== null;
}
