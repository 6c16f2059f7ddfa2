import { renderSVG } from 'uqr';
import type { Ctx } from '../../../context.ts';
import { notFound, Refusal, unavailable } from '../../../protocol/envelope.ts';
import { addressGroup } from '../../../protocol/address-group.ts';
import { callWeChat, takeVendorQuota } from './wechat-calls.ts';
import { bindHashOf, isScene } from './scenes.ts';
import { selectLiveScene, updateSceneImage } from './store-scenes.ts';
import type { Provider } from '../tables.ts';
import { visitorOrigin } from '../../../platform/http/api/request-context.ts';

const PICTURES_A_MINUTE = 120;

/**
 * Serves the mini program's code of a scene, as WeChat draws it (C-61), to the browser that started the scene alone, so
 * that nobody else uses up the site's quota. 404 when the scene is unknown, over, or another browser's.
 */
export async function serveMiniQr(ctx: Ctx, request: Request): Promise<Response> {
  await ctx.limiter.take('scene-picture', addressGroup(ctx.request.ip), PICTURES_A_MINUTE, { isInMemory: true });
  const { scene, image, bindHash } = await liveScene(ctx, request, 'mini');
  if (!bindHashOf(ctx)?.equals(bindHash)) throw missing();
  if (image) return imageOf(Buffer.from(image), 'image/png');
  const program = ctx.providers.miniProgram;
  if (!program) throw unavailable();
  const drawn = ctx.caches.accounts.scenePictures(ctx, scene, async () => {
    await takeVendorQuota(ctx, 'wechat-mini-qr');
    const png = Buffer.from(await asPng(await program.codeImage({ scene })));
    await updateSceneImage(ctx.db, scene, png);
    return png;
  });
  return imageOf(Buffer.from(await callWeChat(ctx, drawn)), 'image/png');
}

/**
 * Serves the code that opens the mini program, as WeChat draws it. The code never changes, so WeChat is asked once a day and
 * node. 404 when no mini program is configured; throws unavailable (503) when WeChat does not answer.
 */
export async function serveMiniHomeQr(ctx: Ctx): Promise<Response> {
  const program = ctx.providers.miniProgram;
  if (!program) throw missing();
  const drawn = ctx.caches.accounts.miniHomePicture(ctx, '', async () => {
    await takeVendorQuota(ctx, 'wechat-mini-qr');
    return Buffer.from(await asPng(await program.codeImage({ scene: 'web', page: null })));
  });
  const image = new Uint8Array(await callWeChat(ctx, drawn));
  return new Response(image, {
    headers: {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** WeChat keeps such a code for 30 days at most; the site asks for a new one each day and node. */
const FOLLOW_SECONDS = 30 * 86_400;

/**
 * Serves the code that leads to the official account, whose followers it gains, drawn by this site (C-93). Without an official account the
 * code leads to this site. A scan is no login: the scene of the code belongs to no browser. Throws unavailable (503) when WeChat does not
 * answer.
 */
export async function serveFollowQr(ctx: Ctx, request: Request): Promise<Response> {
  const account = ctx.providers.officialAccount;
  const text = account
    ? await callWeChat(
        ctx,
        ctx.caches.accounts.followCode(ctx, '', async () => {
          await takeVendorQuota(ctx, 'wechat-official-qr');
          return (await account.createQr({ scene: 'follow', ttlSeconds: FOLLOW_SECONDS })).qrUrl;
        }),
      )
    : (ctx.config.publicUrl ?? visitorOrigin(new URL(request.url), ctx.request.isSecure));
  return imageOf(renderSVG(text, { border: 2 }), 'image/svg+xml');
}

/** Serves the QR code of an official account's scene, drawn by this site. */
export async function serveOffiaccountQr(ctx: Ctx, request: Request): Promise<Response> {
  const { qrText } = await liveScene(ctx, request, 'offiaccount');
  if (qrText === '') throw missing();
  return imageOf(renderSVG(qrText, { border: 2 }), 'image/svg+xml');
}

async function liveScene(ctx: Ctx, request: Request, kind: Provider) {
  const name = new URL(request.url).searchParams.get('scene') ?? '';
  const scene = isScene(name) ? await selectLiveScene(ctx.db, name, new Date(ctx.clock.now())) : null;
  if (scene?.kind !== kind || scene.state === 'delivered') throw missing();
  return scene;
}

/** Returns notFound with HTTP status 404: an <img> sees no code but the status. */
function missing(): Refusal {
  const { code, message } = notFound();
  return new Refusal(code, message, null, 404);
}

/** Converts WeChat's picture to PNG, as C-61 promises: WeChat sometimes draws a JPEG. */
async function asPng(image: Uint8Array): Promise<Uint8Array> {
  if (image[0] === 0x89 && image[1] === 0x50) return image;
  const { default: sharp } = await import('sharp');
  return sharp(image).png().toBuffer();
}

const imageOf = (body: BodyInit, type: string) =>
  new Response(body, {
    headers: { 'content-type': type, 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' },
  });
