import { addressGroup } from '../../protocol/address-group.ts';
import { readCookie } from './cookies.ts';

/**
 * Returns the visitor's address: the socket's, unless proxies of the operator stand in front. Each proxy appends one
 * entry to X-Forwarded-For, so the entry `trustedProxies` from the right is the first that no visitor could have
 * written.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | null, trustedProxies: number): string {
  if (trustedProxies === 0 || !forwardedFor) return plain(socketAddress);
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  return plain(hops[hops.length - trustedProxies] ?? socketAddress);
}

/**
 * Removes the port that some proxies append: it differs each time, so that the limits of an address would never be
 * reached.
 */
const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/i;

function plain(address: string): string {
  const [, v6, v4] = WITH_PORT.exec(address) ?? [];
  return (v6 ?? v4 ?? address).replace(/^::ffff:/i, '').slice(0, 64);
}

/**
 * Returns the key that a request is counted under: its address, with a key of its own for requests that carry a
 * session, so that members neither wait behind nor are refused because of a flood from the address of their own office.
 * `header` reads a header of the request by its lower-case name.
 */
export function limitedClient(ip: string, header: (name: string) => string | null): string {
  const hasSession =
    header('token') !== null || header('authorization') !== null || readCookie(header('cookie'), 'sess') !== '';
  return hasSession ? `${addressGroup(ip)} session` : addressGroup(ip);
}
