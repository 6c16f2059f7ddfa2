import { expect } from 'vitest';
import { getMiniLoginScene, miniLoginChecking, miniLoginConfirm } from '../src/accounts/contract-scans.ts';
import { getMine } from '../src/membership/contract.ts';
import { expectOk } from '../src/protocol/call.ts';
import type { standInProviders } from './stand-in-providers.ts';
import type { TestApp } from './test-app.ts';
import { openVisitor, type Visitor } from './visitor.ts';

/** Answers of a poll of a scene. */
export const WAITING = { code: 1, message: '等待扫码', data: {} };
export const OVER = { code: 6, message: '二维码已过期', data: {} };

let people = 0;
export const newOpenid = () => `o-${Date.now()}-${people++}`;

/** Returns helpers for people who log in by scanning the code of the mini program. */
export function comingByScan(app: TestApp, outside: ReturnType<typeof standInProviders>) {
  const startMini = async (browser: Visitor) => expectOk(await browser.call(getMiniLoginScene, {})).scene;
  const check = (browser: Visitor, scene: string) => browser.call(miniLoginChecking, { scene });
  const confirm = (scene: string, openid: string, unionid: string | null = null, nickname = '') =>
    openVisitor(app).call(miniLoginConfirm, { scene, code: outside.wxCode(openid, unionid), nickname });

  /** Scans and confirms. Returns the user id. */
  async function comeIn(openid: string, unionid: string | null = null): Promise<number> {
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    expect(await confirm(scene, openid, unionid)).toMatchObject({ code: 0 });
    expect(await check(browser, scene)).toMatchObject({ code: 0 });
    return expectOk(await browser.call(getMine, {})).uid;
  }

  return { startMini, check, confirm, comeIn };
}
