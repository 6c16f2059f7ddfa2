import type { Log } from '../log.ts';

/** Maximum size of an answer; a QR code image is some ten kilobytes. */
const MAX_BYTES = 2_000_000;
const DEFAULT_TIMEOUT_MS = 5_000;
/** The connection was never made, so the other side cannot have acted. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * There was no answer. `isOutcomeUnknown`: the other side may have acted all the same. The message does not hold the
 * URL.
 */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  readonly isOutcomeUnknown: boolean;
  constructor(what: string, isOutcomeUnknown: boolean) {
    super(what);
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

export type OutboundRequest = {
  url: URL;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** For a file: larger and slower than an answer may be. */
  maxBytes?: number;
  timeoutMs?: number;
  /** The path is a key of the operator as well: the log names the host alone. */
  isPathSecret?: boolean;
};
export type OutboundAnswer = { status: number; contentType: string; headers: Headers; body: Buffer };
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;

/**
 * Sends one request to a vendor, without retries. Logged without the query, where vendors put phones, codes and tokens.
 * Throws NoResponseError after `timeoutMs`, counted to the last byte, unless the request states its own.
 */
export function createOutbound(log: Log, timeoutMs = DEFAULT_TIMEOUT_MS): Outbound {
  return async ({ url, method, headers, body, ...own }) => {
    const startedAt = performance.now();
    const line = (more: object) => ({
      to: own.isPathSecret ? url.host : `${url.host}${url.pathname}`,
      ms: Math.round(performance.now() - startedAt),
      ...more,
    });
    try {
      const response = await fetch(url, {
        method,
        headers: headers ?? {},
        ...(body !== undefined && { body }),
        redirect: 'error',
        signal: AbortSignal.timeout(own.timeoutMs ?? timeoutMs),
      });
      const answer = {
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        headers: response.headers,
        body: await readUpTo(response, own.maxBytes ?? MAX_BYTES),
      };
      log.info(line({ status: answer.status }), 'outbound');
      return answer;
    } catch (error) {
      const why = reasonOf(error);
      log.warn(line({ why }), 'outbound without answer');
      throw new NoResponseError(why, !NEVER_SENT.has(why));
    }
  };
}

async function readUpTo(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns a reason for the log; never the message of the error, which may hold the address. */
function reasonOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.name === 'TimeoutError') return 'time-out';
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return 'broken answer';
}
