import type { Ctx } from '../../context.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { clearReportAddresses, deleteClosedReports } from './store-reports.ts';
import { clearRequestAddresses, deleteAnsweredRequests } from './store-requests.ts';

/** Limits count the forms of a day. */
const ADDRESS_MS = 2 * DAY_MS;

/** Closed reports and answered requests are evidence for as long as somebody may sue: three years (民法典 188). The privacy policy says so. */
const KEPT_MS = 3 * 365 * DAY_MS;

/** Removes what the forms no longer need: the hashes of addresses after two days, what is closed after three years. */
export async function sweepLegal(ctx: Ctx): Promise<{ reports: number; requests: number }> {
  const now = ctx.clock.now();
  const addressesBefore = new Date(now - ADDRESS_MS);
  await clearReportAddresses(ctx.db, addressesBefore);
  await clearRequestAddresses(ctx.db, addressesBefore);
  const closedBefore = new Date(now - KEPT_MS);
  return {
    reports: await deleteClosedReports(ctx.db, closedBefore),
    requests: await deleteAnsweredRequests(ctx.db, closedBefore),
  };
}
