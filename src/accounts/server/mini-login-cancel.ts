import type { Ctx } from '../../context.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import type { miniLoginCancel as contract } from '../contract-scans.ts';
import { personOfMiniCall, stepMiniScene } from './mini-scene.ts';

/** The phone declines. Throws sceneOver (6) when it agreed before, or the scene is not its own. */
export async function miniLoginCancel(ctx: Ctx, input: Parsed<typeof contract>): Promise<Record<string, never>> {
  const { scene, openid } = await personOfMiniCall(ctx, input);
  await stepMiniScene(ctx, { scene: scene.scene, openid, from: ['waiting', 'scanned', 'cancelled'], to: 'cancelled' });
  return {};
}
