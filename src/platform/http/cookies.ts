/** Returns the value of one cookie of a Cookie header, or "". */
export function readCookie(header: string | null, name: string): string {
  for (const pair of header?.split(';') ?? []) {
    const [key, ...rest] = pair.split('=');
    if (key?.trim() === name) return decode(rest.join('=').trim());
  }
  return '';
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
