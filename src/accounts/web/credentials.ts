import { CODE } from '../../protocol/codes.ts';

/** The cookies of a login that scripts can read (C-02). The fourth cookie is HttpOnly. */
const READABLE = ['token', 'sid', 'openid'] as const;

/**
 * Returns the value of a cookie that scripts can read, "" when there is none that this site can have set. Only in the browser. Anything but
 * base64url counts as no cookie: a malformed percent sign would throw in decodeURIComponent, and the header of a call takes no text outside
 * Latin-1.
 */
export const readCredential = (name: 'token' | 'sid' | 'withdrawn'): string =>
  new RegExp(`(?:^|; )${name}=([\\w-]+)(?:;|$)`).exec(document.cookie)?.[1] ?? '';

/** Clears token, sid and openid from this browser. */
export function forgetCredentials(): void {
  for (const name of READABLE) document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
}

/** Returns whether the login took a requested deletion of the account back, once. */
export function takeWithdrawn(): boolean {
  const isWithdrawn = readCredential('withdrawn') !== '';
  if (isWithdrawn) document.cookie = 'withdrawn=; Path=/; Max-Age=0; SameSite=Lax';
  return isWithdrawn;
}

const EVENT = 'ceku:session-over';

/** Returns whether a reply says that the session is over (§4: codes 2 and 10000). */
export const isSessionOver = (code: number) => code === CODE.sessionInvalid || code === CODE.notLoggedIn;

/** Tells the page that the session is over; call() does this. */
export const tellSessionOver = () => window.dispatchEvent(new Event(EVENT));

/** Listens for the end of the session. Returns a function that stops listening. */
export function onSessionOver(listener: () => void): () => void {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
