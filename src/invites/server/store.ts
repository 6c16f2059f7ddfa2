import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { users } from '../../accounts/server/tables.ts';
import { ledgerEntries } from '../../membership/server/tables.ts';
import type { Db } from '../../platform/db/client.ts';
import { invites, rewardedPhones } from './tables.ts';

/** Binds an invitee to the inviter. Nothing happens when the invitee is bound, or when either account is not there or not in use. */
export async function insertInvite(
  db: Db,
  invite: Pick<typeof invites.$inferInsert, 'inviteeId' | 'inviterId' | 'createdAt' | 'addressIndex'>,
): Promise<void> {
  const { inviteeId, inviterId, createdAt, addressIndex } = invite;
  await db.execute(sql`
    insert into invites (invitee_id, inviter_id, created_at, address_index)
    select invitee.id, inviter.id, ${createdAt.toISOString()}, ${addressIndex}
    from users invitee, users inviter
    where invitee.id = ${inviteeId} and invitee.state <> 'erased' and inviter.id = ${inviterId} and inviter.state = 'active'
      and inviter.id <> invitee.id
    on conflict do nothing`);
}

/** Returns the invitees of a member with their names, the last first. */
export function selectInvites(db: Db, page: { inviterId: number; limit: number; offset: number }) {
  const { inviteeId, createdAt, coins, decidedAt } = invites;
  // The names are looked up for the page alone: of thousands of invitees a page shows ten.
  const shown = db
    .select({ inviteeId, createdAt, coins, decidedAt })
    .from(invites)
    .where(eq(invites.inviterId, page.inviterId))
    .orderBy(desc(createdAt), desc(inviteeId))
    .limit(page.limit)
    .offset(page.offset)
    .as('shown');
  return db
    .select({
      id: shown.inviteeId,
      nickname: users.nickname,
      avatar: users.avatar,
      createdAt: shown.createdAt,
      coins: sql<number>`coalesce(${shown.coins}, 0)`,
      decidedAt: shown.decidedAt,
    })
    .from(shown)
    .innerJoin(users, eq(users.id, shown.inviteeId))
    .orderBy(desc(shown.createdAt), desc(shown.inviteeId));
}

export async function countInvites(db: Db, inviterId: number): Promise<number> {
  const [row] = await db.select({ total: count() }).from(invites).where(eq(invites.inviterId, inviterId));
  return row?.total ?? 0;
}

/** Returns the coins that a member was paid for invites, also for invitees whose accounts were erased since. */
export async function sumRewards(db: Db, inviterId: number): Promise<number> {
  const [row] = await db
    .select({ coins: sql<number>`coalesce(sum(${ledgerEntries.amount}), 0)::bigint` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.userId, inviterId), eq(ledgerEntries.kind, 'invite')));
  return row?.coins ?? 0;
}

/** Returns the invite of an invitee whose reward is not decided, locked until the transaction ends; null when there is none. */
export async function lockUndecidedInvite(db: Db, inviteeId: number) {
  const [row] = await db
    .select()
    .from(invites)
    .where(and(eq(invites.inviteeId, inviteeId), isNull(invites.decidedAt)))
    .for('update');
  return row ?? null;
}

/** Makes the rewards of one inviter come one after another until this transaction ends, so that each counts those before it. */
export async function lockRewardsOf(db: Db, inviterId: number): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invites:${inviterId}`}, 0))`);
}

/** Returns the keyed hash of an account's phone; null without a phone. */
export async function selectPhoneIndex(db: Db, userId: number): Promise<Buffer | null> {
  const [row] = await db
    .select({ phoneIndex: users.phoneIndex })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.state, 'active')));
  return row?.phoneIndex ?? null;
}

/** Returns what rewardOf asks about an invite; `since` is the beginning of the window of the limits. */
export async function selectRewardFacts(
  db: Db,
  invite: { inviterId: number; addressIndex: Buffer },
  phoneIndex: Buffer,
  since: Date,
) {
  const [inviter] = await db.select({ state: users.state }).from(users).where(eq(users.id, invite.inviterId));
  const [counted] = await db
    .select({
      rewards: count(),
      rewardsFromAddress: sql<number>`count(*) filter (where ${invites.addressIndex} = ${invite.addressIndex})`,
    })
    .from(invites)
    .where(and(eq(invites.inviterId, invite.inviterId), gt(invites.coins, 0), gt(invites.decidedAt, since)));
  const [paid] = await db.select().from(rewardedPhones).where(eq(rewardedPhones.phoneIndex, phoneIndex));
  if (!inviter || !counted) return null;
  return { inviterState: inviter.state, ...counted, isPhoneUsed: paid !== undefined };
}

export async function updateInviteDecided(
  db: Db,
  inviteeId: number,
  decided: { decidedAt: Date; coins: number },
): Promise<void> {
  await db.update(invites).set(decided).where(eq(invites.inviteeId, inviteeId));
}

/** Notes that a reward was paid for a phone. Fails when one was paid before. */
export async function insertRewardedPhone(db: Db, phoneIndex: Buffer, rewardedAt: Date): Promise<void> {
  await db.insert(rewardedPhones).values({ phoneIndex, rewardedAt });
}

/** Returns who invited a user and when, and the ids of the users they invited, for a copy of their data. */
export async function selectPersonalData(db: Db, userId: number) {
  const [invitedBy] = await db
    .select({ userId: invites.inviterId, at: invites.createdAt })
    .from(invites)
    .where(eq(invites.inviteeId, userId));
  const invited = await db
    .select({ userId: invites.inviteeId, at: invites.createdAt, coins: invites.coins })
    .from(invites)
    .where(eq(invites.inviterId, userId))
    .orderBy(invites.createdAt);
  return { invitedBy: invitedBy ?? null, invited };
}

/** Deletes the rows that name a user on either side. The coins that were paid stay in the ledger, and the hash of the phone in rewarded_phones. */
export async function deletePersonalData(db: Db, userId: number): Promise<void> {
  await db.delete(invites).where(or(eq(invites.inviteeId, userId), eq(invites.inviterId, userId)));
}
