import { createHash, randomBytes } from 'node:crypto';
import { serialize } from 'hono/utils/cookie';
import type { Ctx } from '../../context.ts';
import { SCENE_SECONDS } from '../contract-scans.ts';
import { insertScene } from './store-scenes.ts';
import type { Provider } from './tables.ts';

const BIND_COOKIE = 'scene_bind';
const BIND = /^[A-Za-z0-9_-]{43}$/;
const SCENE = /^[A-Za-z0-9_-]{22}$/;

/** 128 random bits in 22 characters; fits WeChat's 32 for a scene, and its alphabet. */
const newScene = () => randomBytes(16).toString('base64url');

export const isScene = (text: string) => SCENE.test(text);

/** The hash of the asking browser's secret; null when it has none. */
export function bindHashOf(ctx: Ctx): Buffer | null {
  const bind = ctx.request.cookie(BIND_COOKIE);
  return BIND.test(bind) ? createHash('sha256').update(bind).digest() : null;
}

/**
 * A new scene of two minutes, bound to the browser that asks: by the HttpOnly cookie it has already, for it polls its
 * newest two scenes, or by a new one (C-61). Returns the scene.
 */
export async function openScene(ctx: Ctx, kind: Provider, channel: string): Promise<string> {
  const known = ctx.request.cookie(BIND_COOKIE);
  const bind = BIND.test(known) ? known : randomBytes(32).toString('base64url');
  const scene = newScene();
  const now = ctx.clock.now();
  await insertScene(ctx.db, {
    scene,
    kind,
    bindHash: createHash('sha256').update(bind).digest(),
    channel,
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent,
    createdAt: new Date(now),
    expiresAt: new Date(now + SCENE_SECONDS * 1000),
  });
  const options = { path: '/api', maxAge: 2 * SCENE_SECONDS, sameSite: 'Lax', httpOnly: true } as const;
  const cookie = serialize(BIND_COOKIE, bind, { ...options, secure: ctx.request.isSecure });
  ctx.request.replyHeaders.append('set-cookie', cookie);
  return scene;
}
