import { requireSession } from '../../accounts/server/require-session.ts';
import type { Ctx } from '../../context.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import type { listCoinRecords as contract } from '../contract.ts';
import { countEntries, listEntries } from './store-ledger.ts';
import type { LedgerKind } from './tables.ts';

/** An operator's note on a grant is for the operators: members read the kind alone. */
const KIND_TEXTS: Record<LedgerKind, string> = {
  grant: '客服发放',
  topup: '充值',
  invite: '邀请奖励',
  download: '下载方案',
  reversal: '退回',
};

/** The coins that came and went of whoever asks, newest first. */
export async function listCoinRecords(ctx: Ctx, input: Parsed<typeof contract>): Promise<Output<typeof contract>> {
  const { userId } = requireSession(ctx);
  const [entries, total] = await Promise.all([listEntries(ctx.db, userId, input), countEntries(ctx.db, userId)]);
  const items = entries.map((entry) => ({
    id: entry.id,
    kind_text: KIND_TEXTS[entry.kind],
    amount: entry.amount,
    fid: entry.documentId ?? 0,
    name: entry.documentName ?? '',
    create_time: Math.floor(entry.createdAt.getTime() / 1000),
  }));
  return { items, count: total, page: input.page, page_size: input.pageSize, total };
}
