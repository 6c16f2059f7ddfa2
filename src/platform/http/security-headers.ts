/**
 * Returns the security headers of a page. `inlineScripts`: the sources of Content-Security-Policy that allow the page's
 * own inline scripts, a nonce or hashes. Inline styles stay allowed: components position popovers and colour covers
 * with them.
 */
export function pageHeaders(inlineScripts: string[], isHttps: boolean): Record<string, string> {
  const policy = [
    `default-src 'self'`,
    `script-src ${["'self'", ...inlineScripts].join(' ')}`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `connect-src 'self'`,
    `font-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    ...(isHttps && httpsHeaders()),
  };
}

/** Returns the headers of answers over https, which tell browsers to use https only. */
export function httpsHeaders(): Record<string, string> {
  return { 'strict-transport-security': 'max-age=31536000' };
}

/** In development Vite needs inline scripts and a web socket. */
export function developmentHeaders(): Record<string, string> {
  return { 'x-content-type-options': 'nosniff' };
}
