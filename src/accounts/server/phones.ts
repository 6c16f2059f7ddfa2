import { transact, type Ctx } from '../../context.ts';
import { WrongKey } from '../../platform/vault.ts';
import { invalid } from '../../protocol/envelope.ts';
import { isPhone, maskPhone } from '../rules.ts';
import { lockPlainPhones, selectSealedPhone, selectUser, updatePlainPhone, type StoredPhone } from './store.ts';

const PURPOSE = 'phone';

/** As it is stored: sealed, and by what it is found. */
export const storedPhone = (ctx: Ctx, phone: string): StoredPhone => ({
  phoneSealed: ctx.vault.seal(PURPOSE, phone),
  phoneIndex: phoneIndex(ctx, phone),
});

export const NO_PHONE: StoredPhone = { phoneSealed: null, phoneIndex: null };

export const phoneIndex = (ctx: Ctx, phone: string): Buffer => ctx.vault.index(PURPOSE, phone);

/** In the clear: for a message to it, and the owner's own copy of their data. Everywhere else it is masked. */
export const openPhone = (ctx: Ctx, sealed: Buffer | null): string | null =>
  sealed === null ? null : ctx.vault.open(PURPOSE, sealed);

/**
 * The phone a caller means: what they wrote, or their own where they are logged in and wrote nothing or what the page
 * shows (138****1234). Throws invalid (40) for anything else.
 */
export async function phoneMeant(ctx: Ctx, text: string): Promise<string> {
  if (isPhone(text)) return text;
  const own = await findOwnPhone(ctx);
  if (own !== null && (text === '' || text === maskPhone(own))) return own;
  throw invalid('请输入正确的手机号', 'phone');
}

/** Null for a visitor, and for a member without a phone. */
export async function findOwnPhone(ctx: Ctx): Promise<string | null> {
  const user = ctx.session && (await selectUser(ctx.db, { id: ctx.session.userId }));
  return user ? openPhone(ctx, user.phoneSealed) : null;
}

const BATCH = 500;

/**
 * Seals the phones an older release left in the clear, and empties their column; nothing to do afterwards. Safe beside
 * other nodes and when broken off. Throws WrongKey when the phones that are sealed were sealed with another secret:
 * going on would make a second account of everybody who comes in by phone. Returns how many it sealed.
 */
export async function sealPhones(ctx: Ctx): Promise<number> {
  const sealed = await selectSealedPhone(ctx.db);
  if (sealed && !sealed.subarray(0, ctx.vault.keyId.length).equals(ctx.vault.keyId)) {
    throw new WrongKey('the phones in the database were sealed with another secret');
  }
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
