/**
 * The visitor's address: the socket's, unless proxies of ours stand in front. Each of them appends one entry to
 * X-Forwarded-For, so the entry `trustedProxies` from the right is the first one no visitor could have written.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | null, trustedProxies: number): string {
  if (trustedProxies === 0 || !forwardedFor) return plain(socketAddress);
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  return plain(hops[hops.length - trustedProxies] ?? socketAddress);
}

function plain(address: string): string {
  return address.replace(/^::ffff:/, '').slice(0, 64);
}
