import { createHash, randomBytes } from 'node:crypto';
import { serialize } from 'hono/utils/cookie';
import type { Ctx, TransactionCtx } from '../../context.ts';
import { SESSION_SECONDS } from '../contract.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new session token: 256 random bits in base64url, 43 characters. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Returns a new session id of 22 characters. It appears in bodies and links and proves nothing. */
export const newSid = () => randomBytes(16).toString('base64url');

/**
 * Returns the hash that is stored in place of a token, so that a copy of the database lets nobody in. Null when the
 * text cannot be a token of this site.
 */
export const hashToken = (token: string) => (TOKEN.test(token) ? createHash('sha256').update(token).digest() : null);

/** Scripts read these three cookies; `sess` is HttpOnly (C-02). */
const READABLE = ['token', 'sid', 'openid'] as const;
const HIDDEN = 'sess';

type SessionCookies = Record<(typeof READABLE)[number] | typeof HIDDEN, string>;

/** Set by the page that an invite link opens (accounts/web/remember-invite.tsx): the id of the inviter. */
const INVITE = 'invite';
/** Set by every login: in this browser somebody had an account, so that nobody is invited in it any more. */
const KNOWN = 'known';
/** The longest time that browsers keep a cookie. */
const KNOWN_SECONDS = 400 * 86_400;

/** Sets the four cookies of a login on the answer, marks the browser as known, and takes its invite away. */
export function setSessionCookies(ctx: TransactionCtx, cookies: SessionCookies): void {
  write(ctx, cookies, SESSION_SECONDS);
  const { replyHeaders, isSecure: secure } = ctx.request;
  const options = { path: '/', sameSite: 'Lax', secure } as const;
  const known = serialize(KNOWN, '1', { ...options, maxAge: KNOWN_SECONDS, httpOnly: true });
  replyHeaders.append('set-cookie', known);
  if (ctx.request.cookie(INVITE) !== '')
    replyHeaders.append('set-cookie', serialize(INVITE, '', { ...options, maxAge: 0 }));
}

/** Set for a minute by a login that took a requested deletion of the account back: its page says so (accounts/web/ask-mine.ts). */
const WITHDRAWN = 'withdrawn';
const WITHDRAWN_SECONDS = 60;

/** Lets the page of a login say that the deletion was taken back (C-74). */
export function setWithdrawnCookie({ request: { replyHeaders, isSecure: secure } }: TransactionCtx): void {
  const options = { path: '/', sameSite: 'Lax', secure, maxAge: WITHDRAWN_SECONDS } as const;
  replyHeaders.append('set-cookie', serialize(WITHDRAWN, '1', options));
}

/**
 * Returns the id of the member by whose link the browser came; null without a link, and in a browser in which somebody has logged in
 * before: members do not invite themselves, and a browser is invited once (C-90). The id is the browser's word and proves nothing.
 */
export function inviterOf(ctx: TransactionCtx): number | null {
  const invite = ctx.request.cookie(INVITE);
  return /^[1-9]\d{0,14}$/.test(invite) && ctx.request.cookie(KNOWN) === '' ? Number(invite) : null;
}

/** Clears the four cookies and everything that the browser cached for this user. */
export function clearSessionCookies(ctx: Ctx): void {
  write(ctx, { token: '', sid: '', openid: '', sess: '' }, 0);
  ctx.request.replyHeaders.set('clear-site-data', '"cache"');
}

/**
 * Returns the Set-Cookie header that takes `sess` away, for a page without a session: a logout that the server did not hear of could not,
 * as scripts do not reach this cookie.
 */
export const clearedHiddenCookie = ({ request: { isSecure: secure } }: Ctx): string =>
  serialize(HIDDEN, '', { path: '/', maxAge: 0, sameSite: 'Lax', secure, httpOnly: true });

function write(ctx: TransactionCtx, cookies: SessionCookies, maxAge: number): void {
  const options = { path: '/', maxAge, sameSite: 'Lax', secure: ctx.request.isSecure } as const;
  for (const name of READABLE) ctx.request.replyHeaders.append('set-cookie', serialize(name, cookies[name], options));
  ctx.request.replyHeaders.append('set-cookie', serialize(HIDDEN, cookies.sess, { ...options, httpOnly: true }));
}
