import type { Ctx } from '../../context.ts';
import { createBurstLog } from '../../platform/burst-log.ts';
import { readText } from '../../platform/http/read-body.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { unavailable } from '../../protocol/envelope.ts';
import type * as scans from '../contract-scans.ts';
import { OFFIACCOUNT_QR_PATH, SCENE_SECONDS } from '../contract-scans.ts';
import { ProviderRefused } from '../ports.ts';
import { channelOf } from '../rules.ts';
import { isScene, openScene } from './scenes.ts';
import { selectUserByOpenid } from './store.ts';
import { selectLiveScene, updateScene, updateSceneQr } from './store-scenes.ts';
import { findUserOfIdentity, userOfIdentity } from './users.ts';
import { callWeChat, takeVendorQuota } from './wechat-calls.ts';

/**
 * A scene for the official account's code, which WeChat makes (C-62). `qr_url` is a path of ours: no visitor's browser
 * asks WeChat for a picture. Throws unavailable (503), tooFrequent and
 * scanQuotaUsed (41).
 */
export async function startOffiaccountLogin(
  ctx: Ctx,
  input: Parsed<typeof scans.offiaccountLogin>,
): Promise<Output<typeof scans.offiaccountLogin>> {
  const account = ctx.providers.officialAccount;
  if (!account) throw unavailable();
  const scene = await openScene(ctx, {
    kind: 'offiaccount',
    channel: channelOf(input.channel),
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

/**
 * Somebody scanned the official account's code: that is their agreement, and the browser is logged in as their account,
 * made now if there is none. The scene's own state makes repeats and replays harmless: it moves once, for one openid,
 * within two minutes. A scan that proves makes no account. Throws unavailable when WeChat cannot say whether we know the person by another name.
 */
export async function takeScan(ctx: Ctx, scan: { scene: string; openid: string }): Promise<void> {
  const { scene: name, openid } = scan;
  const now = () => new Date(ctx.clock.now());
  const scene = isScene(name) ? await selectLiveScene(ctx.db, name, now()) : null;
  // Repeats, replays, and somebody else's photograph of the code end here.
  if (scene?.kind !== 'offiaccount' || scene.state !== 'waiting') return;
  const unionid = await findUnionid(ctx, openid);
  if (scene.purpose === 'prove') {
    const userId = await findUserOfIdentity(ctx, { provider: 'offiaccount', openid, unionid });
    const proof = { scene: name, kind: 'offiaccount', openid, userId, now: now() } as const;
    await updateScene(ctx.db, { ...proof, from: ['waiting'], to: 'confirmed' });
    return;
  }
  const newcomer = { channel: `offiaccount:${scene.channel}` };
  const userId = await userOfIdentity(ctx, { provider: 'offiaccount', openid, unionid }, newcomer);
  const to = userId === null ? 'banned' : 'confirmed';
  await updateScene(ctx.db, { scene: name, kind: 'offiaccount', openid, from: ['waiting'], to, userId, now: now() });
}

/** Null where the account belongs to no Open Platform account, or for an openid we know already. */
async function findUnionid(ctx: Ctx, openid: string): Promise<string | null> {
  const account = ctx.providers.officialAccount;
  if (!account || (await selectUserByOpenid(ctx.db, 'offiaccount', openid)) !== null) return null;
  const asked = account.unionidOf(openid).catch((error: unknown) => {
    // An account without that permission never has it: people then come in by each kind as themselves.
    if (error instanceof ProviderRefused) return null;
    throw error;
  });
  return callWeChat(ctx, asked);
}
