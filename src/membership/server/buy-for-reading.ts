import { requireSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { tooFrequent } from '../../protocol/envelope.ts';
import { isExpected, type ExpectedCharge } from '../rules.ts';
import { getDownload, MAX_ATTEMPTS } from './download-document.ts';
import { priceChanged, readLimitReached } from './refusals.ts';
import { payForDocument } from './store-payments.ts';

/**
 * Pays with coins for a document that a member wants to read over the reads of the month (C-41): it is owned from then
 * on. A document that is owned costs nothing, and one without a price neither. Throws notFound, previewOnly, priceChanged
 * when `expect` no longer holds, and readLimitReached (34) when the coins do not suffice.
 */
export async function buyForReading(
  ctx: Ctx,
  documentId: number,
  expect: ExpectedCharge,
): Promise<{ method: 'owned' | 'free' | 'coin'; cost: number; balance: number }> {
  const { userId } = requireSession(ctx);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const at = new Date(ctx.clock.now());
    const facts = await getDownload(ctx, userId, documentId, at);
    const { document } = facts;
    const { balance } = facts.standing;
    const cost = document.priceCoins;
    if (document.isOwned) return { method: 'owned', cost: 0, balance };
    const method = cost === 0 ? 'free' : 'coin';
    if (!isExpected({ method, cost }, expect)) throw priceChanged();
    if (balance < cost) throw await readLimitReached(ctx, facts, at);
    const paid = await payForDocument(ctx.db, { userId, documentId, priceCoins: cost, at, method });
    if (paid !== 'lost') return { method, cost, balance: paid.balance ?? balance };
  }
  throw tooFrequent(1);
}
