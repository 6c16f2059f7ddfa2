import { requireSession } from '../../accounts/server/sessions.ts';
import { isPreviewOnly } from '../../library/rules.ts';
import { listPrices } from '../../prices/server/prices.ts';
import type { Ctx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import { conflict, notFound, Refusal } from '../../protocol/envelope.ts';
import type { WaysOut } from '../contract-ways-out.ts';
import type { ReadingRight } from '../rules.ts';
import { waysOut, type Wanted } from '../ways-out.ts';
import { selectDownloadFacts, type DownloadFacts } from './store.ts';

/**
 * Returns what this user lacks for a document and the ways to it (§8, C-42), from the facts that a download is decided
 * by. Prices are read only for a user who would pay.
 */
export async function findWaysOut(ctx: Ctx, wanted: Wanted, facts: DownloadFacts, at: Date): Promise<WaysOut> {
  const document = { ...facts.document, isPreviewOnly: isPreviewOnly(facts.file) };
  const now = at.getTime();
  const isForNothing = wanted !== 'chart' && (document.isOwned || (wanted === 'download' && document.priceCoins === 0));
  const onSale = isForNothing ? NOTHING_ON_SALE : await ctx.request.share('prices on sale', () => listPrices(ctx));
  return waysOut(wanted, { document, standing: facts.standing }, onSale, now);
}

const NOTHING_ON_SALE = { vip: [], miao: [] };

/** The refusal 60 of a charge that differs from the one that the caller agreed to (C-36). */
export const priceChanged = () => conflict('价格已变化，请确认后重试');

/** Returns the refusal 31 or 33 of a download, in the words of C-42. */
export async function insufficient(ctx: Ctx, code: 31 | 33, facts: DownloadFacts, at: Date): Promise<Refusal> {
  const data = await findWaysOut(ctx, 'download', facts, at);
  if (code === CODE.downloadLimit) return new Refusal(code, '您的下载次数已达上限~', data);
  const isMember = data.is_vip > 0;
  return new Refusal(
    code,
    isMember ? '今日免费下载额度已用完，请充值喵币' : '喵币余额不足，请充值，或开通VIP免费下载',
    data,
  );
}

/** Returns the refusal 34 of a member over the reads of the month (C-40). */
export async function readLimitReached(ctx: Ctx, facts: DownloadFacts, at: Date): Promise<Refusal> {
  const data = await findWaysOut(ctx, 'reading', facts, at);
  return new Refusal(CODE.readLimit, '本月阅读次数已达上限，下月1日恢复', data);
}

/**
 * Returns the refusal of the pages after the preview, by the right that the caller has: 34 for a member over the reads
 * of the month, 50 for an ordinary user (C-41); code 4 when the document is gone meanwhile.
 */
export async function readingRefused(
  ctx: Ctx,
  documentId: number,
  right: Exclude<ReadingRight, 'owned' | 'membership'>,
): Promise<Refusal> {
  const at = new Date(ctx.clock.now());
  const facts = await selectDownloadFacts(ctx.db, requireSession(ctx).userId, documentId, at);
  if (!facts) return notFound();
  if (right === 'over-limit') return readLimitReached(ctx, facts, at);
  return new Refusal(CODE.notPermitted, '开通VIP即可无广告阅读原文', await findWaysOut(ctx, 'reading', facts, at));
}

/** Returns the refusal 50 of a chart, in words that say which part of it (C-39); code 4 when the document is gone meanwhile. */
export async function chartRefused(ctx: Ctx, documentId: number, what: '数字' | '原图'): Promise<Refusal> {
  const at = new Date(ctx.clock.now());
  const facts = await selectDownloadFacts(ctx.db, requireSession(ctx).userId, documentId, at);
  if (!facts) return notFound();
  return new Refusal(CODE.notPermitted, `开通高级VIP可查看图表${what}`, await findWaysOut(ctx, 'chart', facts, at));
}
