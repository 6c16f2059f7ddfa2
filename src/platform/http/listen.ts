import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { LRUCache } from 'lru-cache';
import { bind } from './bind.ts';
import { clientAddress, limitedClient, type LimitedClient, type ReadHeader } from './client-address.ts';
import { createFairQueue, type Begin, type Lane } from './limits/fair-queue.ts';
import { answerUnreadable } from './unreadable-request.ts';

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** `trustedProxies`: how many of the operator's proxies append to X-Forwarded-For. Null `publicUrl`: the Host header counts. */
type ListenSettings = { port: number; host: string; publicUrl: string | null; trustedProxies: number };

/** Facts of a request that only the socket knows. */
export type Arrival = { ip: string; isHttps: boolean };

/**
 * Answers a request directly at the socket if no web Request is needed, and returns whether it did. `client` is the key
 * that the request is counted under (see LimitedClient).
 */
export type AnswerAtSocket = (
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival & { client: string },
) => boolean;

/** A request whose answer has ended. `path`: as the client sent it, with its query. `isCutOff`: the client did not get all of the answer. */
export type AnsweredRequest = { path: string; status: number; isCutOff: boolean; seconds: number };

/**
 * A connection without traffic for this time, or at most twice as long when the stall began inside a write, is closed, also when its client has stopped reading the answer. A download
 * over a slow line goes on, because each part that the client takes counts as traffic.
 */
const STALLED_MS = 60_000;

/** How often connections that became idle are closed while the server closes. */
const IDLE_SWEEP_MS = 100;

/**
 * Starts to listen. Slow or oversized headers are cut off by Node's own limits, stalled connections after `stalledMs`.
 * `close` stops accepting, lets running requests end for `drainMs`, then closes the rest.
 */
export async function listen(options: {
  config: ListenSettings;
  handler: (request: Request, arrival: Arrival) => Promise<Response>;
  middleware: Middleware | null;
  answerAtSocket?: AnswerAtSocket;
  /** Returns whom a request from `ip` is counted as. */
  clientOf?: (ip: string, header: ReadHeader) => LimitedClient;
  onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
  stalledMs?: number;
}): Promise<{ port: number; close(drainMs: number): Promise<void> }> {
  const { config, handler, middleware, answerAtSocket, clientOf = limitedClient, stalledMs = STALLED_MS } = options;
  const { onAnswered } = options;
  const listener = getRequestListener(
    (request, env) => handler(request, arrivalOf(config, 'incoming' in env ? env.incoming : null)),
    { overrideGlobalObjects: false, hostname: new URL(config.publicUrl ?? 'http://localhost').host },
  );
  const queue = createFairQueue();
  const pipelines = createPipelines();
  let isClosing = false;
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 15_000, keepAliveTimeout: 10_000 },
    (request, response) => {
      // Node tells the client in the header `connection: close`, and closes the connection after the answer.
      if (isClosing) response.shouldKeepAlive = false;
      if (onAnswered) {
        const arrivedAt = performance.now();
        response.once('close', () => {
          const seconds = (performance.now() - arrivedAt) / 1_000;
          const { statusCode: status, writableFinished } = response;
          onAnswered({ path: request.url ?? '', status, isCutOff: !writableFinished, seconds });
        });
      }
      const isNamed = isHost(request.headers.host) && isHost(hostOfTarget(request.url));
      if (countHosts(request) > 1 || !isNamed) return refuse(response, 400);
      const arrival = arrivalOf(config, request);
      const client = clientOf(arrival.ip, (name) => request.headers[name]?.toString() ?? null);
      const begin: Begin = (done) => {
        // The client went away while the request waited.
        if (response.destroyed) return done();
        if (answerAtSocket?.(request, response, { ...arrival, client: client.key })) return done();
        response.once('close', done);
        if (middleware) middleware(request, response, () => void listener(request, response));
        else void listener(request, response);
      };
      pipelines.inOrder(request.socket, response, () => {
        if (!queue.take(client.key, laneOf(request, client), begin)) refuse(response, 503);
      });
    },
  );
  server.timeout = stalledMs;
  server.on('clientError', answerUnreadable);
  server.on('connection', (socket) => {
    // Every connection of a proxy comes from its one address.
    if (config.trustedProxies === 0 && pipelines.isRefused(socket)) socket.destroy();
  });
  const port = await bind(server, { port: config.port, host: config.host, portName: 'PORT', hostName: 'HOST' });
  return {
    port,
    async close(drainMs) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // An answer that had begun before may leave its connection open.
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
      const late = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(late);
    },
  };
}

