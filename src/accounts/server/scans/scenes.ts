import { createHash, randomBytes } from 'node:crypto';
import { serialize } from 'hono/utils/cookie';
import { type Ctx, transact, type TransactionCtx } from '../../../context.ts';
import { addressGroup, addressNetwork } from '../../../protocol/address-group.ts';
import { CODE, type Code } from '../../../protocol/codes.ts';
import type { Output } from '../../../protocol/endpoint.ts';
import { CodedAnswer, SUCCESS_MESSAGE } from '../../../protocol/envelope.ts';
import { SCENE_SECONDS, type miniLoginChecking } from '../../contract-scans.ts';
import { BEING_ERASED } from '../../rules.ts';
import { inviterOf } from '../session-cookies.ts';
import type { PersonalData } from '../personal-data.ts';
import { isBeingErased, openSession, requireSession } from '../sessions.ts';
import { insertScene, selectLiveScene, updateSceneDelivered } from './store-scenes.ts';
import { updateProvedAt } from '../store-sessions.ts';
import type { Provider, ScenePurpose } from '../tables.ts';

const BIND = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{24})$/;
const SCENE = /^[A-Za-z0-9_-]{22}$/;
const DAY = 86_400;
/**
 * Scenes a day: enough for an office where sixty people each leave a dialog open, and for an IPv6 network of several
 * offices.
 */
const PER_ADDRESS_A_DAY = 1_000;
const PER_NETWORK_A_DAY = 4_000;

/**
 * The name of the cookie. Behind https the prefix `__Host-` keeps other hosts and plain connections from setting it.
 */
const bindCookie = (ctx: Ctx) => (ctx.request.isSecure ? '__Host-scene_bind' : 'scene_bind');

/** Returns a new scene: 128 random bits in 22 characters, within WeChat's limit of 32 and its alphabet. */
const newScene = () => randomBytes(16).toString('base64url');

export const isScene = (text: string) => SCENE.test(text);

/** Returns the caller's scene cookie; null when this site did not sign it. */
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

/** Returns the hash of the caller's scene cookie; null when the browser has none. */
export function bindHashOf(ctx: Ctx): Buffer | null {
  const bind = bindOf(ctx);
  return bind === null ? null : hashOf(bind);
}

/**
 * Opens a scene of two minutes that is bound to the browser by an HttpOnly cookie (C-61). A browser keeps its cookie
 * over several scenes, because it polls the newest two. A scene with the purpose `prove` is bound to the caller's
 * session as well. Returns the scene. Throws notLoggedIn, tooFrequent.
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
    inviterId: inviterOf(ctx),
    bindHash: hashOf(bind),
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent,
    createdAt: new Date(now),
    expiresAt: new Date(now + SCENE_SECONDS * 1000),
  });
  const { isSecure } = ctx.request;
  // The prefix __Host- requires Path=/.
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
 * Returns the state of a scan to the browser that started it (C-61). A confirmed scene becomes a login for exactly one
 * caller. Unknown, used, foreign and expired scenes get one answer.
 */
export async function checkScene(ctx: Ctx, parts: readonly PersonalData[], input: { scene: string }): Promise<Checked> {
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
      return deliver(ctx, parts, input.scene, bindHash);
    case 'delivered':
      return over();
  }
}

/**
 * Records the proof for the session that started the scene, if the scanning WeChat belongs to that session's account.
 */
async function keepProof(
  ctx: TransactionCtx,
  sessionId: number,
  userId: number | null,
): Promise<'proven' | 'stranger'> {
  if (ctx.session?.id !== sessionId || ctx.session.userId !== userId) return 'stranger';
  await updateProvedAt(ctx.db, sessionId, new Date(ctx.clock.now()));
  return 'proven';
}

async function deliver(ctx: Ctx, parts: readonly PersonalData[], scene: string, bindHash: Buffer): Promise<Checked> {
  // In one transaction: a scene that is used up without a session would be a lost login.
  const login = await transact(ctx, async (tx) => {
    const burnt = await updateSceneDelivered(tx.db, scene, bindHash, new Date(tx.clock.now()));
    if (!burnt) return 'over';
    if (burnt.sessionId !== null) return keepProof(tx, burnt.sessionId, burnt.userId);
    return burnt.userId === null ? null : ((await openSession(tx, parts, burnt.userId)) ?? { refused: burnt.userId });
  });
  if (login === 'over') return over();
  if (login === 'proven') return new CodedAnswer(CODE.ok, SUCCESS_MESSAGE, {});
  if (login === 'stranger') return waiting(CODE.sceneCancelled, '扫码的微信不是当前账号绑定的微信');
  if (!login) return banned();
  if ('refused' in login) {
    return (await isBeingErased(ctx, login.refused)) ? waiting(CODE.sceneCancelled, BEING_ERASED) : banned();
  }
  const { authToken, sid, openid } = login;
  return new CodedAnswer(CODE.ok, SUCCESS_MESSAGE, { token: authToken, sid, openid });
}
