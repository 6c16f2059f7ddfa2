import { newJsCode } from './mini-program.ts';
import type { Person, World } from './world.ts';

/** The site's mini program as it runs on a phone: it calls the site with a fresh code of wx.login. */
const PATHS = { scanned: '/api/mini/loginScanned', confirm: '/api/mini/loginConfirm', cancel: '/api/mini/loginCancel' };
const ANSWER_MS = 10_000;

export type Reply = { code: number; message: string; data: Record<string, unknown> };

export async function askSite(world: World, step: keyof typeof PATHS, scene: string, person: Person): Promise<Reply> {
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
