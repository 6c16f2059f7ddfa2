/**
 * Returns the client that an address stands for: the address itself, or the /64 of an IPv6 address, since a household
 * has 2^64 of them.
 */
export function addressGroup(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(8 - groups.length - after.length, 0) }, () => '0');
  return [...groups, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Returns the /48 of an IPv6 address, which one customer can rent (65,536 households). Null for IPv4. */
export function addressNetwork(ip: string): string | null {
  return ip.includes(':') ? addressGroup(ip).split(':').slice(0, 3).join(':') : null;
}
