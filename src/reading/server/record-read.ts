import type { Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { countRead } from '../../membership/server/count-read.ts';
import { upsertRead } from './store.ts';

/** Notes that the pages of a document were shown to whoever is logged in (C-40); visitors are not recorded (C-84). */
export async function recordRead(ctx: Ctx, documentId: number): Promise<void> {
  if (!ctx.session) return;
  const at = new Date(ctx.clock.now());
  const month = dayText(at).slice(0, 7);
  const isFirst = await upsertRead(ctx.db, { userId: ctx.session.userId, documentId, month, at });
  if (isFirst) await countRead(ctx);
}
