import { isLoopbackHost } from './loopback.ts';

type Facts = { publicUrl: string | undefined; trustedProxies: number; hasProviderKeys: boolean };

/**
 * Returns the reason, for the operator, why the public can reach the site according to its configuration; null when
 * nothing says so.
 */
export function whyPublic({ publicUrl, trustedProxies, hasProviderKeys }: Facts): string | null {
  if (namesPublicHost(publicUrl)) return 'PUBLIC_URL names a public host';
  if (hasProviderKeys) return 'keys of WeChat or an SMS carrier are set';
  if (trustedProxies > 0) return 'TRUST_PROXY says that a proxy stands in front';
  return null;
}

/** True for an address whose host is not this machine. False for a missing or invalid address. */
export function namesPublicHost(publicUrl: string | undefined): boolean {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  return url !== null && !isLoopbackHost(url.hostname);
}

const SAMPLE =
  /change.?(me|this|it)|replace.?(me|this)|place.?holder|your.{0,9}(secret|key)|example|default.?(secret|key)|(super|dev|test|local).?secret|openssl|^<.*>$|battery.?staple/i;
const ALPHABETS = ['0123456789abcdef', 'abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop'];
const MIN_DISTINCT = 8;
const MAX_PERIOD = 16;

/**
 * True for a secret that others can guess: a sample from a manual, a repetition, the alphabet, or a text of fewer than
 * eight different characters. A random secret of 32 characters is never refused.
 */
export function isGuessableSecret(secret: string): boolean {
  const lower = secret.toLowerCase();
  if (new Set(lower).size < MIN_DISTINCT || SAMPLE.test(lower)) return true;
  // A repetition of one part, whose last copy may be cut short.
  for (let period = 1; period <= MAX_PERIOD; period += 1)
    if (lower.slice(period) === lower.slice(0, -period)) return true;
  return ALPHABETS.some((alphabet) => lower.startsWith(alphabet));
}
