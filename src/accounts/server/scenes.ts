import { createHash, randomBytes } from 'node:crypto';
import { serialize } from 'hono/utils/cookie';
import type { Ctx } from '../../context.ts';
import { addressGroup, addressNetwork } from '../../protocol/address-group.ts';
import { SCENE_SECONDS } from '../contract-scans.ts';
import { requireSession } from './require-session.ts';
import { insertScene } from './store-scenes.ts';
import type { Provider, ScenePurpose } from './tables.ts';

const BIND = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{24})$/;
const SCENE = /^[A-Za-z0-9_-]{22}$/;
const DAY = 86_400;
/** Scenes a day: an office with sixty people who each leave a dialog open, and an IPv6 network of several offices. */
const PER_ADDRESS_A_DAY = 1_000;
const PER_NETWORK_A_DAY = 4_000;

/** Behind https a name that no other host and no plain connection can set. */
const bindCookie = (ctx: Ctx) => (ctx.request.isSecure ? '__Host-scene_bind' : 'scene_bind');

/** 128 random bits in 22 characters; fits WeChat's 32 for a scene, and its alphabet. */
const newScene = () => randomBytes(16).toString('base64url');

export const isScene = (text: string) => SCENE.test(text);

/** The asking browser's secret, when this site made it: a value that somebody else chose is none. */
function bindOf(ctx: Ctx): string | null {
  const cookie = ctx.request.cookie(bindCookie(ctx));
  const [, secret, signature] = BIND.exec(cookie) ?? [];
  return secret && signature && ctx.signer.verify(signature, 'scene-bind', secret) ? cookie : null;
}

function newBind(ctx: Ctx): string {
  const secret = randomBytes(32).toString('base64url');
  return `${secret}.${ctx.signer.sign('scene-bind', secret)}`;
}

const hashOf = (bind: string) => createHash('sha256').update(bind).digest();

/** The hash of the asking browser's secret; null when it has none. */
export function bindHashOf(ctx: Ctx): Buffer | null {
  const bind = bindOf(ctx);
  return bind === null ? null : hashOf(bind);
}

/**
 * A new scene of two minutes, bound to the browser that asks: by the HttpOnly cookie it has already, for it polls its
 * newest two scenes, or by a new one (C-61). With the purpose `prove` it is bound to the session that asks as well. Returns
 * the scene. Throws notLoggedIn, tooFrequent.
 */
export async function openScene(
  ctx: Ctx,
  scene: { kind: Provider; channel: string; purpose: ScenePurpose },
): Promise<string> {
  const sessionId = scene.purpose === 'prove' ? requireSession(ctx).id : null;
  await ctx.limiter.take('scenes', addressGroup(ctx.request.ip), PER_ADDRESS_A_DAY, { seconds: DAY });
  const network = addressNetwork(ctx.request.ip);
  if (network) await ctx.limiter.take('scenes-network', network, PER_NETWORK_A_DAY, { seconds: DAY });
  const bind = bindOf(ctx) ?? newBind(ctx);
  const name = newScene();
  const now = ctx.clock.now();
  await insertScene(ctx.db, {
    ...scene,
    scene: name,
    sessionId,
    bindHash: hashOf(bind),
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent,
    createdAt: new Date(now),
    expiresAt: new Date(now + SCENE_SECONDS * 1000),
  });
  const { isSecure } = ctx.request;
  // A name that begins with __Host- asks for the path of the whole site.
  const options = {
    path: isSecure ? '/' : '/api',
    maxAge: 2 * SCENE_SECONDS,
    sameSite: 'Lax',
    httpOnly: true,
  } as const;
  ctx.request.replyHeaders.append('set-cookie', serialize(bindCookie(ctx), bind, { ...options, secure: isSecure }));
  return name;
}
