import { requireSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { isPreviewOnly } from '../../library/rules.ts';
import { isOriginalRestored, originalKey, recordOriginalState } from '../../library/server/originals.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { notFound, tooFrequent, unavailable } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import { downloadFileName } from '../file-name.ts';
import { DOWNLOADS_A_MONTH, couponsLeft, decideDownload, downloadsLeft, isExpected, type Decision } from '../rules.ts';
import { isTakenDown, originalLost, previewOnly } from './rights.ts';
import { findWaysOut, insufficient, priceChanged } from './refusals.ts';
import { makeDownloadLink } from './serve-download.ts';
import { payForDocument, type Payment } from './store-payments.ts';
import { selectDownloadFacts, type DownloadFacts } from './store.ts';

/** Each further attempt means that another request of this user has changed something in between. */
export const MAX_ATTEMPTS = 5;

type Settled = Exclude<Decision, { method: 'insufficient' }>;

/**
 * Returns a link to the original, paid for once and for ever in the order of C-34. Before anything is charged (INV-32)
 * it throws notFound for a document that is not published or has no file, originalLost while the stored bytes are known
 * to be wrong or are of another size, and unavailable when the file store is down. Throws insufficient with 31 or 33 and the ways out, and priceChanged when
 * `expect` no longer holds.
 */
export async function downloadDocument(
  ctx: Ctx,
  input: Parsed<typeof contract.downloadDocument>,
): Promise<Output<typeof contract.downloadDocument>> {
  const { userId } = requireSession(ctx);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const at = new Date(ctx.clock.now());
    const facts = await getDownload(ctx, userId, input.fid, at);
    const decision = decideDownload(facts.document, facts.standing);
    if (decision.method === 'insufficient') throw await insufficient(ctx, decision.code, facts, at);
    if (!isExpected(decision, input.expect)) throw priceChanged();
    if (attempt === 0) await checkStored(ctx, facts);
    if (decision.method === 'owned') return answer(ctx, facts, decision, facts.standing.balance);
    const paid = await payForDocument(ctx.db, paymentOf(userId, facts, decision.method, at));
    if (paid !== 'lost') return answer(ctx, facts, decision, paid.balance ?? facts.standing.balance);
  }
  throw tooFrequent(1);
}

/**
 * Returns the facts that decide a download. Throws notFound for a document that this user may not download at any
 * price, and previewOnly.
 */
export async function getDownload(ctx: Ctx, userId: number, documentId: number, at: Date): Promise<DownloadFacts> {
  const facts = await selectDownloadFacts(ctx.db, userId, documentId, at);
  const isAvailable = facts?.document.isOwned ? !isTakenDown(facts.document) : facts?.document.state === 'published';
  if (!facts || !isAvailable) throw notFound();
  if (isPreviewOnly(facts.file)) throw previewOnly();
  return facts;
}

async function checkStored(ctx: Ctx, { document, file }: DownloadFacts): Promise<void> {
  const stored = await ctx.files.stat(originalKey(file.sha256)).catch((error: unknown) => {
    ctx.log.error({ error, documentId: document.id }, 'the file store does not answer');
    throw unavailable();
  });
  if (stored?.size !== file.sizeBytes) {
    await recordOriginalState(ctx, file, stored ? 'damaged' : 'missing');
    throw stored ? originalLost() : notFound();
  }
  if (!(await isOriginalRestored(ctx, file, stored))) throw originalLost();
}

function paymentOf(
  userId: number,
  { document, standing }: DownloadFacts,
  method: 'free' | 'coupon' | 'coin',
  at: Date,
): Payment {
  const what = { userId, documentId: document.id, priceCoins: document.priceCoins, at };
  if (method === 'coupon') return { ...what, method, monthlyCap: DOWNLOADS_A_MONTH[standing.tier] };
  return { ...what, method };
}

function answer(ctx: Ctx, { document, file, standing }: DownloadFacts, decision: Settled, balance: number) {
  return {
    url: makeDownloadLink(ctx.signer, { documentId: document.id, fileId: file.id }, ctx.clock.now()),
    file_name: downloadFileName(document.name, document.id, file.fileType),
    size: file.sizeBytes,
    sha256: file.sha256,
    method: decision.method,
    cost: decision.cost,
    balance,
    is_vip: standing.tier,
  };
}

/** Returns what a download would do and cost, without doing it (C-36), and what is missing where it would be refused. Throws notFound like the download itself. */
export async function quoteDownload(
  ctx: Ctx,
  input: Parsed<typeof contract.quoteDownload>,
): Promise<Output<typeof contract.quoteDownload>> {
  const { userId } = requireSession(ctx);
  const at = new Date(ctx.clock.now());
  const facts = await getDownload(ctx, userId, input.fid, at);
  const { standing } = facts;
  const decision = decideDownload(facts.document, standing);
  const { download: _download, ...ways } = await findWaysOut(ctx, 'download', facts, at);
  const isPaid = decision.method !== 'insufficient';
  return {
    ...ways,
    method: decision.method,
    cost: decision.cost,
    balance_after: isPaid ? standing.balance - decision.cost : standing.balance,
    today_left: couponsLeft(standing),
    month_left: downloadsLeft(standing),
    code: isPaid ? CODE.ok : decision.code,
  };
}
