import type { Ctx } from '../../context.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import type { miniLoginConfirm as contract } from '../contract-scans.ts';
import { failed } from '../../protocol/envelope.ts';
import { bannedUser } from '../rules.ts';
import { personOfMiniCall, stepMiniScene } from './mini-scene.ts';
import { findUserOfIdentity, userOfIdentity } from './user-of-identity.ts';

/**
 * The phone agrees: its account, made now if there is none, is what the browser will be logged in as. Confirming again
 * changes nothing. Throws sceneOver (6), bannedUser (1), which ends the scene.
 */
export async function miniLoginConfirm(ctx: Ctx, input: Parsed<typeof contract>): Promise<Record<string, never>> {
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
