import { Readable } from 'node:stream';
import type { Ctx } from '../../context.ts';
import { serveErrorPage } from '../../platform/http/error-page.ts';
import { isLinkValid } from '../../platform/http/signed-link.ts';
import { exportLink } from './export-account.ts';
import { findPageSession, findSession } from './find-session.ts';
import { findExport } from './store-exports.ts';

const NOT_YOURS = '请在申请导出的浏览器中保持登录，从“用户中心”重新点击下载；数据副本保留 24 小时。';
const GONE = '这份数据副本已不存在，可在“用户中心”重新导出。';

/**
 * GET of a signed link to one's own data, by somebody who is logged in as its owner: the link alone, in a history or a
 * proxy's log, opens nothing, and a logout everywhere holds for it as well. 403 for anybody else, and when it is over.
 */
export async function serveExport(ctx: Ctx, request: Request): Promise<Response> {
  const refuse = (status: number, words: string) => serveErrorPage(status, ctx.request.id, words);
  const given = new URL(request.url).searchParams;
  const [id, until] = [Number(given.get('id')), Number(given.get('until'))];
  const link = { ...exportLink(id, until), signature: given.get('sign') ?? '' };
  if (!isLinkValid(ctx.signer, link, ctx.clock.now())) return refuse(403, NOT_YOURS);
  const userId = await userOf(ctx, request);
  if (userId === null) return refuse(403, NOT_YOURS);
  const row = await findExport(ctx.db, id);
  if (row && row.userId !== userId) return refuse(403, NOT_YOURS);
  if (!row?.fileKey) return refuse(410, GONE);
  const bytes = await ctx.files.read(row.fileKey);
  request.signal.addEventListener('abort', () => bytes.destroy(), { once: true });
  // Safe: Node's ReadableStream is the web's; only the two declarations differ.
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
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

/** Browsers send both cookies of their login with a link; programs may send the token header. */
async function userOf(ctx: Ctx, request: Request): Promise<number | null> {
  const header = request.headers.get('token');
  const cookies = { sess: ctx.request.cookie('sess'), token: ctx.request.cookie('token') };
  const lookup = await (header ? findSession(ctx, header) : findPageSession(ctx, cookies));
  return typeof lookup === 'string' ? null : lookup.userId;
}
