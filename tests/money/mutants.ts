import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { requireSession } from '../../src/accounts/server/sessions.ts';
import { decideDownload, isExpected, READS_A_MONTH } from '../../src/membership/rules.ts';
import { getDownload } from '../../src/membership/server/download-document.ts';
import { insufficient, priceChanged } from '../../src/membership/server/refusals.ts';
import { findStanding } from '../../src/membership/server/rights.ts';
import { entitlements, ledgerEntries } from '../../src/membership/server/tables.ts';
import { openForReading } from '../../src/reading/server/whole/open-for-reading.ts';
import type { Verbs } from './compare.ts';
import { PRODUCT } from './compare.ts';

/**
 * A charge as one writes it first: it reads the balance, and then writes what it makes of it. `meet` lets the other of two
 * requests read as well before anything is written.
 */
const readThenWrite: Verbs['download'] = async (ctx, { fid, expect }, meet) => {
  const { userId } = requireSession(ctx);
  const at = new Date(ctx.clock.now());
  const facts = await getDownload(ctx, userId, fid, at);
  const { document, standing } = facts;
  const decision = decideDownload(document, standing);
  await meet();
  if (decision.method === 'insufficient') throw await insufficient(ctx, decision.code, facts, at);
  // Everything but coins is the product's own.
  if (decision.method !== 'coin') return PRODUCT.download(ctx, { fid, expect }, meet);
  if (!isExpected(decision, expect)) throw priceChanged();
  const { method, cost } = decision;
  const balance = standing.balance - cost;
  await ctx.db.execute(sql`update coin_accounts set balance = ${balance} where user_id = ${userId}`);
  const entry = { txnId: randomUUID(), kind: 'download' as const, ref: `${userId}/${fid}`, createdAt: at };
  await ctx.db
    .insert(ledgerEntries)
    .values([
      { ...entry, userId, amount: -cost },
      { ...entry, userId: 0, amount: cost },
    ])
    .onConflictDoNothing();
  await ctx.db
    .insert(entitlements)
    .values({ userId, documentId: fid, method, coins: cost, createdAt: at })
    .onConflictDoNothing();
  return { method, cost, balance, is_vip: standing.tier };
};

/** A count of reads that is looked at before it is raised. */
const lookThenCount: Verbs['read'] = async (ctx, documentId, meet) => {
  const standing = await findStanding(ctx);
  await meet();
  const opened = await openForReading(ctx, documentId);
  const wasLeft = standing !== null && standing.tier > 0 && standing.reads < READS_A_MONTH[standing.tier];
  return { right: wasLeft && opened.right === 'over-limit' ? 'membership' : opened.right };
};

/** Faulty calls, and the rule of the books that each one breaks. */
export const MUTANTS: { name: string; verbs: Verbs; breaks: string[] }[] = [
  {
    name: 'a charge that reads the balance and then writes it',
    verbs: { ...PRODUCT, download: readThenWrite },
    breaks: ['balance is the sum of the entries (INV-01)'],
  },
  // It gives pages away that nobody counts, which no row can show.
  {
    name: 'a limit of reads that is looked at before the count',
    verbs: { ...PRODUCT, read: lookThenCount },
    breaks: [],
  },
];
