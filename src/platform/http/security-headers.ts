/** Of every page. Inline styles stay allowed: components place popovers and colour covers by them. */
export function pageHeaders(nonce: string, isHttps: boolean): Record<string, string> {
  const policy = [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'`,
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
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** In development Vite needs inline scripts and a web socket. */
export function developmentHeaders(): Record<string, string> {
  return { 'x-content-type-options': 'nosniff' };
}
