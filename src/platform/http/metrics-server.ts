import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { isLoopbackHost } from '../loopback.ts';
import { bind } from './bind.ts';

/** Two Prometheus servers, an agent, and somebody who looks. */
const MAX_CONNECTIONS = 10;

/**
 * Serves `GET /metrics` to programs on this machine. It has a port of its own on 127.0.0.1, so that no proxy rule in front of
 * the site can make the numbers public. Throws ListenError.
 */
export async function serveMetrics(options: {
  port: number;
  metrics: Metrics;
  log: Log;
}): Promise<{ port: number; close(): Promise<void> }> {
  const { metrics, log } = options;
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    // Requests that were sent ahead on one connection (HTTP pipelining) would all be written at once: the site would stand still.
    response.setHeader('connection', 'close');
    const refusal = refusalOf(request);
    if (refusal) return end(response, refusal.status, refusal.text);
    metrics.text().then(
      ({ contentType, body }) => {
        response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
      (error: unknown) => {
        log.error({ error }, 'metrics failed');
        end(response, 500, 'The metrics failed; the log says why.');
      },
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await bind(server, { port: options.port, host: '127.0.0.1', portName: 'METRICS_PORT', hostName: null });
  return {
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns why a request is refused; null when it is not. Other hosts than this machine are refused, because a web page could reach this port under its own host name (DNS rebinding). */
function refusalOf({ method, url, headers }: IncomingMessage): { status: number; text: string } | null {
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  if (!isLoopbackHost(host)) return { status: 421, text: 'This address answers programs on this machine alone.' };
  if (url?.replace(/\?.*/, '') !== '/metrics') return { status: 404, text: 'Only /metrics is here.' };
  return method === 'GET' || method === 'HEAD' ? null : { status: 405, text: 'Only GET is answered here.' };
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${text}\n`);
}
