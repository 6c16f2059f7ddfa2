import type { Ctx } from '../../../context.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { Refusal, failed, invalid, unavailable } from '../../../protocol/envelope.ts';
import type * as scans from '../../contract-scans.ts';
import { SCENE_SECONDS } from '../../contract-scans.ts';
import { ProviderRefused } from '../../ports.ts';
import { bannedUser, browserName, placeOf } from '../../rules.ts';
import { isScene, openScene } from './scenes.ts';
import { selectLiveScene, updateScene } from './store-scenes.ts';
import type { SceneState } from '../tables.ts';
import { findUserOfIdentity, findOrCreateUserOfIdentity } from '../users.ts';
import { callWeChat, takeVendorQuota } from './wechat-calls.ts';

const MAX_CODE = 256;
/**
 * How often WeChat is asked about a code for one scene: a login takes two, and a phone with a bad connection retries.
 */
const CODES_PER_SCENE = 10;

/**
 * The refusal for a scene that is unknown, over, of another kind or scanned by another phone: the answer never tells
 * which.
 */
const sceneOver = () => new Refusal(CODE.sceneOver, '二维码已过期，请刷新后重新扫码');

/**
 * Exchanges a fresh `wx.login` code for the openid of the person who holds the phone. WeChat is asked only for a live
 * scene that no other phone has scanned. Throws sceneOver (6), invalid (40) for a code that WeChat does not know,
 * tooFrequent (41) when one scene asks too often, unavailable (503).
 */
async function verifyMiniCall(ctx: Ctx, input: { scene: string; code: string }) {
  const program = ctx.providers.miniProgram;
  if (!program) throw unavailable();
  if (!isScene(input.scene)) throw sceneOver();
  const scene = await selectLiveScene(ctx.db, input.scene, new Date(ctx.clock.now()));
  if (scene?.kind !== 'mini') throw sceneOver();
  if (input.code === '' || input.code.length > MAX_CODE) throw badCode();
  await ctx.limiter.take('scene-openid', input.scene, CODES_PER_SCENE, { seconds: SCENE_SECONDS });
  await takeVendorQuota(ctx, 'wechat-mini-openid');
  const asked = program.openidOf(input.code).catch((error: unknown) => {
    throw error instanceof ProviderRefused && error.reason === 'bad-code' ? badCode() : error;
  });
  const person = await callWeChat(ctx, asked);
  if (scene.openid !== null && scene.openid !== person.openid) throw sceneOver();
  return { scene, ...person };
}

type MiniCall = Awaited<ReturnType<typeof verifyMiniCall>>;

/**
 * Moves the scene to another state for that phone. Throws sceneOver (6) when the scene is not in one of the states
 * `from`.
 */
async function moveMiniScene(
  ctx: Ctx,
  step: { scene: string; openid: string; from: SceneState[]; to: SceneState; userId?: number },
): Promise<void> {
  const now = new Date(ctx.clock.now());
  const moved = await updateScene(ctx.db, { ...step, kind: 'mini', userId: step.userId ?? null, now });
  if (!moved) throw sceneOver();
}

const notOfAccount = () => failed('该微信没有绑定正在验证的账号');

const badCode = () => invalid('微信登录凭证无效，请重试', 'code');

/** Starts a scan login by the mini program (C-61). Throws unavailable (503) when no mini program is configured. */
export async function startMiniLogin(
  ctx: Ctx,
  input: Parsed<typeof scans.getMiniLoginScene>,
): Promise<{ scene: string; expire_seconds: number }> {
  if (!ctx.providers.miniProgram) throw unavailable();
  return {
    scene: await openScene(ctx, { kind: 'mini', channel: '', purpose: input.purpose }),
    expire_seconds: SCENE_SECONDS,
  };
}

/** Records that a phone has opened the scene, and returns what its confirm page shows. */
export async function miniLoginScanned(
  ctx: Ctx,
  input: Parsed<typeof scans.miniLoginScanned>,
): Promise<Output<typeof scans.miniLoginScanned>> {
  const { scene, openid } = await verifyMiniCall(ctx, input);
  await moveMiniScene(ctx, { scene: scene.scene, openid, from: ['waiting', 'scanned'], to: 'scanned' });
  return {
    purpose: scene.purpose,
    site: ctx.config.site.name,
    place: placeOf(scene.ip),
    browser: browserName(scene.userAgent),
    time: Math.floor(scene.createdAt.getTime() / 1000),
  };
}

/**
 * Confirms the scene: the browser will be logged in as the account of this WeChat, which is created when it is new.
 * Confirming again changes nothing and is answered like the first time. Throws sceneOver (6), and bannedUser (1), which ends the scene.
 */
export async function miniLoginConfirm(
  ctx: Ctx,
  input: Parsed<typeof scans.miniLoginConfirm>,
): Promise<Record<string, never>> {
  const call = await verifyMiniCall(ctx, input);
  try {
    await confirmScene(ctx, call, input.nickname);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== CODE.sceneOver) throw error;
    const confirmed = await findConfirmed(ctx, call.scene.scene, call.openid);
    if (!confirmed) throw error;
    if (confirmed.userId === null) throw notOfAccount();
  }
  return {};
}

/**
 * Returns the scene when this phone has confirmed it; null otherwise. A person taps twice, or the answer to the first confirmation was
 * lost: that confirmation, and the browser's poll, may come at any moment of the second.
 */
async function findConfirmed(ctx: Ctx, name: string, openid: string) {
  const scene = await selectLiveScene(ctx.db, name, new Date(ctx.clock.now()));
  const isConfirmed = scene?.state === 'confirmed' || scene?.state === 'delivered';
  return isConfirmed && scene.openid === openid ? scene : null;
}

async function confirmScene(ctx: Ctx, call: MiniCall, nickname: string): Promise<void> {
  const { scene, openid, unionid } = call;
  const step = { scene: scene.scene, openid };
  // Claim the scene for this phone first: a call for another phone's scene must not create an account.
  if (scene.state !== 'confirmed') await moveMiniScene(ctx, { ...step, from: ['waiting', 'scanned'], to: 'scanned' });
  if (scene.purpose === 'prove') {
    const known = await findUserOfIdentity(ctx, { provider: 'mini', openid, unionid });
    await moveMiniScene(ctx, {
      ...step,
      from: ['scanned', 'confirmed'],
      to: 'confirmed',
      ...(known && { userId: known }),
    });
    if (known === null) throw notOfAccount();
    return;
  }
  const { inviterId, ip } = scene;
  const newcomer = { nickname, channel: 'mini', inviterId, ip };
  const userId = await findOrCreateUserOfIdentity(ctx, { provider: 'mini', openid, unionid }, newcomer);
  if (userId === null) {
    await moveMiniScene(ctx, { ...step, from: ['scanned', 'confirmed'], to: 'banned' });
    throw bannedUser();
  }
  await moveMiniScene(ctx, { ...step, from: ['scanned', 'confirmed'], to: 'confirmed', userId });
}

/** Cancels the scene. Throws sceneOver (6) when the phone has confirmed before, or another phone scanned the scene. */
export async function miniLoginCancel(
  ctx: Ctx,
  input: Parsed<typeof scans.miniLoginCancel>,
): Promise<Record<string, never>> {
  const { scene, openid } = await verifyMiniCall(ctx, input);
  await moveMiniScene(ctx, { scene: scene.scene, openid, from: ['waiting', 'scanned', 'cancelled'], to: 'cancelled' });
  return {};
}
