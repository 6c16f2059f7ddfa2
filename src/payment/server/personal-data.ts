import type { PersonalData } from '../../accounts/server/personal-data.ts';
import { deleteInvoiceRequests, selectInvoicesForCopy } from './store/invoices.ts';
import { clearPersonalData } from './store/notices.ts';
import { selectOrdersForCopy, selectUnfinished } from './store/personal.ts';

/**
 * The orders of a user and their invoices. Orders are kept after an erasure, as the books must be (they name only a user
 * id), without the document that led to them; the bytes of the provider's notifications, which name the payer's account,
 * are removed. An issued invoice is kept with title and tax number, which the law on accounts demands, without the e-mail
 * address; a request that became no invoice is removed.
 */
export const paymentPersonalData: PersonalData = {
  async collect(ctx, userId) {
    const [orders, invoices] = await Promise.all([
      selectOrdersForCopy(ctx.db, userId),
      selectInvoicesForCopy(ctx.db, userId),
    ]);
    return { orders, invoices };
  },
  async erase(ctx, userId) {
    await clearPersonalData(ctx.db, userId);
    await deleteInvoiceRequests(ctx.db, userId);
  },
  /** C-74: money that is neither goods nor back with the buyer stands against deleting the account. */
  obstacle: async (ctx, userId) =>
    (await selectUnfinished(ctx.db, userId)) > 0 ? '您有已付款但未完成的订单或退款，处理完成后才能注销账号' : null,
};
