import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts';

/** Headers that proxies, tunnels and content delivery networks add; a browser that connects by itself sends none. */
const PROXY_HEADER =
  /^(forwarded|via|x-forwarded-.*|x-original-.*|x-real-ip|x-scheme|x-client-ip|x-cluster-client-ip|x-envoy-.*|true-client-ip|ali-.*|cdn-.*|cf-.*|fastly-.*|fly-.*|x-amzn?-.*)$/;

/**
 * True when a request was made on this machine itself: it comes from a loopback address, asks for a loopback host, is
 * sent by no other site's page and was passed on by no proxy. A private address is not enough: behind a published port
 * of a container every stranger has one. A tunnel that adds no header cannot be told from this machine: a secret must
 * stand behind what this function lets in. `ip`: the visitor's address.
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
