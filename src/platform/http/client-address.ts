import { addressGroup } from '../../protocol/address-group.ts';
import { readCookie } from './cookies.ts';

/**
 * The visitor's address: the socket's, unless proxies of ours stand in front. Each of them appends one entry to
 * X-Forwarded-For, so the entry `trustedProxies` from the right is the first one no visitor could have written.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | null, trustedProxies: number): string {
  if (trustedProxies === 0 || !forwardedFor) return plain(socketAddress);
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  return plain(hops[hops.length - trustedProxies] ?? socketAddress);
}

/** Some proxies write the port as well: another one each time, and the limits of one address would never be reached. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/i;

function plain(address: string): string {
  const [, v6, v4] = WITH_PORT.exec(address) ?? [];
  return (v6 ?? v4 ?? address).replace(/^::ffff:/i, '').slice(0, 64);
}

/**
 * Whom a request is counted for: its address, apart for requests that carry a session, so that members neither wait
 * behind a flood from the address of their own office nor are refused because of it. `header` reads a header of the
 * request by its name in small letters.
 */
export function limitedClient(ip: string, header: (name: string) => string | null): string {
  const hasSession =
    header('token') !== null || header('authorization') !== null || readCookie(header('cookie'), 'sess') !== '';
  return hasSession ? `${addressGroup(ip)} session` : addressGroup(ip);
}
