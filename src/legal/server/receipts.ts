import { randomBytes } from 'node:crypto';
import type { Ctx, TransactionCtx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { addressGroup, addressNetwork } from '../../protocol/address-group.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { tooFrequent } from '../../protocol/envelope.ts';
import { receiptNo, type ReceiptKind } from '../rules.ts';
import { refuseOtherKey, WrongKey } from '../../platform/vault.ts';
import { selectLeavingTime, selectNewestContacts, type Sender } from './store-senders.ts';

/**
 * Forms of one kind that are taken in 24 hours from one address, and from one IPv6 network (/48), which holds 65,536 addresses that one
 * customer can rent: an office with a list of documents sends an e-mail.
 */
const MAX_OF_ADDRESS = 20;
const MAX_OF_NETWORK = 60;

const PURPOSE = 'legal-contact';

/** Returns the means of contact as they are stored. */
export const sealContact = (ctx: TransactionCtx, contact: string): Buffer => ctx.vault.seal(PURPOSE, contact);

/** Returns the columns that every form's row has: a receipt number, the sealed means of contact, keyed hashes of the address and its network, the moment. */
export function receiptOf(ctx: TransactionCtx, kind: ReceiptKind, contact: string) {
  const receivedAt = new Date(ctx.clock.now());
  const network = addressNetwork(ctx.request.ip);
  return {
    receiptNo: receiptNo(kind, dayText(receivedAt), randomBytes(8)),
    contactSealed: sealContact(ctx, contact),
    addressIndex: ctx.vault.index('address', addressGroup(ctx.request.ip)),
    networkIndex: network === null ? null : ctx.vault.index('address', `${network}/48`),
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

/**
 * Throws WrongKey when the means of contact of the newest report or request were sealed with another secret: nobody could be
 * answered any more. For libraries without phones: an earlier release let the operator of such a library change the secret, so where
 * phones prove the secret, contacts may be of an older one.
 */
export async function refuseOtherSecret(ctx: Ctx): Promise<void> {
  for (const sealed of await selectNewestContacts(ctx.db))
    refuseOtherKey(ctx.vault, sealed, 'the means of contact of reports and requests');
}

/**
 * Throws tooFrequent when an address, or its network, has sent all the forms of one kind that it may send in a day, with the
 * seconds until the oldest of them that stands in the way is a day old.
 */
export async function refuseTooMany(ctx: TransactionCtx, kind: 'report' | 'request', sender: Sender): Promise<void> {
  const now = ctx.clock.now();
  const counted = { since: new Date(now - DAY_MS), ofAddress: MAX_OF_ADDRESS, ofNetwork: MAX_OF_NETWORK };
  const leaving = await selectLeavingTime(ctx.db, kind, sender, counted);
  if (leaving !== null) throw tooFrequent(Math.ceil((leaving.getTime() + DAY_MS - now) / 1_000));
}
