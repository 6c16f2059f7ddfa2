/** Times as Alipay writes them. */

const SHANGHAI_MS = 8 * 3_600_000;

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai, independent of this machine's time zone. China has no summer time since 1991. */
export const shanghaiTimeOf = (epochMs: number): string =>
  new Date(epochMs + SHANGHAI_MS).toISOString().slice(0, 19).replace('T', ' ');

/** Returns the instant of such a text, also with milliseconds behind; null for any other text or an impossible date. */
export function instantOf(text: unknown): Date | null {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/.test(text)) return null;
  const at = new Date(Date.parse(`${text.replace(' ', 'T')}Z`) - SHANGHAI_MS);
  // Date.parse makes 2 March of 30 February.
  return !Number.isNaN(at.getTime()) && shanghaiTimeOf(at.getTime()) === text.slice(0, 19) ? at : null;
}
