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
