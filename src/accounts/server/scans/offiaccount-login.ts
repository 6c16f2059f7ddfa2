import type { Ctx } from '../../../context.ts';
import { createBurstLog } from '../../../platform/burst-log.ts';
import type { ReadBytes } from '../../../platform/http/api/read-body.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { unavailable } from '../../../protocol/envelope.ts';
import type * as scans from '../../contract-scans.ts';
import { OFFIACCOUNT_QR_PATH, SCENE_SECONDS } from '../../contract-scans.ts';
import { ProviderRefused } from '../../ports.ts';
import { cleanChannel } from '../../rules.ts';
import { isScene, openScene } from './scenes.ts';
import { selectUserByOpenid } from '../store.ts';
import { selectLiveScene, updateScene, updateSceneQr } from './store-scenes.ts';
import { findUserOfIdentity, findOrCreateUserOfIdentity } from '../users.ts';
import { callWeChat, takeVendorQuota } from './wechat-calls.ts';

/**
 * Starts a scan login by the official account, whose QR code WeChat makes (C-62). `qr_url` is a path of this site: no
 * visitor's browser loads a picture from WeChat. Throws unavailable (503), tooFrequent and scanQuotaUsed (41).
 */
export async function startOffiaccountLogin(
  ctx: Ctx,
  input: Parsed<typeof scans.offiaccountLogin>,
): Promise<Output<typeof scans.offiaccountLogin>> {
  const account = ctx.providers.officialAccount;
  if (!account) throw unavailable();
  const scene = await openScene(ctx, {
    kind: 'offiaccount',
    channel: cleanChannel(input.channel),
    purpose: input.purpose,
  });
  await takeVendorQuota(ctx, 'wechat-official-qr');
  const { qrUrl } = await callWeChat(ctx, account.createQr({ scene, ttlSeconds: SCENE_SECONDS }));
  await updateSceneQr(ctx.db, scene, qrUrl);
  return { scene, qr_url: `${OFFIACCOUNT_QR_PATH}?scene=${scene}`, expire_seconds: SCENE_SECONDS };
}

const MAX_BYTES = 64 * 1024;
const refusedPushes = createBurstLog();

/**
 * Serves the official account's server URL: GET proves to WeChat that the URL is this site's, POST takes its pushes.
 * Answers 403 to a request that is not genuine, and `success` to every genuine push whatever it led to, because WeChat
 * would only repeat it. Answers 503 when the push could not be handled, so that WeChat repeats it.
 */
export async function serveOffiaccount(ctx: Ctx, request: Request, read: ReadBytes): Promise<Response> {
  const account = ctx.providers.officialAccount;
  if (!account) throw unavailable();
  const query = new URL(request.url).searchParams;
  if (request.method === 'GET') {
    const echo = account.echo(query);
    return echo === null ? plain('forbidden', 403) : plain(echo, 200);
  }
  const push = account.readPush({ query, body: (await read(MAX_BYTES)).toString('utf8') });
  if (push.kind === 'not-genuine') {
    refusedPushes((times) => ctx.log.warn({ why: push.why, times }, 'pushes that are not from WeChat were refused'));
    return plain('forbidden', 403);
  }
  if (push.kind === 'scan') await handleScan(ctx, push);
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

/**
 * Handles a scan of the official account's QR code. The scan is the person's consent: the browser is logged in as their
 * account, which is created when it is new. Repeated and replayed pushes change nothing, because the scene's state
 * moves once, for one openid, within two minutes. A scan with the purpose `prove` creates no account. Throws
 * unavailable when WeChat does not answer.
 */
export async function handleScan(ctx: Ctx, scan: { scene: string; openid: string }): Promise<void> {
  const { scene: name, openid } = scan;
  const now = () => new Date(ctx.clock.now());
  const scene = isScene(name) ? await selectLiveScene(ctx.db, name, now()) : null;
  // Repeats, replays, and scans of a photograph of the QR code end here.
  if (scene?.kind !== 'offiaccount' || scene.state !== 'waiting') return;
  const unionid = await findUnionid(ctx, openid);
  if (scene.purpose === 'prove') {
    const userId = await findUserOfIdentity(ctx, { provider: 'offiaccount', openid, unionid });
    const proof = { scene: name, kind: 'offiaccount', openid, userId, now: now() } as const;
    await updateScene(ctx.db, { ...proof, from: ['waiting'], to: 'confirmed' });
    return;
  }
  const { channel, inviterId, ip } = scene;
  const newcomer = { channel: `offiaccount:${channel}`, inviterId, ip };
  const userId = await findOrCreateUserOfIdentity(ctx, { provider: 'offiaccount', openid, unionid }, newcomer);
  const to = userId === null ? 'banned' : 'confirmed';
  await updateScene(ctx.db, { scene: name, kind: 'offiaccount', openid, from: ['waiting'], to, userId, now: now() });
}

/**
 * Returns the unionid of an openid; null when the openid is known already, or the official account belongs to no Open
 * Platform account.
 */
async function findUnionid(ctx: Ctx, openid: string): Promise<string | null> {
  const account = ctx.providers.officialAccount;
  if (!account || (await selectUserByOpenid(ctx.db, 'offiaccount', openid)) !== null) return null;
  const asked = account.unionidOf(openid).catch((error: unknown) => {
    // Without that permission WeChat never tells the unionid: a person then has one account for each kind of login.
    if (error instanceof ProviderRefused) return null;
    throw error;
  });
  return callWeChat(ctx, asked);
}
