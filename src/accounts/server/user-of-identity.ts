import { transact, type Ctx } from '../../context.ts';
import { registerUser } from './register-user.ts';
import { findUserOfOpenid, findUserOfUnionid, keepIdentity, lockPerson, type Identity } from './store-identities.ts';
import { lockUser } from './store.ts';

/**
 * Whose WeChat this is, and an account of their own for whoever was never seen. `unionid` joins the mini program's and
 * the official account's names of one person into one account. Null when the user is banned. One person's scans come one
 * after another, so that two at once make one account.
 */
export function userOfIdentity(
  ctx: Ctx,
  identity: Identity,
  newcomer: { nickname?: string; channel?: string },
): Promise<number | null> {
  return transact(ctx, async (tx) => {
    // First the openid, then the person: two requests never hold what the other waits for.
    await lockPerson(tx.db, `${identity.provider}:${identity.openid}`);
    if (identity.unionid) await lockPerson(tx.db, `union:${identity.unionid}`);
    const userId = (await findUserOfIdentity(tx, identity)) ?? (await registerUser(tx, newcomer));
    if (userId === null) throw new Error('an account without a phone was refused');
    await keepIdentity(tx.db, identity, userId, new Date(tx.clock.now()));
    const user = await lockUser(tx.db, userId);
    return user?.state === 'active' ? userId : null;
  });
}

/** Whose WeChat this is; null when it belongs to no account. Makes none. */
export async function findUserOfIdentity(ctx: Ctx, identity: Identity): Promise<number | null> {
  const known = await findUserOfOpenid(ctx.db, identity.provider, identity.openid);
  return known ?? (identity.unionid ? findUserOfUnionid(ctx.db, identity.unionid) : null);
}
