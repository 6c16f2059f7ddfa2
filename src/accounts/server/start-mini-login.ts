import type { Ctx } from '../../context.ts';
import { unavailable } from '../../protocol/envelope.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import { SCENE_SECONDS, type getMiniLoginScene as contract } from '../contract-scans.ts';
import { openScene } from './scenes.ts';

/** A scene for the mini program's code (C-61). Throws unavailable (503) where there is no mini program. */
export async function startMiniLogin(
  ctx: Ctx,
  input: Parsed<typeof contract>,
): Promise<{ scene: string; expire_seconds: number }> {
  if (!ctx.providers.miniProgram) throw unavailable();
  return {
    scene: await openScene(ctx, { kind: 'mini', channel: '', purpose: input.purpose }),
    expire_seconds: SCENE_SECONDS,
  };
}
