import type { PersonalData } from '../../accounts/server/personal-data.ts';
import { requireSession } from '../../accounts/server/sessions.ts';
import { transact, type Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { postTransfer } from '../../membership/server/ledger.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { offsetOf } from '../../protocol/paging.ts';
import { INVITE_PAGE_SIZE, type listInvites as endpoint } from '../contract.ts';
import { REWARD_WINDOW_MS, rewardOf } from '../rules.ts';
import {
  countInvites,
  deletePersonalData,
  insertInvite,
  insertRewardedPhone,
  lockRewardsOf,
  lockUndecidedInvite,
  selectInvites,
  selectPersonalData,
  selectPhoneIndex,
  selectRewardFacts,
  sumRewards,
  updateInviteDecided,
} from './store.ts';

/** Returns a page of the people who registered by the caller's links (C-89). */
export async function listInvites(ctx: Ctx, { page }: Parsed<typeof endpoint>): Promise<Output<typeof endpoint>> {
  const { userId } = requireSession(ctx);
  const wanted = { page, pageSize: INVITE_PAGE_SIZE };
  const [rows, total, coins] = await Promise.all([
    selectInvites(ctx.db, { inviterId: userId, limit: INVITE_PAGE_SIZE, offset: offsetOf(wanted) }),
    countInvites(ctx.db, userId),
    sumRewards(ctx.db, userId),
  ]);
  const users = rows.map(({ createdAt, decidedAt, ...row }) => ({
    ...row,
    is_unrewarded: decidedAt !== null && row.coins === 0 ? (1 as const) : (0 as const),
    headimgurl: row.avatar,
    invite_text: `${dayText(createdAt)} 注册`,
    create_time: Math.floor(createdAt.getTime() / 1_000),
  }));
  return {
    invite_users: users,
    reward_coins: ctx.config.inviteRewardCoins,
    earned_coins: coins,
    page,
    page_size: INVITE_PAGE_SIZE,
    total,
  };
}

/** Binds a new account to the member whose link it came by, once (C-90), and pays the reward if the account has a phone already. */
export async function bindInvite(
  ctx: Ctx,
  registered: { userId: number; inviterId: number; addressIndex: string; at: number },
): Promise<void> {
  await insertInvite(ctx.db, {
    inviteeId: registered.userId,
    inviterId: registered.inviterId,
    createdAt: new Date(registered.at),
    addressIndex: Buffer.from(registered.addressIndex, 'base64url'),
  });
  await rewardInviter(ctx, registered.userId);
}

/**
 * Pays the inviter of an invitee who has a phone, once for each invitee (C-90): the invite is locked, and the ledger knows the transfer by
 * the invitee. A limit that is reached decides on 0 coins. Without INVITE_REWARD_COINS nothing is decided.
 */
export async function rewardInviter(ctx: Ctx, inviteeId: number): Promise<void> {
  const { inviteRewardCoins } = ctx.config;
  if (inviteRewardCoins === 0) return;
  await transact(ctx, async (tx) => {
    const invite = await lockUndecidedInvite(tx.db, inviteeId);
    const phoneIndex = invite && (await selectPhoneIndex(tx.db, inviteeId));
    if (!invite || !phoneIndex) return;
    await lockRewardsOf(tx.db, invite.inviterId);
    const now = tx.clock.now();
    const facts = await selectRewardFacts(tx.db, invite, phoneIndex, new Date(now - REWARD_WINDOW_MS));
    if (!facts) return;
    const coins = rewardOf(inviteRewardCoins, facts);
    await updateInviteDecided(tx.db, inviteeId, { decidedAt: new Date(now), coins });
    if (coins > 0) await insertRewardedPhone(tx.db, phoneIndex, new Date(now));
    if (coins === 0) {
      tx.log.info({ inviteeId, inviterId: invite.inviterId }, 'an invite is not rewarded: a limit is reached');
      return;
    }
    const { inviterId } = invite;
    await postTransfer(tx, { userId: inviterId, amount: coins, kind: 'invite', ref: String(inviteeId), note: '' });
  });
}

/** Personal data: who invited a user, and whom they invited. */
export const invitesPersonalData: PersonalData = {
  collect: async (ctx, userId) => ({ invites: await selectPersonalData(ctx.db, userId) }),
  erase: (ctx, userId) => deletePersonalData(ctx.db, userId),
};
