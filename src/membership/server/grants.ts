import { randomUUID } from 'node:crypto';
import { raiseSessionLimit } from '../../accounts/server/sessions.ts';
import { transact, type Ctx } from '../../context.ts';
import { LIFETIME_DAYS, LIFETIME_SESSION_LIMIT, extendClocks, type Clocks } from '../rules.ts';
import { LedgerConflict, postTransfer, type Posted } from './ledger.ts';
import { insertGrant, lockClocks, selectClocks, selectGrant, updateClocks, type NewGrant } from './store.ts';

/**
 * Grants coins from the operator. With a `ref` the call is safe to repeat: the same grant again changes nothing, and
 * another user or amount under that ref throws LedgerConflict. Without a ref every call is a new grant.
 */
export function grantCoins(
  ctx: Ctx,
  grant: { userId: number; coins: number; reason: string; ref?: string },
): Promise<Posted> {
  const { userId, coins, reason, ref = randomUUID() } = grant;
  return postTransfer(ctx, { userId, amount: coins, kind: 'grant', ref, note: reason });
}

export type MembershipGrant = Omit<NewGrant, 'kind' | 'ref'> & Partial<Pick<NewGrant, 'kind' | 'ref'>>;

/**
 * Grants days of a tier, stacked by C-32, in one transaction (the caller's, if there is one). The same (kind, ref)
 * again changes nothing; another user, tier or length under it throws LedgerConflict; without a ref every call is a new
 * grant. `kind` is the operator's by default. A grant for life also allows twenty sessions (C-43).
 */
export function grantMembership(ctx: Ctx, input: MembershipGrant): Promise<{ clocks: Clocks; isNew: boolean }> {
  const grant: NewGrant = { kind: 'operator', ref: randomUUID(), ...input };
  return transact(ctx, async (tx) => {
    const now = tx.clock.now();
    if (!(await insertGrant(tx.db, grant, new Date(now)))) {
      await refuseOther(tx, grant);
      return { clocks: await selectClocks(tx.db, grant.userId), isNew: false };
    }
    const clocks = extendClocks(await lockClocks(tx.db, grant.userId), grant.tier, grant.days, now);
    await updateClocks(tx.db, grant.userId, clocks);
    if (grant.days > LIFETIME_DAYS) await raiseSessionLimit(tx, grant.userId, LIFETIME_SESSION_LIMIT);
    return { clocks, isNew: true };
  });
}

async function refuseOther(ctx: Ctx, grant: NewGrant): Promise<void> {
  const before = await selectGrant(ctx.db, grant.kind, grant.ref);
  const isSame = before?.userId === grant.userId && before.tier === grant.tier && before.days === grant.days;
  if (!isSame) throw new LedgerConflict(`${grant.kind} ${grant.ref} was granted before with other content`);
}

/** Returns whether an operator's grant with that ref was ever made, whatever became of the account since. */
export async function wasMembershipGranted(ctx: Ctx, ref: string): Promise<boolean> {
  return (await selectGrant(ctx.db, 'operator', ref)) !== null;
}
