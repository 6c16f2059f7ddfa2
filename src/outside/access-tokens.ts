import { Hono } from 'hono';
import { arrive, wechatError, type Env } from './answer.ts';
import type { World } from './world.ts';
import { letters } from './random-text.ts';

const TTL_SECONDS = 7_200;
/** A new token is handed out this long before the old one ends; both work meanwhile. */
const OVERLAP_MS = 300_000;
/** Forced refreshes: at most twenty a day, half a minute apart. */
const FORCED_GAP_MS = 30_000;
const FORCED_PER_DAY = 20;

type Token = { text: string; expiresAt: number };

/**
 * WeChat's stable_token: asking again gives the same token until shortly before its end; only `force_refresh` ends it
 * early. https://developers.weixin.qq.com/doc/offiaccount/Basic_Information/getStableAccessToken.html
 */
export function accessTokens(world: World) {
  const tokens = new Map<string, Token[]>();
  const forced = new Map<string, number[]>();
  const secrets = new Map([
    [world.accounts.official.appId, world.accounts.official.secret],
    [world.accounts.mini.appId, world.accounts.mini.secret],
  ]);

  const routes = new Hono<Env>().post('/cgi-bin/stable_token', async (c) => {
    const arrived = await arrive(world, 'stable_token', c);
    if (arrived.answer) return arrived.answer;
    const body = await c.req.json().catch(() => null);
    if (body === null) return wechatError(c, 47001, 'data format error');
    if (body.grant_type !== 'client_credential') return wechatError(c, 40002, 'invalid grant_type');
    const secret = secrets.get(body.appid);
    if (secret === undefined) return wechatError(c, 40013, 'invalid appid');
    if (secret !== body.secret || arrived.fault === 'wrong-sign') return wechatError(c, 40125, 'invalid appsecret');
    if (arrived.fault) return wechatError(c, -1, 'system error');
    const now = Date.now();
    const alive = (tokens.get(body.appid) ?? []).filter((token) => token.expiresAt > now);
    if (body.force_refresh === true) {
      const before = (forced.get(body.appid) ?? []).filter((at) => at > now - 86_400_000);
      if (before.length >= FORCED_PER_DAY) return wechatError(c, 45009, 'reach max api daily quota limit');
      if (before.some((at) => at > now - FORCED_GAP_MS)) return wechatError(c, 45011, 'api minute-quota reach limit');
      forced.set(body.appid, [...before, now]);
      alive.length = 0;
    }
    let newest = alive.at(-1);
    if (!newest || newest.expiresAt < now + OVERLAP_MS) {
      newest = { text: `${Math.floor(now / 1000)}_${letters(500)}`, expiresAt: now + TTL_SECONDS * 1000 };
      alive.push(newest);
    }
    tokens.set(body.appid, alive);
    return c.json({ access_token: newest.text, expires_in: Math.floor((newest.expiresAt - now) / 1000) });
  });

  return {
    routes,
    /** Returns null when `token` works for this app, else WeChat's error code. */
    refusal(appId: string, token: string | undefined): number | null {
      if (!token) return 41001;
      const known = tokens.get(appId)?.find(({ text }) => text === token);
      if (!known) return 40001;
      return known.expiresAt > Date.now() ? null : 42001;
    },
    /** Expires all tokens of the app, as after a long time without traffic. */
    expire(appId: string): void {
      for (const token of tokens.get(appId) ?? []) token.expiresAt = 0;
    },
  };
}

export type AccessTokens = ReturnType<typeof accessTokens>;
