import { addressGroup } from '../../protocol/address-group.ts';
import { readCookie } from './cookies.ts';
import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts';

/**
 * Returns the visitor's address: the socket's, unless proxies of the operator stand in front. Each proxy appends one
 * entry to X-Forwarded-For, so the entry `trustedProxies` from the right is the first that no visitor could have
 * written.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | null, trustedProxies: number): string {
  if (trustedProxies === 0 || !forwardedFor) return plain(socketAddress);
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  // A proxy that writes no address says nothing of the visitor, like a missing entry.
  return plain(hops[hops.length - trustedProxies] || socketAddress);
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

/** Reads a header of a request by its lower-case name. */
export type ReadHeader = (name: string) => string | null;

/** The key that a request is counted under, and whether it carries a session that was found valid a short time ago. */
export type LimitedClient = { key: string; isMember: boolean };

/**
 * Returns the client that a request without a known session is counted as: its address, with a key of its own for
 * requests that carry the secret of some session, so that members neither wait behind nor are refused because of a flood
 * of visitors from the address of their own office.
 */
export function limitedClient(ip: string, header: ReadHeader): LimitedClient {
  const key = addressGroup(ip);
  return { key: sessionSecrets(header).length > 0 ? `${key} session` : key, isMember: false };
}

/** Returns the secrets by which a request names a session: the token of a call, the `sess` cookie of a browser (C-02). */
export function sessionSecrets(header: ReadHeader): string[] {
  const secrets = [tokenOf(header), readCookie(header('cookie'), 'sess')];
  return secrets.filter((secret) => secret !== '');
}

/**
 * Returns the token of a call: its `token` header, or where that is missing or empty the Authorization header, with or without the word
 * Bearer; "" for a call without one. What another scheme names (the Basic password of a proxy in front) is no token.
 */
export function tokenOf(header: ReadHeader): string {
  return header('token') || (/^(?:Bearer +)?(\S+)$/i.exec(header('authorization') ?? '')?.[1] ?? '');
}

/** Headers that proxies, tunnels and content delivery networks add; a browser that connects by itself sends none. */
const PROXY_HEADER =
  /^(forwarded(-for)?|via|x-forwarded(-.*)?|x-original-.*|x-real-ip|x-scheme|x-host|x-(client|cluster-client|remote)-.*|x-proxyuser-ip|(true|wl-proxy|proxy)?-?client-ip|x-envoy-.*|ali-.*|cdn-.*|cf-.*|fastly-.*|fly-.*|tailscale-.*|x-(amzn?|appengine|azure|cloud|ngrok|vercel)-.*)$/;

/**
 * True when a request was made on this machine: it comes from a loopback address, names a loopback host, is not sent by
 * another site's page and was not forwarded by a proxy. A private address is not enough: behind a published port of a
 * container every client has one. A tunnel that adds no header cannot be told apart, so whatever this function permits
 * must also need a secret. `ip`: the visitor's address.
 */
export function isFromThisMachine(request: Request, ip: string): boolean {
  if (!isLoopbackAddress(ip) || !isLoopbackHost(new URL(request.url).hostname)) return false;
  // A request target in absolute form may name another host than the Host header.
  const host = request.headers.get('host');
  if (host !== null && !isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? '')) return false;
  if ([...request.headers.keys()].some((name) => PROXY_HEADER.test(name))) return false;
  if (['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')) return false;
  return ['origin', 'referer'].every((name) => {
    const sender = request.headers.get(name);
    return sender === null || isLoopbackHost(URL.parse(sender)?.hostname ?? '');
  });
}
