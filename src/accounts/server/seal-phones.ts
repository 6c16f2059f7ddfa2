import { transact, type Ctx } from '../../context.ts';
import { WrongKey } from '../../platform/vault.ts';
import { storedPhone } from './phones.ts';
import { findSealedPhone, sealPhoneOf, takePlainPhones } from './store-plain-phones.ts';

const BATCH = 500;

/**
 * Seals the phones an older release left in the clear, and empties their column; nothing to do afterwards. Safe beside
 * other nodes and when broken off. Throws WrongKey when the phones that are sealed were sealed with another secret:
 * going on would make a second account of everybody who comes in by phone. Returns how many it sealed.
 */
export async function sealPhones(ctx: Ctx): Promise<number> {
  const sealed = await findSealedPhone(ctx.db);
  if (sealed && !sealed.subarray(0, ctx.vault.keyId.length).equals(ctx.vault.keyId)) {
    throw new WrongKey('the phones in the database were sealed with another secret');
  }
  let count = 0;
  for (;;) {
    const batch = await transact(ctx, async (tx) => {
      const rows = await takePlainPhones(tx.db, BATCH);
      for (const { id, phone } of rows) await sealPhoneOf(tx.db, id, storedPhone(tx, phone));
      return rows.length;
    });
    count += batch;
    if (batch < BATCH) return count;
  }
}
