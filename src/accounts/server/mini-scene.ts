import type { Ctx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import { invalid, Refusal, unavailable } from '../../protocol/envelope.ts';
import { SCENE_SECONDS } from '../contract-scans.ts';
import { ProviderRefused } from '../ports.ts';
import { askProvider } from './ask-provider.ts';
import { isScene } from './scenes.ts';
import { findLiveScene, moveScene } from './store-scenes.ts';
import type { SceneState } from './tables.ts';
import { takeVendorQuota } from './vendor-quota.ts';

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
  const scene = await findLiveScene(ctx.db, input.scene, new Date(ctx.clock.now()));
  if (scene?.kind !== 'mini') throw sceneOver();
  if (input.code === '' || input.code.length > MAX_CODE) throw badCode();
  await ctx.limiter.take('scene-openid', input.scene, CODES_PER_SCENE, { seconds: SCENE_SECONDS });
  await takeVendorQuota(ctx, 'wechat-mini-openid');
  const asked = program.openidOf(input.code).catch((error: unknown) => {
    throw error instanceof ProviderRefused && error.reason === 'bad-code' ? badCode() : error;
  });
  const person = await askProvider(ctx, asked);
  if (scene.openid !== null && scene.openid !== person.openid) throw sceneOver();
  return { scene, ...person };
}

/** Moves the scene on for that phone. Throws sceneOver when it cannot. */
export async function stepMiniScene(
  ctx: Ctx,
  step: { scene: string; openid: string; from: SceneState[]; to: SceneState; userId?: number },
): Promise<void> {
  const now = new Date(ctx.clock.now());
  const moved = await moveScene(ctx.db, { ...step, kind: 'mini', userId: step.userId ?? null, now });
  if (!moved) throw sceneOver();
}

const badCode = () => invalid('微信登录凭证无效，请重试', 'code');
