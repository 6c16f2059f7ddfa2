import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts';

/** Headers that proxies, tunnels and content delivery networks add; a browser that connects by itself sends none. */
const PROXY_HEADER =
  /^(forwarded|via|x-forwarded-.*|x-original-.*|x-real-ip|x-scheme|x-client-ip|x-cluster-client-ip|x-envoy-.*|true-client-ip|ali-.*|cdn-.*|cf-.*|fastly-.*|fly-.*|x-amzn?-.*)$/;

/**
 * True when a request was made on this machine: it comes from a loopback address, names a loopback host, is not sent by
 * another site's page and was not forwarded by a proxy. A private address is not enough: behind a published port of a
 * container every client has one. A tunnel that adds no header cannot be told apart, so whatever this function permits
 * must also need a secret. `ip`: the visitor's address.
 */
export function isFromThisMachine(request: Request, ip: string): boolean {
  if (!isLoopbackAddress(ip) || !isLoopbackHost(new URL(request.url).hostname)) return false;
  if ([...request.headers.keys()].some((name) => PROXY_HEADER.test(name))) return false;
  if (['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')) return false;
  return ['origin', 'referer'].every((name) => {
    const sender = request.headers.get(name);
    return sender === null || isLoopbackHost(URL.parse(sender)?.hostname ?? '');
  });
}
