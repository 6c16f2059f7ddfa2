import { transact, type Ctx } from '../../context.ts';
import { CODE, type Code } from '../../protocol/codes.ts';
import { CodedAnswer, SUCCESS_MESSAGE } from '../../protocol/envelope.ts';
import type { Output } from '../../protocol/endpoint.ts';
import type { miniLoginChecking } from '../contract-scans.ts';
import { openSession } from './open-session.ts';
import { bindHashOf, isScene } from './scenes.ts';
import { burnScene, findLiveScene } from './store-scenes.ts';
import { setProvedAt } from './store.ts';

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
  const scene = await findLiveScene(ctx.db, input.scene, new Date(ctx.clock.now()));
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
  await setProvedAt(ctx.db, sessionId, new Date(ctx.clock.now()));
  return 'proven';
}

async function deliver(ctx: Ctx, scene: string, bindHash: Buffer): Promise<Checked> {
  // Together: a scene that is burnt without a session would be a login lost.
  const login = await transact(ctx, async (tx) => {
    const burnt = await burnScene(tx.db, scene, bindHash, new Date(tx.clock.now()));
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
