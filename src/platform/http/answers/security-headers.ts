import { createHash } from 'node:crypto';

/**
 * Returns the security headers of a page. `inlineScripts`: the sources of Content-Security-Policy that allow the page's
 * own inline scripts, a nonce or hashes. Inline styles stay allowed: components position popovers and colour covers
 * with them. hono/secure-headers knows one nonce for each request; the hashes of a kept page stay with its answer.
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

/**
 * Removes the nonce from a page and returns the page with the hashes of the inline scripts that carried the nonce, in
 * the form of Content-Security-Policy (`'sha256-…'`). So the page is the same for every visitor, and still no other
 * inline script runs: an injected script has no nonce here and therefore no hash. `nonce` must be unguessable and made
 * for this one rendering.
 */
export function hashScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const attribute = ` nonce="${nonce}"`;
  const hashes = new Set<string>();
  const withoutNonce = html
    .replace(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g, (whole, tag: string, text: string) => {
      if (!tag.includes(attribute)) return whole;
      // The nonce also stands in the page's data, from which components that render later read it.
      const script = text.replaceAll(nonce, '');
      if (script !== '') hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
      return `${tag}${script}</script>`;
    })
    .replaceAll(attribute, '');
  return { html: withoutNonce.replaceAll(nonce, ''), hashes: [...hashes] };
}
