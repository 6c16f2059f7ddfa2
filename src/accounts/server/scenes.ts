import { createHash, randomBytes } from 'node:crypto';
import { serialize } from 'hono/utils/cookie';
import { transact, type Ctx } from '../../context.ts';
import { addressGroup, addressNetwork } from '../../protocol/address-group.ts';
import { CODE, type Code } from '../../protocol/codes.ts';
import type { Output } from '../../protocol/endpoint.ts';
import { CodedAnswer, SUCCESS_MESSAGE } from '../../protocol/envelope.ts';
import { SCENE_SECONDS, type miniLoginChecking } from '../contract-scans.ts';
import { openSession, requireSession } from './sessions.ts';
import { updateSceneDelivered, selectLiveScene, insertScene } from './store-scenes.ts';
import { updateProvedAt } from './store-sessions.ts';
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

type Checked = CodedAnswer<Output<typeof miniLoginChecking>>;

const waiting = (code: Code, message: string): Checked => new CodedAnswer(code, message, {});
const over = () => waiting(CODE.sceneOver, '二维码已过期');
const banned = () => waiting(CODE.sceneCancelled, '该账号已被停用，请联系客服');

/**
 * How a scan stands, for the browser that asked for it alone (C-61). A confirmed one becomes a login for exactly one
 * caller, and is over for every other: unknown, used, foreign and expired scenes answer alike.
 */
export async function checkScene(ctx: Ctx, input: { scene: string }): Promise<Checked> {
  const bindHash = bindHashOf(ctx);
  if (!bindHash || !isScene(input.scene)) return over();
  const scene = await selectLiveScene(ctx.db, input.scene, new Date(ctx.clock.now()));
  if (!scene?.bindHash.equals(bindHash)) return over();
  switch (scene.state) {
    case 'waiting':
      return waiting(CODE.failed, '等待扫码');
    case 'scanned':
      return waiting(CODE.sceneScanned, '已扫码，请在手机上确认');
    case 'cancelled':
      return waiting(CODE.sceneCancelled, '用户取消');
    case 'banned':
      return banned();
    case 'confirmed':
      return deliver(ctx, input.scene, bindHash);
    case 'delivered':
      return over();
  }
}

/** The scan speaks for the session that asked for the scene, and only where its WeChat is that account's. */
async function keepProof(ctx: Ctx, sessionId: number, userId: number | null): Promise<'proven' | 'stranger'> {
  if (ctx.session?.id !== sessionId || ctx.session.userId !== userId) return 'stranger';
  await updateProvedAt(ctx.db, sessionId, new Date(ctx.clock.now()));
  return 'proven';
}

async function deliver(ctx: Ctx, scene: string, bindHash: Buffer): Promise<Checked> {
  // Together: a scene that is burnt without a session would be a login lost.
  const login = await transact(ctx, async (tx) => {
    const burnt = await updateSceneDelivered(tx.db, scene, bindHash, new Date(tx.clock.now()));
    if (!burnt) return 'over';
    if (burnt.sessionId !== null) return keepProof(tx, burnt.sessionId, burnt.userId);
    return burnt.userId === null ? null : openSession(tx, burnt.userId);
  });
  if (login === 'over') return over();
  if (login === 'proven') return new CodedAnswer(CODE.ok, SUCCESS_MESSAGE, {});
  if (login === 'stranger') return waiting(CODE.sceneCancelled, '扫码的微信不是当前账号绑定的微信');
  if (!login) return banned();
  const { authToken, sid, openid } = login;
  return new CodedAnswer(CODE.ok, SUCCESS_MESSAGE, { token: authToken, sid, openid });
}
