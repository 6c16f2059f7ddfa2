import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { isRouteErrorResponse, RouterContextProvider, ServerRouter, type EntryContext } from 'react-router';
import { pageFacts, type PageFacts } from './page-context.ts';

export function createPageContext(facts: PageFacts): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(pageFacts, facts);
  return context;
}

/** One JSON line, like every other line of the log; what a visitor broke off himself, or asked for in vain, is no news. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  const message = error instanceof Error ? error.message.slice(0, 300) : 'not an error';
  const line = {
    level: 40,
    time: new Date().toISOString(),
    path: new URL(request.url).pathname,
    message,
    msg: 'page failed',
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

const RENDER_DEADLINE_MS = 10_000;

/** Sends the page when all of it is there: loaders have awaited their data, so nothing is left to stream. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { nonce } = context.get(pageFacts);
  return new Promise((resolve, reject) => {
    let finalStatus = status;
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        nonce,
        onAllReady() {
          clearTimeout(late);
          headers.set('content-type', 'text/html; charset=utf-8');
          pipe(collect((body) => resolve(new Response(body, { status: finalStatus, headers }))));
        },
        onShellError(error) {
          clearTimeout(late);
          reject(error);
        },
        onError() {
          finalStatus = 500;
        },
      },
    );
    // Cleared as soon as the page is there: until then the timer keeps the whole tree of the page in memory.
    const late = setTimeout(abort, RENDER_DEADLINE_MS).unref();
  });
}

/** A stream that hands over what was written as one piece. */
function collect(onEnd: (body: Buffer<ArrayBuffer>) => void): Writable {
  const parts: Buffer[] = [];
  return new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part);
      done();
    },
    final(done) {
      onEnd(Buffer.concat(parts));
      done();
    },
  });
}
