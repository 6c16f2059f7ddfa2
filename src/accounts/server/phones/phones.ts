import { type Ctx, transact, type TransactionCtx } from '../../../context.ts';
import { refuseOtherKey } from '../../../platform/vault.ts';
import { invalid } from '../../../protocol/envelope.ts';
import { isPhone, maskPhone, PHONE_ERROR } from '../../rules.ts';
import { lockPlainPhones, selectSealedPhone, selectUser, updatePlainPhone, type StoredPhone } from '../store.ts';

const PURPOSE = 'phone';

/** Returns a phone as it is stored: encrypted, and the keyed hash by which it is found. */
export const storedPhone = (ctx: TransactionCtx, phone: string): StoredPhone => ({
  phoneSealed: ctx.vault.seal(PURPOSE, phone),
  phoneIndex: phoneIndex(ctx, phone),
});

export const NO_PHONE: StoredPhone = { phoneSealed: null, phoneIndex: null };

export const phoneIndex = (ctx: TransactionCtx, phone: string): Buffer => ctx.vault.index(PURPOSE, phone);

/**
 * Returns a stored phone in the clear: for a message to the phone, and for the owner's copy of their data. Everywhere
 * else the phone is masked.
 */
export const openPhone = (ctx: Ctx, sealed: Buffer | null): string | null =>
  sealed === null ? null : ctx.vault.open(PURPOSE, sealed);

/**
 * Returns the phone that the caller wrote, or the caller's bound phone when they are logged in and wrote nothing or the
 * masked number that the page shows (138****1234). Throws invalid (40) for anything else.
 */
export async function resolvePhone(ctx: Ctx, text: string): Promise<string> {
  if (isPhone(text)) return text;
  const own = await findOwnPhone(ctx);
  if (own !== null && (text === '' || text === maskPhone(own))) return own;
  throw invalid(PHONE_ERROR, 'phone');
}

/** Returns the caller's bound phone; null for a visitor, and for a member without a phone. */
export async function findOwnPhone(ctx: Ctx): Promise<string | null> {
  const user = ctx.session && (await selectUser(ctx.db, { id: ctx.session.userId }));
  return user ? openPhone(ctx, user.phoneSealed) : null;
}

const BATCH = 500;

/**
 * Tells whether sealed phones prove the secret. Throws WrongKey when they were sealed with another secret: every login by phone would then
 * create a second account.
 */
export async function provesSecret(ctx: Ctx): Promise<boolean> {
  const sealed = await selectSealedPhone(ctx.db);
  refuseOtherKey(ctx.vault, sealed, 'the phones');
  return sealed !== null;
}

/**
 * Encrypts the phones that an older release stored in the clear, and empties their column. Afterwards there is nothing
 * to do. Safe to run on several nodes and to interrupt. Throws as provesSecret. Returns how many phones were encrypted.
 */
export async function sealPhones(ctx: Ctx): Promise<number> {
  await provesSecret(ctx);
  let count = 0;
  for (;;) {
    const batch = await transact(ctx, async (tx) => {
      const rows = await lockPlainPhones(tx.db, BATCH);
      for (const { id, phone } of rows) await updatePlainPhone(tx.db, id, storedPhone(tx, phone));
      return rows.length;
    });
    count += batch;
    if (batch < BATCH) return count;
  }
}
