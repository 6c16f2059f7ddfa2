import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts';

/** A proxy or a tunnel adds at least one of them; a browser or program that connects by itself adds none. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

/**
 * True when a request was made on this machine itself: it comes from a loopback address, asks for a loopback host, is
 * sent by no other site's page and was passed on by no proxy. A private address is not enough: behind a published port
 * of a container every stranger has one. `ip`: the visitor's address.
 */
export function isFromThisMachine(request: Request, ip: string): boolean {
  if (!isLoopbackAddress(ip) || !isLoopbackHost(new URL(request.url).hostname)) return false;
  if (PROXY_HEADERS.some((name) => request.headers.has(name))) return false;
  return ['origin', 'referer'].every((name) => {
    const sender = request.headers.get(name);
    return sender === null || isLoopbackHost(URL.parse(sender)?.hostname ?? '');
  });
}
