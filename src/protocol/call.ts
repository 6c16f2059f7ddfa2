import type { z } from 'zod';
import { CODE } from './codes.ts';
import type { Answer, Endpoint, Input } from './endpoint.ts';

/** The answer to a call: the envelope with `data` typed, null when a refusal carries none. */
export type Reply<E> = { code: number; message: string; data: Answer<E> | null };

/** The server could not answer: no connection, not JSON, or HTTP 5xx. Shown inline with a retry (C-100). */
export class CallError extends Error {
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

type Fetch = (request: Request) => Promise<Response> | Response;
export type Call = <E extends Endpoint<z.ZodType, z.ZodType>>(endpoint: E, input: Input<E>) => Promise<Reply<E>>;

/** The API's answer to a call from this process: the values of an HTTP answer without their JSON text. */
type DirectAnswer = { status: number; body: { code: number; message: string; data?: unknown } };
/** Calls the endpoint at `path`. Never rejects: every failure is an answer, as over HTTP. */
export type AskDirectly = (path: string, input: unknown) => Promise<DirectAnswer>;

/** Returns the API's call for page loaders, which run in the process of the API. Throws CallError like createCall. */
export function createDirectCall(ask: AskDirectly): Call {
  return async (endpoint, input) => {
    const { status, body } = await ask(endpoint.path, input);
    return replyOf(endpoint, status, body);
  };
}

/**
 * Returns the API's call over HTTP, for the browser and for tests in process. `headers` is called for each request, so
 * that a login in between is seen. The call throws CallError; refusals are values.
 */
export function createCall(options: { origin: string; fetch: Fetch; headers: () => Record<string, string> }): Call {
  return async (endpoint, input) => {
    const response = await options.fetch(toRequest(options, endpoint, input));
    const body: unknown = await response.json().catch(() => null);
    if (!isEnvelope(body)) throw new CallError('服务器开小差了，请稍后再试', response.status);
    return replyOf(endpoint, response.status, body);
  };
}

function replyOf<E>(_endpoint: E, status: number, body: DirectAnswer['body']): Reply<E> {
  if (status >= 500) throw new CallError(body.message, status);
  // Safe: the server validated `data` against this very endpoint's output schema before sending it.
  return { code: body.code, message: body.message, data: (body.data ?? null) as Answer<E> | null };
}

/** Returns the data of a reply that must have succeeded; throws CallError with the server's message otherwise. */
export function expectOk<E>(reply: Reply<E>): Answer<E> {
  if (reply.code !== CODE.ok || reply.data === null) throw new CallError(reply.message, 200);
  return reply.data;
}

function toRequest(
  options: { origin: string; headers: () => Record<string, string> },
  endpoint: Endpoint,
  input: unknown,
): Request {
  const url = new URL(endpoint.path, options.origin);
  if (endpoint.method === 'GET') {
    for (const [key, value] of Object.entries(input ?? {})) url.searchParams.set(key, String(value));
    return new Request(url, { headers: options.headers() });
  }
  return new Request(url, {
    method: 'POST',
    headers: { ...options.headers(), 'content-type': 'application/json' },
    // §3: an origin-source field set to 1 is added to any request body.
    body: JSON.stringify({ ...(typeof input === 'object' ? input : {}), 'origin-source': 1 }),
  });
}

function isEnvelope(body: unknown): body is { code: number; message: string; data?: unknown } {
  return (
    typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number' && 'message' in body
  );
}
