import type { Ctx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { Refusal, failed, invalid, unavailable } from '../../protocol/envelope.ts';
import type * as scans from '../contract-scans.ts';
import { SCENE_SECONDS } from '../contract-scans.ts';
import { ProviderRefused } from '../ports.ts';
import { bannedUser, browserName, placeOf } from '../rules.ts';
import { isScene, openScene } from './scenes.ts';
import { selectLiveScene, updateScene } from './store-scenes.ts';
import type { SceneState } from './tables.ts';
import { findUserOfIdentity, userOfIdentity } from './users.ts';
import { callWeChat, takeVendorQuota } from './wechat-calls.ts';

const MAX_CODE = 256;
/** Codes that WeChat is asked about for one scene: a login takes two, and a phone with a bad line tries again. */
const CODES_PER_SCENE = 10;

/** Unknown, over, of another kind and another phone's: all the same to whoever asks. */
export const sceneOver = () => new Refusal(CODE.sceneOver, '二维码已过期，请刷新后重新扫码');

/**
 * Who is holding the phone: the openid behind a fresh `wx.login` code, asked of WeChat only for a scene that is live and
 * not another phone's. Throws sceneOver, invalid (40) for a code WeChat does not know, tooFrequent (41) when a scene asks
 * for more than its share of the site's quota, unavailable (503).
 */
export async function personOfMiniCall(ctx: Ctx, input: { scene: string; code: string }) {
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

/** Moves the scene on for that phone. Throws sceneOver when it cannot. */
export async function stepMiniScene(
  ctx: Ctx,
  step: { scene: string; openid: string; from: SceneState[]; to: SceneState; userId?: number },
): Promise<void> {
  const now = new Date(ctx.clock.now());
  const moved = await updateScene(ctx.db, { ...step, kind: 'mini', userId: step.userId ?? null, now });
  if (!moved) throw sceneOver();
}

const badCode = () => invalid('微信登录凭证无效，请重试', 'code');

/** A scene for the mini program's code (C-61). Throws unavailable (503) where there is no mini program. */
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

/** The phone opened the scene: the browser is told, and the phone what it is about to log in. */
export async function miniLoginScanned(
  ctx: Ctx,
  input: Parsed<typeof scans.miniLoginScanned>,
): Promise<Output<typeof scans.miniLoginScanned>> {
  const { scene, openid } = await personOfMiniCall(ctx, input);
  await stepMiniScene(ctx, { scene: scene.scene, openid, from: ['waiting', 'scanned'], to: 'scanned' });
  return {
    purpose: scene.purpose,
    site: ctx.config.site.name,
    place: placeOf(scene.ip),
    browser: browserName(scene.userAgent),
    time: Math.floor(scene.createdAt.getTime() / 1000),
  };
}

/**
 * The phone agrees: its account, made now if there is none, is what the browser will be logged in as. Confirming again
 * changes nothing. Throws sceneOver (6), bannedUser (1), which ends the scene.
 */
export async function miniLoginConfirm(
  ctx: Ctx,
  input: Parsed<typeof scans.miniLoginConfirm>,
): Promise<Record<string, never>> {
  const { scene, openid, unionid } = await personOfMiniCall(ctx, input);
  const step = { scene: scene.scene, openid };
  // First the phone's claim on the scene: another one's must not make an account for nothing.
  if (scene.state !== 'confirmed') await stepMiniScene(ctx, { ...step, from: ['waiting', 'scanned'], to: 'scanned' });
  if (scene.purpose === 'prove') {
    const known = await findUserOfIdentity(ctx, { provider: 'mini', openid, unionid });
    await stepMiniScene(ctx, {
      ...step,
      from: ['scanned', 'confirmed'],
      to: 'confirmed',
      ...(known && { userId: known }),
    });
    if (known === null) throw failed('该微信没有绑定正在验证的账号');
    return {};
  }
  const newcomer = { nickname: input.nickname, channel: 'mini' };
  const userId = await userOfIdentity(ctx, { provider: 'mini', openid, unionid }, newcomer);
  if (userId === null) {
    await stepMiniScene(ctx, { ...step, from: ['scanned', 'confirmed'], to: 'banned' });
    throw bannedUser();
  }
  await stepMiniScene(ctx, { ...step, from: ['scanned', 'confirmed'], to: 'confirmed', userId });
  return {};
}

/** The phone declines. Throws sceneOver (6) when it agreed before, or the scene is not its own. */
export async function miniLoginCancel(
  ctx: Ctx,
  input: Parsed<typeof scans.miniLoginCancel>,
): Promise<Record<string, never>> {
  const { scene, openid } = await personOfMiniCall(ctx, input);
  await stepMiniScene(ctx, { scene: scene.scene, openid, from: ['waiting', 'scanned', 'cancelled'], to: 'cancelled' });
  return {};
}
