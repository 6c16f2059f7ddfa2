import type { Ctx } from '../../context.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import type { miniLoginScanned as contract } from '../contract-scans.ts';
import { browserName, placeOf } from '../rules.ts';
import { personOfMiniCall, stepMiniScene } from './mini-scene.ts';

/** The phone opened the scene: the browser is told, and the phone what it is about to log in. */
export async function miniLoginScanned(ctx: Ctx, input: Parsed<typeof contract>): Promise<Output<typeof contract>> {
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
