import { Hono } from 'hono';
import { randomBytes } from 'node:crypto';
import type { AccessTokens } from './access-tokens.ts';
import { arrive, wechatError, type Env } from './answer.ts';
import { sceneUrl } from './official-account.ts';
import { qrImage } from './qr-image.ts';
import { openidOf, sweep, unionidOf, type Person, type World } from './world.ts';
import { letters } from './random-text.ts';

const SCENE = /^[0-9A-Za-z!#$&'()*+,/:;=?@\-._~]{1,32}$/;
const JS_CODE_MS = 300_000;
/** A real mini program's QR code works for ever, but its scene expires; the pretend QR code is deleted after a while. */
const KEPT_MS = 600_000;

/**
 * The mini program's calls: a QR code with a scene, and the person behind a `wx.login` code. Errors are JSON with HTTP
 * 200. https://developers.weixin.qq.com/miniprogram/dev/OpenApiDoc/qrcode-link/qr-code/getUnlimitedQRCode.html
 */
export function miniProgram(world: World, tokens: AccessTokens) {
  const { appId, secret } = world.accounts.mini;
  return new Hono<Env>()
    .post('/wxa/getwxacodeunlimit', async (c) => {
      const arrived = await arrive(world, 'getwxacodeunlimit', c);
      if (arrived.answer) return arrived.answer;
      if (arrived.fault === 'expired-token') tokens.expire(appId);
      const refusal = tokens.refusal(appId, c.req.query('access_token'));
      if (refusal) return wechatError(c, refusal, 'invalid credential, access_token is invalid or not latest');
      if (arrived.fault) return wechatError(c, 45009, 'reach max api minute quota limit');
      const body = await c.req.json().catch(() => null);
      if (body === null) return wechatError(c, 47001, 'data format error');
      if (typeof body.scene !== 'string' || !SCENE.test(body.scene))
        return wechatError(c, 40169, 'invalid length for scene');
      if (typeof body.page === 'string' && !/^[^/].*/.test(body.page)) return wechatError(c, 41030, 'invalid page');
      const width = body.width ?? 430;
      if (!(width >= 280 && width <= 1280)) return wechatError(c, 40097, 'invalid args');
      // Without a page the code opens the program itself, where nothing waits for a scan.
      if (body.page === undefined)
        return c.body(await qrImage(`${world.url}/phone?program=home`, width), 200, { 'content-type': 'image/png' });
      const now = Date.now();
      sweep(world, now);
      // The same picture may be requested again while its scene is under way.
      if (!world.scenes.has(body.scene)) {
        world.scenes.set(body.scene, {
          kind: 'mini',
          scene: body.scene,
          ticket: '',
          createdAt: now,
          expiresAt: now + KEPT_MS,
          person: null,
          state: 'waiting',
          asks: {},
          note: '',
        });
      }
      return c.body(await qrImage(sceneUrl(world, body.scene), width), 200, { 'content-type': 'image/png' });
    })
    .get('/sns/jscode2session', async (c) => {
      const arrived = await arrive(world, 'jscode2session', c);
      if (arrived.answer) return arrived.answer;
      if (c.req.query('appid') !== appId) return wechatError(c, 40013, 'invalid appid');
      if (c.req.query('secret') !== secret || arrived.fault === 'wrong-sign') {
        return wechatError(c, 40125, 'invalid appsecret');
      }
      if (arrived.fault) return wechatError(c, -1, 'system error');
      const code = c.req.query('js_code') ?? '';
      const known = world.jsCodes.get(code);
      world.jsCodes.delete(code);
      if (!known || known.expiresAt < Date.now()) return wechatError(c, 40029, 'invalid code');
      return c.json({
        openid: openidOf(appId, known.person),
        session_key: randomBytes(16).toString('base64'),
        unionid: unionidOf(known.person),
      });
    });
}

/** Returns a `wx.login` code of this person's phone: it works once, for five minutes. */
export function newJsCode(world: World, person: Person): string {
  const code = `0${letters(31)}`;
  world.jsCodes.set(code, { person, expiresAt: Date.now() + JS_CODE_MS });
  return code;
}
