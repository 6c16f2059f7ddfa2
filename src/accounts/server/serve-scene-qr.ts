import { renderSVG } from 'uqr';
import type { Ctx } from '../../context.ts';
import { createMemo } from '../../platform/memo.ts';
import { notFound, Refusal, unavailable } from '../../protocol/envelope.ts';
import { SCENE_SECONDS } from '../contract-scans.ts';
import { askProvider } from './ask-provider.ts';
import { isScene } from './scenes.ts';
import { findLiveScene } from './store-scenes.ts';
import type { Provider } from './tables.ts';

/** An image that is asked for again is not asked of WeChat again. */
const images = createMemo<Uint8Array>(SCENE_SECONDS * 1000, 200);

/** The mini program's code of a scene, as WeChat draws it; 404 when the scene is unknown or over (C-61). */
export async function serveMiniQr(ctx: Ctx, request: Request): Promise<Response> {
  const { scene } = await liveScene(ctx, request, 'mini');
  const program = ctx.providers.miniProgram;
  if (!program) throw unavailable();
  const drawn = images(ctx, scene, async () => asPng(await program.codeImage({ scene })));
  return imageOf(Buffer.from(await askProvider(ctx, drawn)), 'image/png');
}

/** The official account's code of a scene, drawn by us. */
export async function serveOffiaccountQr(ctx: Ctx, request: Request): Promise<Response> {
  const { qrText } = await liveScene(ctx, request, 'offiaccount');
  if (qrText === '') throw missing();
  return imageOf(renderSVG(qrText, { border: 2 }), 'image/svg+xml');
}

async function liveScene(ctx: Ctx, request: Request, kind: Provider) {
  const name = new URL(request.url).searchParams.get('scene') ?? '';
  const scene = isScene(name) ? await findLiveScene(ctx.db, name, new Date(ctx.clock.now())) : null;
  if (scene?.kind !== kind || scene.state === 'delivered') throw missing();
  return scene;
}

/** For an <img>, which knows no code but the status. */
function missing(): Refusal {
  const { code, message } = notFound();
  return new Refusal(code, message, null, 404);
}

/** WeChat draws a JPEG where it likes; C-61 promises PNG. */
async function asPng(image: Uint8Array): Promise<Uint8Array> {
  if (image[0] === 0x89 && image[1] === 0x50) return image;
  const { default: sharp } = await import('sharp');
  return sharp(image).png().toBuffer();
}

const imageOf = (body: BodyInit, type: string) =>
  new Response(body, {
    headers: { 'content-type': type, 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' },
  });
