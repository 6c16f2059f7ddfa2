import { requireSession } from '../../accounts/server/require-session.ts';
import type { Ctx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import type { quoteDownload as contract } from '../contract.ts';
import { couponsLeft, decideDownload, downloadsLeft } from '../rules.ts';
import { getDownload } from './download-document.ts';

/** What a download would do and cost, done by nobody (C-36). Throws notFound like the download itself. */
export async function quoteDownload(ctx: Ctx, input: Parsed<typeof contract>): Promise<Output<typeof contract>> {
  const { userId } = requireSession(ctx);
  const { document, standing } = await getDownload(ctx, userId, input.fid, new Date(ctx.clock.now()));
  const decision = decideDownload(document, standing);
  const isPaid = decision.method !== 'insufficient';
  return {
    method: decision.method,
    cost: decision.cost,
    balance: standing.balance,
    balance_after: isPaid ? standing.balance - decision.cost : standing.balance,
    today_left: couponsLeft(standing),
    month_left: downloadsLeft(standing),
    code: isPaid ? CODE.ok : decision.code,
  };
}
