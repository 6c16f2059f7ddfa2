import type { Ctx } from '../../context.ts';
import type { DocumentState, HiddenReason } from '../../library/server/tables.ts';
import { failed, notLoggedIn } from '../../protocol/envelope.ts';
import type { Session } from '../../platform/http/api/request-context.ts';
import { READS_A_MONTH, type Tier } from '../rules.ts';
import {
  countEntitlements,
  hasMemberRead,
  insertMemberRead,
  selectEntitledDocuments,
  selectEntitlement,
  selectEntitlements,
  selectStanding,
} from './store.ts';

type CallerStanding = Awaited<ReturnType<typeof selectStanding>>;

/** Queries under way, by the session object of one request. */
const standings = new WeakMap<Session, Promise<CallerStanding>>();

/**
 * Returns the clocks, coins, coupons and reads of the caller at this moment; null for visitors. The loaders of one page ask at the same
 * time: they share one query. A later call asks the database again.
 */
export function findStanding(ctx: Ctx): Promise<CallerStanding> {
  const { session } = ctx;
  if (!session) return Promise.resolve(null);
  const underWay = standings.get(session);
  if (underWay) return underWay;
  const standing = selectStanding(ctx.db, session.userId, new Date(ctx.clock.now())).finally(() =>
    standings.delete(session),
  );
  standings.set(session, standing);
  return standing;
}

/** Returns the caller's tier at this moment (C-32): 0 none, 1 standard, 2 advanced; 0 for visitors. */
export async function tierOf(ctx: Ctx): Promise<Tier> {
  return (await findStanding(ctx))?.tier ?? 0;
}

/** Returns whether the caller has downloaded this document before, by coupon, coins or membership: the right never ends (C-34). */
export async function hasEntitlement(ctx: Ctx, documentId: number): Promise<boolean> {
  if (!ctx.session) return false;
  return (await selectEntitlement(ctx.db, ctx.session.userId, documentId)) !== null;
}

/** Returns which of the documents the caller has downloaded before, in one query. */
export async function listOwned(ctx: Ctx, documentIds: number[]): Promise<number[]> {
  if (!ctx.session || documentIds.length === 0) return [];
  return selectEntitledDocuments(ctx.db, ctx.session.userId, documentIds);
}

/**
 * Lists what the caller has the right to download again, the newest first, with how it was paid for, and the total. Empty
 * for visitors.
 */
export async function listEntitlements(ctx: Ctx, page: { limit: number; offset: number }) {
  if (!ctx.session) return { rows: [], total: 0 };
  const { userId } = ctx.session;
  const [rows, total] = await Promise.all([
    selectEntitlements(ctx.db, userId, page),
    countEntitlements(ctx.db, userId),
  ]);
  return { rows, total };
}

/**
 * Counts a document that a member reads, once a month, up to what the tier allows (C-40). Ordinary users are not
 * counted: what they see as such is a preview, and their first read as a member counts. Returns the tier that decided;
 * `isLimited`: the reads of the month are used up and the document is not among them.
 */
export async function countRead(ctx: Ctx, documentId: number): Promise<{ tier: Tier; isLimited: boolean }> {
  if (!ctx.session) return { tier: 0, isLimited: false };
  const read = { userId: ctx.session.userId, documentId, at: new Date(ctx.clock.now()) };
  const [tier, isCounted] = await Promise.all([tierOf(ctx), hasMemberRead(ctx.db, read)]);
  if (tier === 0 || isCounted) return { tier, isLimited: false };
  const counted = await insertMemberRead(ctx.db, read, READS_A_MONTH[tier]);
  // A concurrent request may have counted this very document as the last one that was left.
  return { tier, isLimited: counted === 'used-up' && !(await hasMemberRead(ctx.db, read)) };
}

/** Returns the caller's tier and coins. Throws notLoggedIn. */
export async function readingStanding(ctx: Ctx): Promise<{ tier: Tier; balance: number }> {
  if (!ctx.session) throw notLoggedIn();
  const standing = await findStanding(ctx);
  return { tier: standing?.tier ?? 0, balance: standing?.balance ?? 0 };
}

/** Returns when the caller got the document for ever; null when they do not own it. */
export async function findEntitledAt(ctx: Ctx, documentId: number): Promise<Date | null> {
  if (!ctx.session) return null;
  return (await selectEntitlement(ctx.db, ctx.session.userId, documentId))?.createdAt ?? null;
}

/**
 * Returns whether a document is hidden for legal reasons: then not even those who paid for it may download it (C-112).
 */
export const isTakenDown = (document: { state: DocumentState; hiddenReason: HiddenReason | null }) =>
  document.state === 'hidden' && document.hiddenReason !== 'operator';

export const originalLost = () => failed('文件已损坏，正在修复，暂时无法下载；没有扣除任何费用');

export const previewOnly = () => failed('该文件含有宏，仅供在线预览，不提供下载');
