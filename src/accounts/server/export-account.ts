import { transact, type Ctx } from '../../context.ts';
import { signLink } from '../../platform/http/signed-link.ts';
import { sessionInvalid } from '../../protocol/envelope.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { EXPORT_FILE_PATH, type exportAccount as contract } from '../contract.ts';
import { exportAccountJob } from './job-notices.ts';
import { isOwnerPresent, proveOwner } from './prove-owner.ts';
import { requireSession } from './require-session.ts';
import { findUser } from './store.ts';
import { findNewestExport, insertExport, type Export } from './store-exports.ts';

type State = Output<typeof contract>;

/** What the signature of a link to a data export covers. `until` in epoch seconds. */
export const exportLink = (exportId: number, until: number) => ({
  kind: 'export-link',
  subject: [exportId],
  expires: until,
});

/**
 * Asks for a copy of one's data (C-74): a job makes it. While one is made, asking again changes nothing. It holds the
 * phone in full, so later than ten minutes after the login its owner proves themselves. Throws what proveOwner throws.
 */
export async function exportAccount(ctx: Ctx, input: Parsed<typeof contract>): Promise<State> {
  const { userId } = requireSession(ctx);
  const user = await findUser(ctx.db, { id: userId });
  if (!user) throw sessionInvalid();
  if (!(await isOwnerPresent(ctx))) await proveOwner(ctx, user, { ...input, purpose: 'export' });
  await transact(ctx, async (tx) => {
    const exportId = await insertExport(tx.db, userId, new Date(tx.clock.now()));
    if (exportId !== null) await tx.jobs.add(exportAccountJob, { exportId });
  });
  return getExportStatus(ctx);
}

/** How the newest copy stands, with a signed link while it can be loaded. */
export async function getExportStatus(ctx: Ctx): Promise<State> {
  const { userId } = requireSession(ctx);
  return stateOf(ctx, await findNewestExport(ctx.db, userId));
}

function stateOf(ctx: Ctx, row: Export | null): State {
  const until = row?.expiresAt ? Math.floor(row.expiresAt.getTime() / 1000) : 0;
  const isOver = row?.state === 'ready' && until * 1000 <= ctx.clock.now();
  if (!row || isOver) return { status: 'none', url: '', size: 0, expire_at: 0 };
  if (row.state !== 'ready') return { status: row.state, url: '', size: 0, expire_at: 0 };
  const sign = signLink(ctx.signer, exportLink(row.id, until));
  const url = `${EXPORT_FILE_PATH}?id=${row.id}&until=${until}&sign=${sign}`;
  return { status: 'ready', url, size: row.sizeBytes, expire_at: until };
}
