import { randomInt } from 'node:crypto';
import type { z } from 'zod';
import { createCall, type Reply } from '../src/protocol/call.ts';
import type { Endpoint, Input } from '../src/protocol/endpoint.ts';
import type { TestApp } from './test-app.ts';

/** A browser as far as the API sees one: an address, a cookie jar, and the token in the header of its calls. */
export type Visitor = {
  cookies: Map<string, string>;
  /** The user it is logged in as answers for the `token` cookie, as the page's own calls do (C-02). */
  call<E extends Endpoint<z.ZodType, z.ZodType>>(endpoint: E, input: Input<E>): Promise<Reply<E>>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
};

/** An address no other test uses: the limits of one must not refuse another. */
export const newAddress = () => `203.${randomInt(1, 250)}.${randomInt(0, 250)}.${randomInt(1, 250)}`;

let nextPhone = randomInt(0, 100_000_000);
/** A phone nobody has yet. */
export const newPhone = () => `139${String(nextPhone++ % 100_000_000).padStart(8, '0')}`;

export function openVisitor(app: TestApp, ip = newAddress()): Visitor {
  const cookies = new Map<string, string>();
  const send = async (request: Request) => {
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (jar) request.headers.set('cookie', jar);
    const response = await app.fetch(request.url, request, ip);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const tokenHeader = (): Record<string, string> => {
    const token = cookies.get('token');
    return token ? { token } : {};
  };
  return {
    cookies,
    call: (endpoint, input) =>
      createCall({ origin: 'http://ceku.test', fetch: send, headers: tokenHeader })(endpoint, input),
    fetch: (path, init) => send(new Request(new URL(path, 'http://ceku.test'), init)),
  };
}
