import type { Ctx } from '../../context.ts';
import { createBurstLog } from '../../platform/burst-log.ts';
import { readText } from '../../platform/http/read-body.ts';
import { unavailable } from '../../protocol/envelope.ts';
import { takeScan } from './take-scan.ts';

const MAX_BYTES = 64 * 1024;
const refusedPushes = createBurstLog();

/**
 * The official account's server URL: GET proves to WeChat that it is ours, POST takes its pushes. 403 for what is not
 * genuine; `success` for every genuine one, whatever it led to, for WeChat would only repeat it; 503 when we could not
 * look, so that it does.
 */
export async function serveOffiaccount(ctx: Ctx, request: Request): Promise<Response> {
  const account = ctx.providers.officialAccount;
  if (!account) throw unavailable();
  const query = new URL(request.url).searchParams;
  if (request.method === 'GET') {
    const echo = account.echo(query);
    return echo === null ? plain('forbidden', 403) : plain(echo, 200);
  }
  const push = account.readPush({ query, body: await readText(request, MAX_BYTES) });
  if (push.kind === 'not-genuine') {
    refusedPushes((times) => ctx.log.warn({ why: push.why, times }, 'pushes that are not from WeChat were refused'));
    return plain('forbidden', 403);
  }
  if (push.kind === 'scan') await takeScan(ctx, push);
  return plain('success', 200);
}

const plain = (text: string, status: number) =>
  new Response(text, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
