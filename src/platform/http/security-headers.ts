/**
 * Of every page. `inlineScripts`: the sources of Content-Security-Policy that let the page's own inline scripts run, its
 * nonce or their hashes. Inline styles stay allowed: components place popovers and colour covers by them.
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

/** Of answers over https: the browser is to ask by https only. */
export function httpsHeaders(): Record<string, string> {
  return { 'strict-transport-security': 'max-age=31536000' };
}

/** In development Vite needs inline scripts and a web socket. */
export function developmentHeaders(): Record<string, string> {
  return { 'x-content-type-options': 'nosniff' };
}
