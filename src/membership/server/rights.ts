import type { Ctx } from '../../context.ts';
import type { DocumentState, HiddenReason } from '../../library/server/tables.ts';
import { failed } from '../../protocol/envelope.ts';
import { READS_A_MONTH, tierAt, type Tier } from '../rules.ts';
import { selectClocks, selectEntitledDocuments, selectEntitlement, upsertRead } from './store.ts';

/** Returns the caller's tier at this moment (C-32): 0 none, 1 standard, 2 advanced; 0 for visitors. */
export async function tierOf(ctx: Ctx): Promise<Tier> {
  if (!ctx.session) return 0;
  return tierAt(await selectClocks(ctx.db, ctx.session.userId), ctx.clock.now());
}

/** Returns whether the caller has downloaded this document before, by whatever means: it is theirs for ever (C-34). */
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
 * Counts one more document that a member has read this month, up to what the tier allows (C-40). The caller makes sure
 * that a document counts once a month. Ordinary users are not counted. Returns false when nothing was left to count.
 */
export async function countRead(ctx: Ctx): Promise<boolean> {
  const tier = await tierOf(ctx);
  if (!ctx.session || tier === 0) return true;
  return upsertRead(ctx.db, ctx.session.userId, new Date(ctx.clock.now()), READS_A_MONTH[tier]);
}

/**
 * Returns whether a document is hidden for legal reasons: then not even those who paid for it may download it (C-112).
 */
export const isTakenDown = (document: { state: DocumentState; hiddenReason: HiddenReason | null }) =>
  document.state === 'hidden' && document.hiddenReason !== 'operator';

export const originalLost = () => failed('文件已损坏，正在修复，暂时无法下载；没有扣除任何费用');

export const previewOnly = () => failed('该文件含有宏，仅供在线预览，不提供下载');
