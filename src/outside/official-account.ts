import { Hono } from 'hono';
import type { AccessTokens } from './access-tokens.ts';
import { arrive, wechatError, type Env } from './answer.ts';
import { letters } from './random-text.ts';
import { openidOf, sweep, unionidOf, type World } from './world.ts';

const MONTH_SECONDS = 2_592_000;
const DEFAULT_SECONDS = 60;

/**
 * The official account's calls: a QR code with a scene, and the profile of a follower.
 * https://developers.weixin.qq.com/doc/offiaccount/Account_Management/Generating_a_Parametric_QR_Code.html
 */
export function officialAccount(world: World, tokens: AccessTokens) {
  const { appId } = world.accounts.official;
  return new Hono<Env>()
    .post('/cgi-bin/qrcode/create', async (c) => {
      const arrived = await arrive(world, 'qrcode', c);
      if (arrived.answer) return arrived.answer;
      if (arrived.fault === 'expired-token') tokens.expire(appId);
      const refusal = tokens.refusal(appId, c.req.query('access_token'));
      if (refusal) return wechatError(c, refusal, 'invalid credential, access_token is invalid or not latest');
      if (arrived.fault) return wechatError(c, 45009, 'reach max api daily quota limit');
      const body = await c.req.json().catch(() => null);
      if (body === null) return wechatError(c, 47001, 'data format error');
      if (body.action_name !== 'QR_STR_SCENE') return wechatError(c, 40059, 'invalid action name');
      const scene = body.action_info?.scene?.scene_str;
      if (typeof scene !== 'string' || scene.length < 1 || scene.length > 64) {
        return wechatError(c, 40053, 'invalid action info');
      }
      const seconds = Math.min(body.expire_seconds ?? DEFAULT_SECONDS, MONTH_SECONDS);
      const ticket = `g${letters(95)}`;
      const now = Date.now();
      sweep(world, now);
      world.scenes.set(scene, {
        kind: 'official',
        scene,
        ticket,
        createdAt: now,
        expiresAt: now + seconds * 1000,
        person: null,
        state: 'waiting',
        asks: {},
        note: '',
      });
      return c.json({ ticket, expire_seconds: seconds, url: sceneUrl(world, scene) });
    })
    .get('/cgi-bin/user/info', async (c) => {
      const arrived = await arrive(world, 'userinfo', c);
      if (arrived.answer) return arrived.answer;
      if (arrived.fault === 'expired-token') tokens.expire(appId);
      const refusal = tokens.refusal(appId, c.req.query('access_token'));
      if (refusal) return wechatError(c, refusal, 'invalid credential, access_token is invalid or not latest');
      if (arrived.fault) return wechatError(c, 48001, 'api unauthorized');
      const openid = c.req.query('openid');
      const person = [...world.people.values()].find((each) => openidOf(appId, each) === openid);
      if (!person) return wechatError(c, 40003, 'invalid openid');
      if (!world.followers.has(person.key)) return c.json({ subscribe: 0, openid });
      return c.json({ subscribe: 1, openid, unionid: unionidOf(person), subscribe_time: 0, tagid_list: [] });
    });
}

/** Returns the content of a QR code: the address of the pretend phone, so that a person sees what scanning would do. */
export const sceneUrl = (world: World, scene: string) => `${world.url}/phone?scene=${encodeURIComponent(scene)}`;