/**
 * Maximum number of requests of one connection that wait for the answer to an earlier one. Browsers and proxies send
 * the next request after the answer; a script may send several ahead (HTTP pipelining).
 */
const MAX_WAITING_IN_PIPELINE = 100;
/**
 * When this number of an address's connections were closed for sending too many requests ahead, the address gets no new
 * connection for `REFUSED_MS`. Fewer cost little, and other people may share the address.
 */
const MAX_CLOSED = 20;
const REFUSED_MS = 10_000;
/** Maximum number of addresses that are remembered. */
const MAX_ADDRESSES = 10_000;

/**
 * Starts the requests of each connection one after the other. Node would buffer the answers to requests sent ahead and
 * send them in one go, outside of the queue: two hundred connections with twenty requests each delayed everybody else
 * by 300 ms. A connection with too many waiting requests is closed: Node reads the headers of all that it has received
 * before anything can stop it.
 */
function createPipelines() {
  const pipelines = new WeakMap<Socket, { last: ServerResponse; waiting: number }>();
  const closed = new LRUCache<string, number>({ max: MAX_ADDRESSES, ttl: REFUSED_MS });
  const closedOf = ({ remoteAddress = '' }: Socket) => closed.get(remoteAddress) ?? 0;
  return {
    /** Calls `start` when the earlier requests of the connection are answered. */
    inOrder(socket: Socket, response: ServerResponse, start: () => void): void {
      const pipeline = pipelines.get(socket);
      if (!pipeline || pipeline.last.writableFinished) {
        pipelines.set(socket, { last: response, waiting: 0 });
        return start();
      }
      pipeline.waiting += 1;
      if (pipeline.waiting > MAX_WAITING_IN_PIPELINE) {
        if (socket.remoteAddress) closed.set(socket.remoteAddress, closedOf(socket) + 1);
        return void socket.destroy();
      }
      pipeline.last.once('close', () => {
        pipeline.waiting -= 1;
        if (!socket.destroyed) start();
      });
      pipeline.last = response;
    },
    isRefused: (socket: Socket) => closedOf(socket) >= MAX_CLOSED,
  };
}

function laneOf({ url }: IncomingMessage, { isMember }: LimitedClient): Lane {
  if (!url?.startsWith('/api/')) return 'pages';
  return isMember ? 'members' : 'calls';
}

/** Two Host headers are an attempt to show two hops two different requests (RFC 9112, 3.2): answered 400. */
function countHosts(request: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Maximum length of a DNS name and a port. */
const MAX_HOST = 260;
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Returns false when a Host header is neither a name nor an address. Links on pages and in the sitemap begin with the
 * Host where PUBLIC_URL is not set: a Host of 7,000 characters would make a sitemap of 50,000 links 350 MB long.
 * A request of HTTP/1.0 has none, as health checks of HAProxy are by default: it counts as one for PUBLIC_URL.
 */
function isHost(host: string | undefined): boolean {
  if (host === undefined) return true;
  // A host that looks like a name may still be impossible in a URL: 256.256.256.256, port 99999.
  return host.length <= MAX_HOST && HOST.test(host) && URL.canParse(`http://${host}`);
}

/**
 * Returns the host of a request target in absolute form (`GET http://host/path`), which counts instead of the Host header
 * (RFC 9112, 3.2.2); undefined for a path. No web address gives an empty text, which is no host.
 */
function hostOfTarget(target: string | undefined): string | undefined {
  if (target === undefined || target.startsWith('/')) return undefined;
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? '';
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close', 'content-length': 0 }).end();
}

function arrivalOf(config: ListenSettings, incoming: unknown): Arrival {
  // Safe: node-server hands over Node's own message under this name; HTTP/2 is not served.
  const message = incoming as IncomingMessage | null;
  const forwarded = message?.headers['x-forwarded-for']?.toString() ?? null;
  return {
    ip: clientAddress(message?.socket.remoteAddress ?? '', forwarded, config.trustedProxies),
    isHttps: isHttps(config, message),
  };
}

function isHttps(config: ListenSettings, message: IncomingMessage | null): boolean {
  if (config.publicUrl?.startsWith('https:')) return true;
  return config.trustedProxies > 0 && message?.headers['x-forwarded-proto']?.toString() === 'https';
}
