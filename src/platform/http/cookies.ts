/**
 * Returns the value of one cookie of a Cookie header, or "". Also for a value with a malformed percent sign, which
 * hono/cookie would return as it is: a visitor would then count as a member.
 */
export function readCookie(header: string | null, name: string): string {
  for (const pair of header?.split(';') ?? []) {
    const [key, ...rest] = pair.split('=');
    if (key?.trim() === name) return decode(rest.join('=').trim());
  }
  return '';
}

/**
 * True for a request that a page of another site made the browser send: it carries the member's cookies, and is not what the
 * member did here. An address that somebody typed, and a client that is no browser, are not.
 */
export function isFromOtherSite(request: Request): boolean {
  return !['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
