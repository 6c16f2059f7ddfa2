import { CODE } from '../../protocol/codes.ts';

/** The cookies a login leaves for scripts (C-02). The fourth, HttpOnly one is the server's alone. */
const READABLE = ['token', 'sid', 'openid'] as const;

/** The value of a readable credential, "" when there is none. Only in the browser. */
export function readCredential(name: (typeof READABLE)[number]): string {
  for (const pair of document.cookie.split('; ')) {
    const [key, ...rest] = pair.split('=');
    if (key === name) return decodeURIComponent(rest.join('='));
  }
  return '';
}

/** Clears token, sid and openid from this browser. */
export function forgetCredentials(): void {
  for (const name of READABLE) document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
}

const EVENT = 'ceku:session-over';

/** A reply that means the credentials are worth nothing any more (§4: codes 2 and 10000). */
export const isSessionOver = (code: number) => code === CODE.sessionInvalid || code === CODE.notLoggedIn;

/** Said by call(): whoever shows who is logged in listens. */
export const tellSessionOver = () => window.dispatchEvent(new Event(EVENT));

/** Returns the way to stop listening. */
export function onSessionOver(listener: () => void): () => void {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
