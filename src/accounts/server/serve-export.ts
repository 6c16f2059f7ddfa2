import { Readable } from 'node:stream';
import type { Ctx } from '../../context.ts';
import { serveErrorPage } from '../../platform/http/error-page.ts';
import { EXPORT_LINK } from './export-account.ts';
import { findExport } from './store-exports.ts';

/** GET of a signed link to one's own data: 403 when it is not ours or is over, 410 when the account is erased. */
export async function serveExport(ctx: Ctx, request: Request): Promise<Response> {
  const given = new URL(request.url).searchParams;
  const [id, until] = [Number(given.get('id')), Number(given.get('until'))];
  const isOurs = ctx.signer.verify(given.get('sign') ?? '', EXPORT_LINK, id, until);
  if (!isOurs || until * 1000 <= ctx.clock.now()) return serveErrorPage(403, ctx.request.id);
  const row = await findExport(ctx.db, id);
  if (!row?.fileKey) return serveErrorPage(410, ctx.request.id);
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
