import { createHash, randomBytes } from 'node:crypto';
import { serialize } from 'hono/utils/cookie';
import type { Ctx } from '../../context.ts';
import { SESSION_SECONDS } from '../contract.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, base64url: 43 characters. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Names a session in bodies and links; proves nothing. 22 characters. */
export const newSid = () => randomBytes(16).toString('base64url');

/** What we keep of a token: useless to whoever reads the database. Null when it cannot be one of ours. */
export const hashToken = (token: string) => (TOKEN.test(token) ? createHash('sha256').update(token).digest() : null);

/** `sess` alone is hidden from scripts; the other three are read by the page (C-02). */
const READABLE = ['token', 'sid', 'openid'] as const;
const HIDDEN = 'sess';

export type SessionCookies = Record<(typeof READABLE)[number] | typeof HIDDEN, string>;

/** Puts the four cookies of a login on the answer. */
export const setSessionCookies = (ctx: Ctx, cookies: SessionCookies) => write(ctx, cookies, SESSION_SECONDS);

/** Takes them away again, with whatever the browser cached for this user. */
export function clearSessionCookies(ctx: Ctx): void {
  write(ctx, { token: '', sid: '', openid: '', sess: '' }, 0);
  ctx.request.replyHeaders.set('clear-site-data', '"cache"');
}

function write(ctx: Ctx, cookies: SessionCookies, maxAge: number): void {
  const options = { path: '/', maxAge, sameSite: 'Lax', secure: ctx.request.isSecure } as const;
  for (const name of READABLE) ctx.request.replyHeaders.append('set-cookie', serialize(name, cookies[name], options));
  ctx.request.replyHeaders.append('set-cookie', serialize(HIDDEN, cookies.sess, { ...options, httpOnly: true }));
}
