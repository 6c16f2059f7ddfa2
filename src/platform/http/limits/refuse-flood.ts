import type { IncomingMessage, ServerResponse } from 'node:http';
import { tooFrequent } from '../../../protocol/envelope.ts';
import { errorPage } from '../answers/error-page.ts';

/**
 * How long the answer to a client whose minute is used up is held back. A client that asks again as soon as it is answered
 * then costs one small answer a second for each connection.
 */
const HELD_MS = 1_000;
/** Maximum number of delayed refusals; further refusals are sent at once. */
const MAX_HELD = 2_000;

/**
 * Returns a function that answers 429 directly at the socket: the envelope to API calls, a small page to other
 * requests.
 */
export function createFloodRefusal() {
  let held = 0;
  return (
    request: IncomingMessage,
    response: ServerResponse,
    { isApi, waitSeconds }: { isApi: boolean; waitSeconds: number },
  ): void => {
    // The answer does not wait for the body; Node discards the rest of the body.
    request.resume();
    const send = () => {
      if (response.destroyed) return;
      const { headers, body } = isApi ? refusedCall(waitSeconds) : REFUSED_PAGE;
      const length = String(Buffer.byteLength(body));
      response.writeHead(429, { ...headers, 'retry-after': String(waitSeconds), 'content-length': length });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    if (held >= MAX_HELD) return send();
    held += 1;
    const timer = setTimeout(() => {
      held -= 1;
      send();
    }, HELD_MS);
    timer.unref();
  };
}

const REFUSED_PAGE = errorPage(429, '');

function refusedCall(waitSeconds: number) {
  const { code, message, data } = tooFrequent(waitSeconds);
  return {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: JSON.stringify({ code, message, data }),
  };
}
