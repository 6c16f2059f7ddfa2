import { toWeb } from '../../../platform/http/answers/static-files.ts';
import { transact, type Ctx } from '../../../context.ts';
import { serveErrorPage } from '../../../platform/http/answers/error-page.ts';
import { tokenOf } from '../../../platform/http/client-address.ts';
import { isLinkValid, signLink } from '../../../platform/signer.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { sessionInvalid } from '../../../protocol/envelope.ts';
import type * as contract from '../../contract.ts';
import { EXPORT_FILE_PATH } from '../../contract.ts';
import { isSharedAccount, refuseSharedAccount } from '../demo-accounts.ts';
import { exportAccountJob } from '../job-notices.ts';
import { isOwnerPresent, proveOwner } from '../prove-owner.ts';
import { findPageSession, findSession, requireSession } from '../sessions.ts';
import { insertExport, selectExport, selectNewestExport, type Export } from './store-exports.ts';
import { selectUser } from '../store.ts';

type State = Output<typeof contract.exportAccount>;

/** The facts that the signature of a link to a data export covers. `until` in epoch seconds. */
const exportLink = (exportId: number, until: number) => ({
  kind: 'export-link',
  subject: [exportId],
  expires: until,
});

/**
 * Requests a copy of the caller's data (C-74), which a job makes. While a copy is being made, asking again changes
 * nothing. The copy holds the phone in full, so later than ten minutes after the login the owner proves themselves.
 * Throws what proveOwner throws.
 */
export async function exportAccount(ctx: Ctx, input: Parsed<typeof contract.exportAccount>): Promise<State> {
  const { userId } = requireSession(ctx);
  const user = await selectUser(ctx.db, { id: userId });
  if (!user) throw sessionInvalid();
  refuseSharedAccount(ctx, user);
  if (!(await isOwnerPresent(ctx))) await proveOwner(ctx, user, { ...input, purpose: 'export' });
  await transact(ctx, async (tx) => {
    const exportId = await insertExport(tx.db, userId, new Date(tx.clock.now()));
    if (exportId !== null) await tx.jobs.add(exportAccountJob, { exportId });
  });
  return getExportStatus(ctx);
}

/** Returns the state of the caller's newest copy, with a signed link while it can be downloaded; of a shared account, none. */
export async function getExportStatus(ctx: Ctx): Promise<State> {
  const { userId } = requireSession(ctx);
  const isShared = isSharedAccount(ctx, await selectUser(ctx.db, { id: userId }));
  return stateOf(ctx, isShared ? null : await selectNewestExport(ctx.db, userId));
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

const NOT_YOURS = '请在申请导出的浏览器中保持登录，从“用户中心”重新点击下载；数据副本保留 24 小时。';
const GONE = '这份数据副本已不存在，可在“用户中心”重新导出。';

/**
 * Serves a copy by its signed link to a caller who is logged in as its owner: the link alone, in a history or a proxy's
 * log, opens nothing, and a logout closes it. 403 for everybody else and for an expired link, 410 for a deleted copy.
 */
export async function serveExport(ctx: Ctx, request: Request): Promise<Response> {
  const refuse = (status: number, words: string) => serveErrorPage(status, ctx.request.id, words);
  const given = new URL(request.url).searchParams;
  const [id, until] = [Number(given.get('id')), Number(given.get('until'))];
  const link = { ...exportLink(id, until), signature: given.get('sign') ?? '' };
  if (!isLinkValid(ctx.signer, link, ctx.clock.now())) return refuse(403, NOT_YOURS);
  const userId = await userOf(ctx, request);
  if (userId === null || isSharedAccount(ctx, await selectUser(ctx.db, { id: userId }))) return refuse(403, NOT_YOURS);
  const row = await selectExport(ctx.db, id);
  if (row && row.userId !== userId) return refuse(403, NOT_YOURS);
  if (!row?.fileKey) return refuse(410, GONE);
  const bytes = await ctx.files.read(row.fileKey);
  request.signal.addEventListener('abort', () => bytes.destroy(), { once: true });
  return new Response(toWeb(bytes), {
    headers: {
      'content-type': 'application/zip',
      'content-length': String(row.sizeBytes),
      'content-disposition': `attachment; filename="ceku-data-${row.userId}.zip"`,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** Returns the caller's user id: browsers send both cookies of their login with a link, programs the token of their calls. */
async function userOf(ctx: Ctx, request: Request): Promise<number | null> {
  const token = tokenOf((name) => request.headers.get(name));
  const cookies = { sess: ctx.request.cookie('sess'), token: ctx.request.cookie('token') };
  const lookup = await (token ? findSession(ctx, token) : findPageSession(ctx, cookies));
  return typeof lookup === 'string' ? null : lookup.userId;
}
