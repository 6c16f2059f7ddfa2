import { randomBytes } from 'node:crypto';
import type { TransactionCtx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { tooFrequent } from '../../protocol/envelope.ts';
import { receiptNo, type ReceiptKind } from '../rules.ts';
import { WrongKey } from '../../platform/vault.ts';

/** Forms of one kind that are taken from one address in 24 hours: an office with a list of documents sends an e-mail. */
const MAX_A_DAY = 20;

const PURPOSE = 'legal-contact';

/** Returns the columns that every form's row has: a receipt number, the sealed means of contact, the address as a keyed hash, the moment. */
export function receiptOf(ctx: TransactionCtx, kind: ReceiptKind, contact: string) {
  const receivedAt = new Date(ctx.clock.now());
  return {
    receiptNo: receiptNo(kind, dayText(receivedAt), randomBytes(8)),
    contactSealed: ctx.vault.seal(PURPOSE, contact),
    addressIndex: ctx.vault.index('address', addressGroup(ctx.request.ip)),
    receivedAt,
  };
}

/** Returns the means of contact; of a row that was written under another SECRET_KEY words that say so. */
export function openContact(ctx: TransactionCtx, sealed: Buffer): string {
  try {
    return ctx.vault.open(PURPOSE, sealed);
  } catch (error) {
    if (error instanceof WrongKey) return '(sealed with another SECRET_KEY)';
    throw error;
  }
}

/** Throws tooFrequent when `count` forms since a day ago are as many as one address may send. `count` gets that moment. */
export async function refuseTooMany(ctx: TransactionCtx, count: (since: Date) => Promise<number>): Promise<void> {
  const sent = await count(new Date(ctx.clock.now() - DAY_MS));
  if (sent >= MAX_A_DAY) throw tooFrequent(DAY_MS / 1_000);
}
