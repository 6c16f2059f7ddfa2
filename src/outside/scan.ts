import { pushScan, type Pushed } from './push.ts';
import type { Person, Scene, World } from './world.ts';
import { newJsCode } from './mini-program.ts';

/** The site's answer to a call of its mini program. */
type Reply = { code: number; message: string; data: Record<string, unknown> };

/** The phone's screen after a step. `ok` false: `message` gives the reason. */
type Step = { ok: boolean; message: string; reply?: Reply; pushed?: Pushed };

const PATHS = { scanned: '/api/mini/loginScanned', confirm: '/api/mini/loginConfirm', cancel: '/api/mini/loginCancel' };
const ANSWER_MS = 10_000;
const GONE = '二维码已失效，请回到电脑上刷新后再扫';

/**
 * Scans a QR code: for an official account's code WeChat notifies the site at once; a mini program opens its confirm
 * page.
 */
export async function scan(world: World, scene: Scene, person: Person): Promise<Step> {
  if (scene.expiresAt < Date.now()) return { ok: false, message: GONE };
  scene.person = person;
  if (scene.kind === 'official') {
    const pushed = await pushScan(world, scene, person);
    scene.state = pushed.ok ? 'confirmed' : 'waiting';
    scene.note = pushed.ok ? '已进入公众号，请回到电脑上继续' : '该公众号提供的服务出现故障，请稍后再试';
    return { ok: pushed.ok, message: scene.note, pushed };
  }
  const reply = await askSite(world, 'scanned', scene.scene, person);
  scene.note = reply.code === 0 ? '' : reply.message;
  scene.asks = reply.data;
  if (reply.code === 0) scene.state = 'scanned';
  return { ok: reply.code === 0, message: reply.message, reply };
}

/** Presses a button of the mini program's confirm page. */
export async function decide(world: World, scene: Scene, step: 'confirm' | 'cancel'): Promise<Step> {
  if (!scene.person || scene.kind !== 'mini') return { ok: false, message: GONE };
  const reply = await askSite(world, step, scene.scene, scene.person);
  scene.note = reply.code === 0 ? '' : reply.message;
  if (reply.code === 0) scene.state = step === 'confirm' ? 'confirmed' : 'cancelled';
  return { ok: reply.code === 0, message: reply.message, reply };
}

/** Calls the site as its mini program on a phone does, with a fresh code of wx.login. */
async function askSite(world: World, step: keyof typeof PATHS, scene: string, person: Person): Promise<Reply> {
  if (world.siteUrl === null) return { code: 503, message: '网站还没有告诉这里它的地址', data: {} };
  try {
    const response = await fetch(`${world.siteUrl}${PATHS[step]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        scene,
        code: newJsCode(world, person),
        ...(step === 'confirm' && { nickname: person.nickname }),
      }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body = await response.json();
    return { code: Number(body.code), message: String(body.message ?? ''), data: { ...body.data } };
  } catch {
    return { code: 503, message: '网站没有回应', data: {} };
  }
}
