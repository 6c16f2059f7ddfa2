import type { Ctx } from '../../context.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { sealContact } from './receipts.ts';
import { clearAcceptedReports, clearReportAddresses, deleteClosedReports } from './store-reports.ts';
import { clearRequestAddresses, deleteAnsweredRequests } from './store-requests.ts';

/** Limits count the forms of a day. */
const ADDRESS_MS = 2 * DAY_MS;

/** Closed reports and answered requests are evidence for as long as somebody may sue: three years (民法典 188). The privacy policy says so. */
const KEPT_MS = 3 * 365 * DAY_MS;

/** Stands in place of what the sender of a report wrote, when that was kept long enough. */
const CLEARED = '(removed three years after the document was taken down)';

/**
 * Removes what the forms no longer need: the hashes of addresses after two days, what is closed after three years. A report that keeps its
 * document down stays, without its sender's words.
 */
export async function sweepLegal(ctx: Ctx): Promise<{ reports: number; requests: number }> {
  const now = ctx.clock.now();
  const addressesBefore = new Date(now - ADDRESS_MS);
  await clearReportAddresses(ctx.db, addressesBefore);
  await clearRequestAddresses(ctx.db, addressesBefore);
  const closedBefore = new Date(now - KEPT_MS);
  const cleared = { contactSealed: sealContact(ctx, CLEARED), proof: CLEARED, statement: CLEARED };
  return {
    reports:
      (await deleteClosedReports(ctx.db, closedBefore)) + (await clearAcceptedReports(ctx.db, closedBefore, cleared)),
    requests: await deleteAnsweredRequests(ctx.db, closedBefore),
  };
}
